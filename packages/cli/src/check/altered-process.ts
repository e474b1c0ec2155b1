import type { Circumstances } from "./circumstances.js";

type Callable = (...args: unknown[]) => unknown;

/**
 * Runs `work` in a process that looks as the circumstances say: its clock, its environment and the locale of what
 * formats without naming one. A section that asks the process instead of its context is found out this way. Everything
 * is put back at the end; two such runs must not overlap.
 */
export async function inAlteredProcess<T>(
  { offsetMs, environment, locale }: Circumstances,
  work: () => Promise<T>,
): Promise<T> {
  const undo: (() => void)[] = [];
  const set = (holder: object, name: string, value: unknown): void => {
    const before = Object.getOwnPropertyDescriptor(holder, name);
    if (before === undefined) return;
    Object.defineProperty(holder, name, { ...before, value });
    undo.push(() => Object.defineProperty(holder, name, before));
  };
  const { env } = process;
  try {
    process.env = { ...environment };
    if (offsetMs !== 0) set(globalThis, "Date", movedClock(Date, offsetMs));
    if (locale !== undefined) {
      for (const [holder, name, position] of localeMethods) {
        const method = Object.getOwnPropertyDescriptor(holder, name)?.value as Callable | undefined;
        if (method !== undefined) set(holder, name, withLocale(method, position, locale));
      }
      for (const name of localeClasses) set(Intl, name, localClass(Intl[name], locale));
    }
    return await work();
  } finally {
    for (const step of undo.reverse()) step();
    process.env = env;
  }
}

/** Where the locale stands among the arguments. */
const localeMethods: readonly (readonly [holder: object, name: string, position: number])[] = [
  [Date.prototype, "toLocaleString", 0],
  [Date.prototype, "toLocaleDateString", 0],
  [Date.prototype, "toLocaleTimeString", 0],
  [Number.prototype, "toLocaleString", 0],
  [BigInt.prototype, "toLocaleString", 0],
  [String.prototype, "localeCompare", 1],
  [String.prototype, "toLocaleUpperCase", 0],
  [String.prototype, "toLocaleLowerCase", 0],
];

const localeClasses = ["DateTimeFormat", "NumberFormat", "Collator", "PluralRules", "ListFormat"] as const;

function withLocale(method: Callable, position: number, locale: string): Callable {
  return function (this: unknown, ...args: unknown[]) {
    const given = [...args];
    given[position] ??= locale;
    return Reflect.apply(method, this, given);
  };
}

function localClass(original: object, locale: string): object {
  const filled = (args: readonly unknown[]) => [args[0] ?? locale, ...args.slice(1)];
  return new Proxy(original, {
    apply: (target, self, args: unknown[]) => Reflect.apply(target as Callable, self, filled(args)),
    construct: (target, args: unknown[], kind) =>
      Reflect.construct(target as new (...given: unknown[]) => object, filled(args), kind) as object,
  });
}

function movedClock(real: DateConstructor, offsetMs: number): DateConstructor {
  const now = () => real.now() + offsetMs;
  return new Proxy(real, {
    apply: () => new real(now()).toString(),
    construct: (target, args: unknown[], kind) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, kind) as object,
    get: (target, name) => (name === "now" ? now : (Reflect.get(target, name) as unknown)),
  });
}
