/**
 * Finds one cycle among names none of which is free, and frees its lowest-ranked member of what it waits for in it.
 * @param names Lowest rank first; each waits for at least one of them.
 * @returns The cycle, its lowest-ranked member first, each name waiting for the next.
 */
export function cutCycle(names: readonly string[], waitsFor: ReadonlyMap<string, Set<string>>): readonly string[] {
  const cycle = findCycle(names, waitsFor);
  const lowest = names.find((name) => cycle.includes(name)) ?? "";
  const start = cycle.indexOf(lowest);
  const turned = [...cycle.slice(start), ...cycle.slice(0, start)];
  waitsFor.get(lowest)?.delete(turned[1] ?? "");
  return turned;
}

/** Walks from a name to the lowest-ranked one it waits for, until a name comes twice. */
function findCycle(names: readonly string[], waitsFor: ReadonlyMap<string, Set<string>>): readonly string[] {
  const path: string[] = [];
  let name = names[0];
  while (name !== undefined && !path.includes(name)) {
    path.push(name);
    const waits = waitsFor.get(name);
    name = names.find((other) => waits?.has(other));
  }
  return name === undefined ? path : path.slice(path.indexOf(name));
}
