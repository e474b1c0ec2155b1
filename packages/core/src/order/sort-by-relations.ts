/**
 * Puts names in order: the lowest-ranked first among those that wait for none. A cycle is cut at its lowest-ranked
 * member, which then waits no longer for the next one of the cycle.
 * @param names Lowest rank first.
 * @param relations Who comes before whom; names that are not given, and one's own, count for nothing.
 * @returns Each cycle begins with its lowest-ranked member, each name waiting for the next.
 */
export function sortByRelations(
  names: readonly string[],
  relations: readonly (readonly [earlier: string, later: string])[],
): { readonly order: readonly string[]; readonly cycles: readonly (readonly string[])[] } {
  const waitsFor = new Map(names.map((name) => [name, new Set<string>()]));
  for (const [earlier, later] of relations) {
    if (earlier !== later && waitsFor.has(earlier)) waitsFor.get(later)?.add(earlier);
  }
  const waiting = new Set(names);
  const cycles: (readonly string[])[] = [];
  const order: string[] = [];
  while (waiting.size > 0) {
    const ready = [...waiting].find((name) => waitsFor.get(name)?.size === 0);
    if (ready === undefined) {
      cycles.push(cutCycle([...waiting], waitsFor));
      continue;
    }
    order.push(ready);
    waiting.delete(ready);
    for (const others of waitsFor.values()) others.delete(ready);
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
