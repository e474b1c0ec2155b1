import type { Entering } from "./async/entering.js";
import type { Diagnostic } from "./contracts/diagnostic.js";
import type { HostOptions } from "./contracts/host.js";
import type { Layout } from "./contracts/layout.js";
import type { ModelRef } from "./contracts/message.js";
import type { Place } from "./contracts/place.js";
import type { CommandSpec } from "./contracts/registry.js";
import type { ProviderSpec } from "./contracts/provider.js";
import type { HookBus } from "./hooks/hook-bus.js";
import type { HostConfig } from "./host-config.js";
import type { Owned } from "./registries/resolve-specs.js";
import type { HostToolRegistry } from "./registries/tool-registry.js";
import type { Reporter } from "./report.js";
import type { Memo } from "./sections/memo.js";
import type { Plan } from "./sections/plan.js";
import type { PlaceFacts } from "./sections/tracked-place.js";
import type { ActiveTurn } from "./turns/tool-calls.js";
import type { SessionState } from "./turns/session.js";

/** What the rooms of core share while a host lives. Never seen by a plugin. */
export interface HostCore extends Reporter {
  readonly options: HostOptions;
  readonly config: HostConfig;
  readonly plan: Plan;
  readonly bus: HookBus;
  readonly tools: HostToolRegistry;
  /** @throws {ConfigError} `layout-unknown`. */
  readonly layout: Layout;
  /** Plugin that brought the layout. */
  readonly layoutOwner: string;
  readonly commands: readonly Owned<CommandSpec>[];
  readonly globalMemo: Memo;
  readonly sessions: Set<SessionState>;
  readonly entering: Entering;
  /** Turns under way by id. */
  readonly turns: Map<string, ActiveTurn>;
  /** Required plugins that are not there: no turn may start. */
  readonly missing: readonly Diagnostic[];
  facts(cwd: string): PlaceFacts & { readonly platform: string; readonly shell: string };
  /** Files and facts of a place, untracked. */
  place(cwd: string): Place;
  now(): Date;
  readonly timeScale: number;
  /** Aborted when the host is disposed. */
  readonly signal: AbortSignal;
  /** @throws {ConfigError} `model-unknown`. */
  resolveModel(name: string | undefined, cwd: string): ModelRef;
  /** @throws {QuireError} `model-unknown`. */
  provider(model: ModelRef): Owned<ProviderSpec>;
}
