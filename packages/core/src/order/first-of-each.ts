/**
 * Of items with one key the first.
 * @param tell Hears of each other one, and of the one that stays instead.
 */
export function firstOfEach<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  tell: (other: T, first: T) => void,
): readonly T[] {
  return items.filter((item) => {
    const first = items.find((earlier) => keyOf(earlier) === keyOf(item)) ?? item;
    if (first !== item) tell(item, first);
    return first === item;
  });
}
