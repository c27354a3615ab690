import { ToolError } from "../errors.ts";
import { backoffMs } from "../sources/backoff.ts";
import type { SourceStatus, ToolSource } from "../sources/source.ts";
import type { Caller } from "../tool/context.ts";
import { isToolName } from "../tool/name.ts";
import { describeThrown } from "../tool/result.ts";
import { type AnyTool, readTool } from "../tool/shapes.ts";
import { hiddenTextOf, type ToolDefinition } from "../tool/tool.ts";
import type { CancelTimer, Clock } from "../util/clock.ts";
import { untilAborted } from "../util/until-aborted.ts";

/** What the sync does to the registry. */
export interface SourceTarget {
  /** Adds a tool; throws if the name is taken by another source. */
  put(tool: ToolDefinition, source: string): void;
  /** Removes this very tool, if this source still provides it. */
  take(tool: ToolDefinition, source: string): void;
  readonly clock: Clock;
  /** A source was read, or began to fail; not told of each further attempt that fails. */
  onStatus(status: SourceStatus): void;
  /** What a source has for single callers may be something else now. */
  onCallerTools(): void;
  /** The source and its tools are gone; it may still be closing. */
  onRemoved(source: string): void;
  /** Told what went wrong with the tools of one caller. */
  onProblem(source: string, problem: string): void;
}

export interface SourceSync {
  add(source: ToolSource): Promise<SourceStatus>;
  /** Reads a source again, now. */
  refresh(id: string): Promise<SourceStatus>;
  remove(id: string): Promise<void>;
  statuses(): readonly SourceStatus[];
  /** What identifies the origin of a source, if it tells. */
  identityOf(id: string): string | undefined;
  /** Whether any source has tools for single callers. */
  readonly hasCallerTools: boolean;
  /** What the sources bring for this caller alone. A source that fails brings nothing, and harms no other. */
  toolsFor(caller: Caller): readonly ToolDefinition[];
  close(): Promise<void>;
}

interface SourceState {
  readonly source: ToolSource;
  /** The registered tools of this source, by name and version. */
  readonly provided: Map<string, ToolDefinition>;
  status: SourceStatus;
  readonly controller: AbortController;
  stopWatching: (() => void) | undefined;
  /** Why it cannot be watched. */
  readonly problems: string[];
  /** The current reading, and the one requested meanwhile. */
  reading: Promise<SourceStatus> | undefined;
  next: Promise<SourceStatus> | undefined;
  /** How many readings in a row failed. */
  failures: number;
  cancelRetry: CancelTimer | undefined;
}

/**
 * Keeps a registry in step with its sources. A source that fails keeps its last-known tools, harms no other, and is read again after a while;
 * a bad tool is left out alone; of two sources with one name the first keeps it.
 */
export function createSourceSync(target: SourceTarget): SourceSync {
  const states = new Map<string, SourceState>();
  /** How many sources have tools for single callers. Counted, because it is asked at every call. */
  let withCallerTools = 0;
  /** What each shape was read as, so that a list without a change changes nothing. */
  const read = new WeakMap<AnyTool, ToolDefinition>();

  function add(source: ToolSource): Promise<SourceStatus> {
    if (states.has(source.id))
      throw new ToolError("NAME_TAKEN", `A source "${source.id}" is already there. Remove it first, or choose another id.`);
    const one: SourceState = {
      source,
      provided: new Map(),
      status: { id: source.id, state: "ready", tools: [], problems: [] },
      controller: new AbortController(),
      stopWatching: undefined,
      problems: [],
      reading: undefined,
      next: undefined,
      failures: 0,
      cancelRetry: undefined,
    };
    states.set(source.id, one);
    if (source.listFor !== undefined) {
      withCallerTools++;
      target.onCallerTools();
    }
    try {
      one.stopWatching = source.watch?.(() => void readAgain(one));
    } catch (error) {
      one.problems.push(`It cannot be watched: ${describeThrown(error)}`);
    }
    return readAgain(one);
  }

  /** Readings of one source never overlap; however often one is asked for during another, a single further one follows. */
  function readAgain(one: SourceState): Promise<SourceStatus> {
    if (one.reading === undefined) {
      return (one.reading = readOnce(one).finally(() => (one.reading = undefined)));
    }
    return (one.next ??= one.reading.then((status) => {
      one.next = undefined;
      return one.controller.signal.aborted ? status : readAgain(one);
    }));
  }

  async function readOnce(one: SourceState): Promise<SourceStatus> {
    const { signal } = one.controller;
    one.cancelRetry?.();
    try {
      const tools = await untilAborted(Promise.resolve(one.source.list({ signal })), signal);
      if (signal.aborted) return one.status;
      if (!Array.isArray(tools)) throw new TypeError("its list is not an array");
      one.failures = 0;
      return report(one, { state: "ready", problems: [...one.problems, ...provide(one, [...tools])], readAt: target.clock.now() });
    } catch (error) {
      return signal.aborted ? one.status : report(one, { state: "failed", error: describeThrown(error), retryAt: retryLater(one, error) });
    }
  }

  /** Every kind of source comes back by itself. Answers when it is read again. */
  function retryLater(one: SourceState, error: unknown): number {
    const { clock } = target;
    one.failures += 1;
    const waitMs = backoffMs(one.failures, error);
    one.cancelRetry = clock.after(waitMs, () => void readAgain(one));
    one.cancelRetry.release?.();
    return clock.now() + waitMs;
  }

  function provide(one: SourceState, shapes: readonly AnyTool[]): string[] {
    const problems: string[] = [];
    const seen = new Set<string>();
    for (const [index, shape] of shapes.entries()) {
      try {
        const tool = read.get(shape) ?? readTool(shape);
        read.set(shape, tool);
        const key = keyOf(tool);
        if (seen.has(key)) throw new ToolError("NAME_TAKEN", `The source lists tool "${tool.name}" twice.`);
        seen.add(key);
        for (const found of hiddenTextOf(tool)) problems.push(`Tool "${tool.name}" is shown without the invisible characters in ${found}.`);
        if (one.provided.get(key) === tool) continue;
        target.put(tool, one.source.id);
        one.provided.set(key, tool);
      } catch (error) {
        problems.push(`${labelOf(shape, index)} was left out: ${describeThrown(error)}`);
      }
    }
    for (const [key, tool] of one.provided) {
      if (seen.has(key)) continue;
      one.provided.delete(key);
      target.take(tool, one.source.id);
    }
    return problems;
  }

  function report(one: SourceState, change: Pick<SourceStatus, "state"> & Partial<SourceStatus>): SourceStatus {
    const { error: _, retryAt: __, ...before } = one.status;
    one.status = { ...before, ...change, tools: [...one.provided.values()].map((tool) => tool.name) };
    if (one.source.listFor !== undefined) target.onCallerTools();
    if (change.state === "ready" || before.state === "ready") target.onStatus(one.status);
    return one.status;
  }

  async function remove(id: string): Promise<void> {
    const one = states.get(id);
    if (one === undefined) throw new ToolError("SOURCE_FAILED", `There is no source "${id}".`);
    states.delete(id);
    one.controller.abort();
    one.cancelRetry?.();
    for (const tool of one.provided.values()) target.take(tool, id);
    one.provided.clear();
    if (one.source.listFor !== undefined) {
      withCallerTools--;
      target.onCallerTools();
    }
    target.onRemoved(id);
    try {
      one.stopWatching?.();
    } finally {
      await one.source.close?.();
    }
  }

  function toolsFor(caller: Caller): readonly ToolDefinition[] {
    const tools: ToolDefinition[] = [];
    for (const { source } of states.values()) {
      try {
        for (const shape of source.listFor?.(caller) ?? []) tools.push(readTool(shape));
      } catch (error) {
        target.onProblem(source.id, describeThrown(error));
      }
    }
    return tools;
  }

  return {
    add,
    get hasCallerTools() {
      return withCallerTools > 0;
    },
    toolsFor,
    refresh(id) {
      const one = states.get(id);
      if (one === undefined) throw new ToolError("SOURCE_FAILED", `There is no source "${id}".`);
      return readAgain(one);
    },
    remove,
    identityOf: (id) => states.get(id)?.source.identity,
    statuses: () => [...states.values()].map((one) => one.status),
    async close() {
      await Promise.allSettled([...states.keys()].map(remove));
    },
  };
}

function keyOf(tool: ToolDefinition): string {
  return `${tool.name}@${tool.version ?? ""}`;
}

/** Which tool of a list is meant: by its place where it cannot be read. */
function labelOf(shape: AnyTool, index: number): string {
  try {
    if (isToolName(shape.name)) return `Tool "${shape.name}"`;
  } catch {}
  return `Tool ${index + 1} of the list`;
}
