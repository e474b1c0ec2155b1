type Defined<T> = { [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] } & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};

/** The fields that have a value: an optional field is there or absent, never undefined. */
export function defined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}

/** Freezes plain data through and through, so that whoever is shown it cannot change it. */
export function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) frozen(part);
  return value;
}

/** A wrong block would stand in the history, and every later request would fail on it. */
export function isBlock(block: unknown): boolean {
  const { type, ...fields } = { ...(block as Partial<Record<string, unknown>>) };
  const wanted = { text: ["text"], image: ["mime", "base64"], file: ["mime", "base64", "name"] }[String(type)];
  return wanted !== undefined && wanted.every((field) => typeof fields[field] === "string");
}
