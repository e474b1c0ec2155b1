import type { Hooks, Tappable } from "../contracts/hooks.js";
import { PluginError } from "../errors.js";
import { nearest } from "../text/nearest.js";
import type { HookName } from "./hook-table.js";
import { hookNames } from "./hook-table.js";
import type { TapFunction } from "./tap.js";

type AddTap = (hook: HookName, fn: TapFunction, timeoutMs: number | undefined) => void;

/** Asked of any object by promises and printers, not by a plugin that seeks a hook. */
const askedByRuntime: ReadonlySet<string> = new Set(["then", "toJSON"]);

/** One plugin's view of the hooks: taps are checked here, before the engine sees them. */
export function createHookFace(plugin: string, addTap: AddTap): Hooks {
  const tappables: Record<string, Tappable<TapFunction>> = {};
  for (const hook of hookNames) {
    tappables[hook] = Object.freeze({
      tap(fn: TapFunction, options?: { readonly timeoutMs?: number }) {
        checkTap(plugin, hook, fn, options?.timeoutMs);
        addTap(hook, fn, options?.timeoutMs);
      },
    });
  }
  // Each name of `Hooks` was given a tappable just now; the functions' own types are the plugin's view alone.
  return new Proxy(Object.freeze(tappables), {
    get: (all, name) => find(plugin, all, name),
  }) as unknown as Hooks;
}

function find(
  plugin: string,
  tappables: Readonly<Record<string, Tappable<TapFunction>>>,
  name: string | symbol,
): Tappable<TapFunction> | undefined {
  if (typeof name === "symbol") return undefined;
  if (Object.hasOwn(tappables, name)) return tappables[name];
  if (askedByRuntime.has(name)) return undefined;
  const near = nearest(name, hookNames);
  throw new PluginError({
    code: "hook-unknown",
    level: "error",
    plugin,
    hook: name,
    message: `Plugin "${plugin}" taps the hook "${name}", which does not exist`,
    fix: near === undefined ? `The hooks are ${hookNames.join(", ")}` : `Did you mean "${near}"?`,
  });
}

function checkTap(plugin: string, hook: HookName, fn: unknown, timeoutMs: unknown): void {
  const wrong = (message: string, fix: string) =>
    new PluginError({ code: "tap-invalid", level: "error", plugin, hook, message, fix });
  if (typeof fn !== "function") {
    const seen = fn === null ? "null" : typeof fn;
    throw wrong(
      `Plugin "${plugin}" taps the hook "${hook}" with ${seen} where a function is wanted`,
      `Call host.hooks.${hook}.tap((…) => …)`,
    );
  }
  if (timeoutMs !== undefined && (typeof timeoutMs !== "number" || !(timeoutMs > 0))) {
    throw wrong(
      `Plugin "${plugin}" taps the hook "${hook}" with a timeoutMs that is no number above 0`,
      "Give timeoutMs in milliseconds, or leave it out",
    );
  }
}
