import type { AnyTool, ToolSource } from "@toolrack/core";

export interface SourceStep {
  /** What is shown of the tools; the same array where nothing changes. */
  show(source: ToolSource, tools: readonly AnyTool[]): readonly AnyTool[];
  /** Called with each list that the source gives. */
  onList?(source: ToolSource, tools: readonly AnyTool[]): void;
  onRemoved?(source: ToolSource): void;
  /** Lets the registry read the list of a source again. */
  refresh(sourceId: string): Promise<unknown>;
}

/** A step between sources and the registry, which can show the tools anew without asking the sources. */
export interface SourceSteps {
  through(source: ToolSource): ToolSource;
  /** Shows the tools of a source, or of all, as they should be now; resolves when they are. */
  again(sourceId?: string): Promise<void>;
}

export function createSourceSteps({ show, onList, onRemoved, refresh }: SourceStep): SourceSteps {
  /** By source: lets its next list be the one that is known. */
  const known = new Map<string, () => void>();
  return {
    through(source) {
      let listed: readonly AnyTool[] | undefined;
      let isKnown = false;
      return {
        id: source.id,
        ...(source.identity !== undefined && { identity: source.identity }),
        async list(options) {
          const isAsked = !isKnown || listed === undefined;
          isKnown = false;
          if (isAsked) {
            const tools = await source.list(options);
            // What is no list is reported by the registry.
            if (!Array.isArray(tools)) return tools;
            listed = tools;
            onList?.(source, listed);
          }
          return show(source, listed!);
        },
        ...(source.listFor && { listFor: (caller) => show(source, source.listFor!(caller)) }),
        watch(onChange) {
          const stop = source.watch?.(() => {
            isKnown = false;
            onChange();
          });
          known.set(source.id, () => void (isKnown = true));
          return () => {
            known.delete(source.id);
            onRemoved?.(source);
            stop?.();
          };
        },
        ...(source.close && { close: () => source.close!() }),
      };
    },
    async again(sourceId) {
      for (const [id, useKnown] of known) {
        if (sourceId !== undefined && sourceId !== id) continue;
        useKnown();
        await refresh(id);
      }
    },
  };
}
