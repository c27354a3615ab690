import type { AnyTool, ToolSource } from "@toolrack/core";
import type { ToolLock } from "@toolrack/core/trust";
import { definitionOf, nameOf } from "./overlay-origins.ts";

/** What sources list, before anything is held, granted or changed here. */
export interface SeenTools {
  through(source: ToolSource): ToolSource;
  /** The tools of others, or with `all` every tool, as a lock. `from` says what a source starts or talks to. */
  lock(options: { readonly all: boolean; readonly from: (sourceId: string) => Readonly<Record<string, unknown>> }): Promise<ToolLock>;
}

export function createSeenTools(): SeenTools {
  const listed = new Map<string, readonly AnyTool[]>();
  return {
    through: (source) => ({
      id: source.id,
      ...(source.identity !== undefined && { identity: source.identity }),
      async list(options) {
        const tools = await source.list(options);
        if (Array.isArray(tools)) listed.set(source.id, tools);
        return tools;
      },
      ...(source.listFor && { listFor: (caller) => source.listFor!(caller) }),
      watch(onChange) {
        const stop = source.watch?.(onChange);
        return () => {
          listed.delete(source.id);
          stop?.();
        };
      },
      ...(source.close && { close: () => source.close!() }),
    }),
    async lock({ all, from }) {
      // Comparing definitions needs the scanner, which nothing else at the start does.
      const { createLock } = await import("@toolrack/core/trust");
      return createLock(
        [...listed]
          .filter(([id]) => all || isForeign(id))
          .map(([id, tools]) => ({
            id,
            from: from(id),
            tools: new Map(tools.flatMap((shape) => (nameOf(shape) === undefined ? [] : [[nameOf(shape)!, definitionOf(shape)] as const]))),
          })),
      );
    },
  };
}

/** Packs come with the version of Toolrack, modules are in the repository, and records have a history of their own. */
function isForeign(sourceId: string): boolean {
  return sourceId.includes(":") && !sourceId.startsWith("module:");
}
