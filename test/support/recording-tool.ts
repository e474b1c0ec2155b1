import type { MaybePromise, ToolContext, ToolSpec } from "@quire/core";

export interface RecordingTool extends ToolSpec {
  /** The arguments of every run. */
  readonly runs: readonly unknown[];
}

/** A tool that keeps what it was called with; it reads and says "done" unless told otherwise. */
export function recordingTool(
  name: string,
  more: Partial<Omit<ToolSpec, "execute">> & {
    readonly run?: (args: Readonly<Record<string, unknown>>, context: ToolContext) => MaybePromise<string>;
  } = {},
): RecordingTool {
  const { run = () => "done", ...spec } = more;
  const runs: unknown[] = [];
  return {
    name,
    description: "Records its calls",
    effect: "read",
    input: { type: "object" },
    ...spec,
    runs,
    execute(args, context) {
      runs.push(args);
      return run(args as Readonly<Record<string, unknown>>, context);
    },
  };
}
