export { createHost } from "./host.js";
export { toDiagnostic } from "./errors.js";
export { nearest } from "./text/nearest.js";
export { sha256 } from "./text/bytes.js";
export { layers } from "./contracts/host.js";
export type { Edit, Files, Host, HostEdit, HostOptions, HostTool, Layer, LeftOut } from "./contracts/host.js";
export type { LoadedPlugin, OpenOptions, Prompt, Session, SessionLog } from "./contracts/host.js";
export { recordedTurns, replayRequest } from "./turns/replay.js";
export type { RecordedRequest, RecordedTurn } from "./turns/replay.js";
