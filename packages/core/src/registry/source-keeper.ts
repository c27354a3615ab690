import { ToolError } from "../errors.ts";
import type { SourceStatus, ToolSource } from "../sources/source.ts";
import { describeThrown } from "../tool/result.ts";
import { type AnyTool, readTool } from "../tool/shapes.ts";
import type { ToolDefinition } from "../tool/tool.ts";

/** What the keeper does to the registry that it feeds. */
export interface SourceTarget {
  /** Hangs a tool up; throws where the name is taken by another source. */
  put(tool: ToolDefinition, source: string): void;
  /** Takes that very tool off, where it still hangs because of this source. */
  take(tool: ToolDefinition, source: string): void;
  now(): number;
  onStatus(status: SourceStatus): void;
}

export interface SourceKeeper {
  add(source: ToolSource): Promise<SourceStatus>;
  /** Reads a source again, now. */
  refresh(id: string): Promise<SourceStatus>;
  remove(id: string): Promise<void>;
  statuses(): readonly SourceStatus[];
  close(): Promise<void>;
}

interface Kept {
  readonly source: ToolSource;
  /** Tools that hang because of this source, by name and version. */
  readonly hung: Map<string, ToolDefinition>;
  status: SourceStatus;
  readonly controller: AbortController;
  stopWatching: (() => void) | undefined;
  /** The reading under way, and whether another one was asked for meanwhile. */
  reading: Promise<SourceStatus> | undefined;
  again: boolean;
}

/**
 * Keeps a registry in step with its sources. A source that fails keeps its last-known tools and harms no other; a bad tool
 * is left out alone; of two sources with one name the first keeps it.
 */
export function createSourceKeeper(target: SourceTarget): SourceKeeper {
  const kept = new Map<string, Kept>();

  function add(source: ToolSource): Promise<SourceStatus> {
    if (kept.has(source.id))
      throw new ToolError("NAME_TAKEN", `A source "${source.id}" is already there. Remove it first, or choose another id.`);
    const one: Kept = {
      source,
      hung: new Map(),
      status: { id: source.id, state: "ready", tools: [], problems: [] },
      controller: new AbortController(),
      stopWatching: undefined,
      reading: undefined,
      again: false,
    };
    kept.set(source.id, one);
    try {
      one.stopWatching = source.watch?.(() => void read(one));
    } catch (error) {
      report(one, { state: "failed", error: `It cannot be watched: ${describeThrown(error)}` });
    }
    return read(one);
  }

  /** Readings of one source never overlap; changes reported during one lead to a single further one. */
  function read(one: Kept): Promise<SourceStatus> {
    if (one.reading !== undefined) {
      one.again = true;
      return one.reading;
    }
    one.reading = readOnce(one).finally(() => {
      one.reading = undefined;
      if (!one.again || one.controller.signal.aborted) return;
      one.again = false;
      void read(one);
    });
    return one.reading;
  }

  async function readOnce(one: Kept): Promise<SourceStatus> {
    let tools: readonly AnyTool[];
    try {
      tools = await one.source.list({ signal: one.controller.signal });
      if (!Array.isArray(tools)) throw new TypeError("its list is not an array");
    } catch (error) {
      return report(one, { state: "failed", error: describeThrown(error) });
    }
    if (one.controller.signal.aborted) return one.status;
    return report(one, { state: "ready", problems: hang(one, tools), readAt: target.now() });
  }

  function hang(one: Kept, shapes: readonly AnyTool[]): string[] {
    const problems: string[] = [];
    const seen = new Set<string>();
    for (const [index, shape] of shapes.entries()) {
      try {
        const tool = readTool(shape);
        const key = keyOf(tool);
        if (seen.has(key)) throw new ToolError("NAME_TAKEN", `The source lists tool "${tool.name}" twice.`);
        seen.add(key);
        if (one.hung.get(key) === tool) continue;
        target.put(tool, one.source.id);
        one.hung.set(key, tool);
      } catch (error) {
        problems.push(`Tool ${index} was left out: ${describeThrown(error)}`);
      }
    }
    for (const [key, tool] of one.hung) {
      if (seen.has(key)) continue;
      one.hung.delete(key);
      target.take(tool, one.source.id);
    }
    return problems;
  }

  function report(one: Kept, change: Pick<SourceStatus, "state"> & Partial<SourceStatus>): SourceStatus {
    const { error: _, ...before } = one.status;
    one.status = { ...before, ...change, tools: [...one.hung.values()].map((tool) => tool.name) };
    target.onStatus(one.status);
    return one.status;
  }

  async function remove(id: string): Promise<void> {
    const one = kept.get(id);
    if (one === undefined) throw new ToolError("SOURCE_FAILED", `There is no source "${id}".`);
    kept.delete(id);
    one.controller.abort();
    for (const tool of one.hung.values()) target.take(tool, id);
    one.hung.clear();
    try {
      one.stopWatching?.();
    } finally {
      await one.source.close?.();
    }
  }

  return {
    add,
    refresh(id) {
      const one = kept.get(id);
      if (one === undefined) throw new ToolError("SOURCE_FAILED", `There is no source "${id}".`);
      return read(one);
    },
    remove,
    statuses: () => [...kept.values()].map((one) => one.status),
    async close() {
      await Promise.allSettled([...kept.keys()].map(remove));
    },
  };
}

function keyOf(tool: ToolDefinition): string {
  return `${tool.name}@${tool.version ?? ""}`;
}
