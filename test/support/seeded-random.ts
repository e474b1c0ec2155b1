/** Random choices that are the same at each run. */
export interface SeededRandom {
  /** From 0 inclusive to `below` exclusive. */
  integer(below: number): number;
  pick<T>(list: readonly [T, ...T[]]): T;
  shuffle<T>(list: readonly T[]): readonly T[];
}

/** A linear congruential generator; constants of Numerical Recipes. */
export function createRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const integer = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return {
    integer,
    pick: (list) => list[integer(list.length)] ?? list[0],
    shuffle(list) {
      const keyed = list.map((value) => ({ value, key: integer(2 ** 31) }));
      return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
    },
  };
}
