import type { Diagnostic } from "./contracts/diagnostic.js";
import type { HostOptions } from "./contracts/host.js";
import type { Layout } from "./contracts/layout.js";
import type { ModelRef } from "./contracts/message.js";
import type { Place } from "./contracts/place.js";
import type { CommandSpec } from "./contracts/registry.js";
import type { ProviderSpec } from "./contracts/provider.js";
import type { HookBus } from "./hooks/hook-bus.js";
import type { HostConfig } from "./host-config.js";
import type { ToolSet } from "./tools/tool-set.js";
import type { Memo } from "./sections/memo.js";
import type { Plan } from "./sections/plan.js";
import type { PlaceFacts } from "./sections/tracked-place.js";
import type { ActiveTurn } from "./turns/active-turn.js";
import type { SessionState } from "./turns/session-state.js";

/** What the rooms of core share while a host lives. Never seen by a plugin. */
export interface HostCore {
  readonly options: HostOptions;
  readonly config: HostConfig;
  readonly plan: Plan;
  readonly bus: HookBus;
  readonly tools: ToolSet;
  readonly layout: Layout;
  /** Plugin that brought the layout. */
  readonly layoutOwner: string;
  providers(): readonly ProviderSpec[];
  commands(): readonly CommandSpec[];
  readonly globalMemo: Memo;
  readonly sessions: Set<SessionState>;
  /** Everything reported since the host was built. */
  readonly diagnostics: readonly Diagnostic[];
  /** Reports to the host, and to the turn it happens in. */
  report(diagnostic: Diagnostic): void;
  inTurn<T>(sink: (diagnostic: Diagnostic) => void, run: () => Promise<T>): Promise<T>;
  /** The plugin whose code was entered last. */
  entered(): string | undefined;
  /** Turns under way by id. */
  readonly turns: Map<string, ActiveTurn>;
  /** Required plugins that are not there: no turn may start. */
  readonly missing: readonly Diagnostic[];
  facts(cwd: string): PlaceFacts & { readonly platform: string; readonly shell: string };
  /** Files and facts of a place, untracked. */
  place(cwd: string): Place;
  /** Local date, `YYYY-MM-DD`. */
  today(): string;
  now(): Date;
  readonly timeScale: number;
  readonly signal: AbortSignal;
  resolveModel(name: string | undefined, cwd: string): ModelRef;
  provider(model: ModelRef): ProviderSpec;
}
