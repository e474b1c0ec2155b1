export { definePlugin } from "./define-plugin.js";
export { ConfigError, PluginError, ProviderError, QuireError, ToolError } from "./errors.js";
export { formatDiagnostic } from "./format-diagnostic.js";
export { estimateTokens } from "./tokens/estimate-tokens.js";
export { messageFormatVersion } from "./contracts/message.js";

export type { Diagnostic, Origin } from "./contracts/diagnostic.js";
export type { Attrs, Config, KeyValue, MaybePromise, Place } from "./contracts/place.js";
export type { JsonSchema, Options, StandardSchema } from "./contracts/standard-schema.js";
export type { PluginDefinition, PluginHost, PluginInfo, PresetData, Tier } from "./contracts/plugin.js";
export type { CommandSpec, Registry } from "./contracts/registry.js";
export type { Ask, Change, Hooks, Tappable, Tell, Vote } from "./contracts/hooks.js";
export type {
  At,
  Audience,
  Budget,
  Cache,
  Profile,
  Replacement,
  SectionBody,
  SectionContent,
  SectionContext,
  SectionItem,
  SectionRegistry,
  SectionSpec,
  Slot,
} from "./contracts/section.js";
export type {
  ContextItem,
  Layout,
  LayoutView,
  Piece,
  PieceBuilder,
  Pieces,
  Region,
  ResolvedSection,
  SectionPart,
} from "./contracts/layout.js";
export type { Block, Message, ModelRef, Stop, StreamEvent, ToolCall, ToolResult, Usage } from "./contracts/message.js";
export type {
  Caps,
  Model,
  ProviderFailure,
  ProviderRequest,
  ProviderSpec,
  RetryDecision,
  WireRequest,
} from "./contracts/provider.js";
export type {
  Effect,
  PermissionAnswer,
  PermissionRequest,
  ToolContext,
  ToolRegistry,
  ToolSpec,
  Verdict,
} from "./contracts/tool.js";
export type {
  AgentStart,
  SessionEvent,
  SessionInfo,
  Trigger,
  Turn,
  TurnContext,
  TurnEdits,
  TurnEvent,
  TurnOptions,
  TurnResult,
  Turns,
} from "./contracts/turn.js";
