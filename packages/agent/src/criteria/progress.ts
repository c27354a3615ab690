import type { ToolDefinition, ToolResult } from "@toolrack/core";
import type { MissingInputs } from "../events.ts";
import type { StoredMessage } from "../sessions.ts";

/** What has been done so far, read from the messages: so it is the same after a kill. */
export interface Progress {
  /** Tools that were called with success in this run. */
  readonly called: ReadonlySet<string>;
  /** Artifacts that exist: given at the beginning, or left behind by a call of this session (`metadata.produces`). */
  readonly artifacts: ReadonlySet<string>;
}

export interface ProgressLog extends Progress {
  note(result: ToolResult): void;
  /** From now on calls count anew; artifacts stay. */
  startPhase(): void;
  /** Those of `metadata.consumes` that nobody has produced. */
  missingInputs(tool: ToolDefinition): readonly string[];
}

export interface ProgressOptions {
  readonly messages: readonly StoredMessage[];
  /** The run began after this message. */
  readonly since: number;
  readonly artifacts: readonly string[];
  toolOf(name: string): ToolDefinition | undefined;
}

export function readProgress({ messages, since, artifacts: given, toolOf }: ProgressOptions): ProgressLog {
  const called = new Set<string>();
  const artifacts = new Set(given);

  function note(result: ToolResult, isOfRun = true): void {
    if (!result.ok) return;
    if (isOfRun) called.add(result.meta.tool);
    for (const artifact of toolOf(result.meta.tool)?.metadata?.produces ?? []) artifacts.add(artifact);
  }

  for (const { seq, message } of messages) {
    if (message.role === "tool") for (const result of message.results) note(result, seq > since);
  }
  return {
    called,
    artifacts,
    note,
    startPhase: () => called.clear(),
    missingInputs: (tool) => (tool.metadata?.consumes ?? []).filter((artifact) => !artifacts.has(artifact)),
  };
}

/** Every tool of a list whose inputs are missing. */
export function findMissingInputs(tools: readonly ToolDefinition[], progress: ProgressLog): readonly MissingInputs[] {
  return consumersAmong(tools).flatMap((tool) => {
    const artifacts = progress.missingInputs(tool);
    return artifacts.length === 0 ? [] : [{ tool: tool.name, artifacts }];
  });
}

/** Lists stay the same for many turns, and few of their tools consume anything. */
const consumers = new WeakMap<readonly ToolDefinition[], readonly ToolDefinition[]>();

function consumersAmong(tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
  let found = consumers.get(tools);
  if (found === undefined) consumers.set(tools, (found = tools.filter(({ metadata }) => metadata?.consumes !== undefined)));
  return found;
}
