interface Related {
  readonly name: string;
  /** Names; those that are not given, and one's own, count for nothing. */
  readonly after?: readonly string[] | undefined;
  readonly before?: readonly string[] | undefined;
}

/**
 * Puts things in order: the lowest-ranked first among those that wait for none. A cycle is cut at its lowest-ranked
 * member, which then waits no longer for the next one of the cycle.
 * @param items Lowest rank first, each name once.
 * @returns Each cycle begins with its lowest-ranked member, each name waiting for the next.
 */
export function sortByRelations<T extends Related>(
  items: readonly T[],
): { readonly order: readonly T[]; readonly cycles: readonly (readonly string[])[] } {
  const waitsFor = new Map(items.map(({ name }) => [name, new Set<string>()]));
  const relate = (earlier: string, later: string): void => {
    if (earlier !== later && waitsFor.has(earlier)) waitsFor.get(later)?.add(earlier);
  };
  for (const { name, after = [], before = [] } of items) {
    for (const earlier of after) relate(earlier, name);
    for (const later of before) relate(name, later);
  }
  const waiting = new Set(items);
  const cycles: (readonly string[])[] = [];
  const order: T[] = [];
  while (waiting.size > 0) {
    const ready = [...waiting].find(({ name }) => waitsFor.get(name)?.size === 0);
    if (ready === undefined)
      cycles.push(
        cutCycle(
          [...waiting].map(({ name }) => name),
          waitsFor,
        ),
      );
    else {
      order.push(ready);
      waiting.delete(ready);
      for (const others of waitsFor.values()) others.delete(ready.name);
    }
  }
  return { order, cycles };
}

/** @param names None of them is free. */
function cutCycle(names: readonly string[], waitsFor: ReadonlyMap<string, Set<string>>): readonly string[] {
  // A walk from a name to the lowest-ranked one it waits for, until a name comes twice.
  const path: string[] = [];
  let step = names[0] ?? "";
  while (!path.includes(step)) {
    path.push(step);
    const waits = waitsFor.get(step);
    step = names.find((other) => waits?.has(other)) ?? "";
  }
  const cycle = path.slice(path.indexOf(step));
  const start = cycle.indexOf(names.find((name) => cycle.includes(name)) ?? "");
  const turned = [...cycle.slice(start), ...cycle.slice(0, start)];
  waitsFor.get(turned[0] ?? "")?.delete(turned[1] ?? "");
  return turned;
}
