import type { Registry, ToolResult } from "@toolrack/core";

/**
 * The calls that runs of this process began in one registry and have not answered yet. What is not in it, although this registry was to make it, never
 * began: so a run that was cut off goes on exactly, without a log of calls.
 */
export interface CallMemory {
  /** Tells this registry from those of other processes. */
  readonly id: string;
  begun(callId: string): Promise<ToolResult> | undefined;
  begin(callId: string, call: () => Promise<ToolResult>): Promise<ToolResult>;
  /** For calls that have their answer in the session, or were refused before they did anything. */
  forget(callIds: readonly string[]): void;
}

const memories = new WeakMap<Registry, CallMemory>();

export function callMemoryOf(registry: Registry): CallMemory {
  let memory = memories.get(registry);
  if (memory === undefined) memories.set(registry, (memory = createCallMemory()));
  return memory;
}

function createCallMemory(): CallMemory {
  const calls = new Map<string, Promise<ToolResult>>();
  return {
    id: globalThis.crypto.randomUUID(),
    begun: (callId) => calls.get(callId),
    begin(callId, call) {
      const result = call();
      calls.set(callId, result);
      return result;
    },
    forget: (callIds) => callIds.forEach((callId) => calls.delete(callId)),
  };
}
