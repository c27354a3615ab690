import { type Caller, ToolError } from "@toolrack/core";
import type { Canvas, CanvasHost, CanvasInfo } from "./host.ts";

export interface MemoryCanvases extends CanvasHost {
  /** Those of every caller, to be shown. */
  all(): readonly Canvas[];
}

/** Canvases that live as long as the process. */
export function createMemoryCanvases({ perCaller = 50 }: { readonly perCaller?: number } = {}): MemoryCanvases {
  const held = new Map<string, Map<string, Canvas>>();
  const of = (caller: Caller): Map<string, Canvas> => {
    const key = JSON.stringify([caller.tenant ?? "", caller.principal ?? "", caller.agent ?? ""]);
    const own = held.get(key) ?? new Map<string, Canvas>();
    held.set(key, own);
    return own;
  };
  return {
    async put({ caller }, canvas) {
      const own = of(caller);
      if (!own.has(canvas.id) && own.size >= perCaller)
        throw new ToolError("RATE_LIMITED", `There are ${own.size} canvases already. Hide one with the action "hide".`);
      const kept = { ...canvas, updatedAt: new Date().toISOString() };
      own.delete(canvas.id);
      own.set(canvas.id, kept);
      return kept;
    },
    get: async ({ caller }, id) => of(caller).get(id),
    list: async ({ caller }) => [...of(caller).values()].reverse().map(toInfo),
    remove: async ({ caller }, id) => of(caller).delete(id),
    all: () => [...held.values()].flatMap((own) => [...own.values()]),
  };
}

function toInfo({ id, title, updatedAt }: Canvas): CanvasInfo {
  return { id, title, updatedAt };
}
