import type { AnyTool, ToolSource } from "@toolrack/core";
import { definitionPrint } from "@toolrack/core/internal";
import type { ToolLock } from "@toolrack/core/trust";
import { readName } from "./overlay-origins.ts";
import { readSeen, type SeenTool } from "./seen.ts";

/** What sources list, before anything is held, granted or changed here. */
export interface SeenTools {
  through(source: ToolSource): ToolSource;
  /** The name that a tool has at its source, also where the lock shows its approved text; undefined for what is no tool. */
  nameOf(source: ToolSource, shape: AnyTool): string | undefined;
  /** The print of the definition that the source has now. */
  printOf(source: ToolSource, shape: AnyTool): string;
  /** The tools of others, or with `all` every tool, as a lock. `from` says what a source starts or talks to. */
  lock(options: { readonly all: boolean; readonly from: (sourceId: string) => Readonly<Record<string, unknown>> }): Promise<ToolLock>;
}

export function createSeenTools(): SeenTools {
  /** By source, then by the name of the tool here: of two with one name, the first is served. */
  const listed = new Map<string, ReadonlyMap<string, SeenTool>>();
  /** By source: the very tools that it lists. */
  const shapes = new Map<string, ReadonlySet<AnyTool>>();

  /** The tool itself; for one that shows an earlier definition, the tool that it stands for. */
  function find({ id }: ToolSource, shape: AnyTool): SeenTool | undefined {
    const name = readName(shape);
    const isListed = shapes.get(id)?.has(shape) === true;
    return (isListed || name === undefined ? undefined : listed.get(id)?.get(name)) ?? readSeen(shape);
  }

  return {
    through: (source) => ({
      id: source.id,
      ...(source.identity !== undefined && { identity: source.identity }),
      async list(options) {
        const tools = await source.list(options);
        if (Array.isArray(tools)) {
          listed.set(
            source.id,
            new Map(
              tools
                .flatMap(readSeenOf)
                .toReversed()
                .map((one) => [one.tool.name, one]),
            ),
          );
          shapes.set(source.id, new Set(tools));
        }
        return tools;
      },
      ...(source.listFor && { listFor: (caller) => source.listFor!(caller) }),
      watch(onChange) {
        const stop = source.watch?.(onChange);
        return () => {
          listed.delete(source.id);
          shapes.delete(source.id);
          stop?.();
        };
      },
      ...(source.close && { close: () => source.close!() }),
    }),
    nameOf: (source, shape) => find(source, shape)?.name,
    printOf: (source, shape) => definitionPrint(find(source, shape)?.definition),
    async lock({ all, from }) {
      // Comparing definitions needs the scanner, which nothing else at the start does.
      const { createLock } = await import("@toolrack/core/trust");
      const locked = [...listed].filter(([id]) => all || isForeign(id));
      return createLock(
        locked.map(([id, tools]) => ({
          id,
          from: from(id),
          tools: new Map([...tools.values()].map(({ name, definition }) => [name, definition])),
        })),
      );
    },
  };
}

function readSeenOf(shape: AnyTool): readonly SeenTool[] {
  const seen = readSeen(shape);
  return seen === undefined ? [] : [seen];
}

/** Packs come with the version of Toolrack, modules are in the repository, and records have a history of their own. */
function isForeign(sourceId: string): boolean {
  return sourceId.includes(":") && !sourceId.startsWith("module:");
}
