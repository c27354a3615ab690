import type { Logger, Registry, SourceStatus } from "@toolrack/core";

/** Tools of sources that are away now: what the ledger says that these sources had. */
export interface AbsentTools {
  /** What keeps this name from being answered now: the source whose tool it is. Undefined for tools that are there, and for other names. */
  holderOf(name: string): AbsentSource | undefined;
  /** The same for a tool by its name at its source. */
  holderAt(origin: { readonly sourceId: string; readonly tool: string }): AbsentSource | undefined;
  /**
   * Call it before a name without a tool is answered: sources that are connecting have a moment, and it is read what those that are away had.
   * Undefined if there is nothing to wait for.
   */
  lookFor(name: string): Promise<void> | undefined;
  /** Reads what the sources that are away had, without waiting for any. */
  learn(): Promise<void>;
  /** The sources that are away. */
  sources(): readonly string[];
  /** Whose connecting `lookFor` waits for. */
  gather(gathered: () => Promise<void> | undefined): void;
}

export interface AbsentSource {
  /** Its id in the registry. */
  readonly source: string;
  /** How long until it is tried again; undefined while it is connecting. */
  readonly retryAfterMs?: number;
}

export interface KnownTool {
  /** The name by which models know it. */
  readonly name: string;
  /** Its name at the source. */
  readonly at: string;
}

export interface AbsentToolsOptions {
  readonly registry: Pick<Registry, "sources" | "has">;
  /** What a source had when it was there last. */
  knownOf(source: string): Promise<readonly KnownTool[]>;
  readonly log: Logger;
  now(): number;
}

export function createAbsentTools({ registry, knownOf, log, now }: AbsentToolsOptions): AbsentTools {
  /** By source, while it is away. */
  const known = new Map<string, readonly KnownTool[]>();
  let gathered: () => Promise<void> | undefined = () => undefined;

  const away = (): readonly SourceStatus[] => registry.sources().filter(isAway);

  function find(isMeant: (tool: KnownTool, source: string) => boolean): AbsentSource | undefined {
    for (const { id, retryAt } of away()) {
      if (known.get(id)?.some((tool) => isMeant(tool, id)) !== true) continue;
      return { source: id, ...(retryAt !== undefined && { retryAfterMs: Math.max(1, Math.ceil(retryAt - now())) }) };
    }
    return undefined;
  }

  async function learn(): Promise<void> {
    const sources = away().map(({ id }) => id);
    for (const id of known.keys()) if (!sources.includes(id)) known.delete(id);
    for (const id of sources) {
      if (known.has(id)) continue;
      try {
        known.set(id, await knownOf(id));
      } catch (error) {
        log.warn("The tools of a source that is away cannot be read from the store.", { source: id, error: String(error) });
      }
    }
  }

  return {
    holderOf: (name) => find((tool) => tool.name === name),
    holderAt: ({ sourceId, tool: at }) => find((tool, source) => source === sourceId && tool.at === at),
    lookFor(name) {
      if (registry.has(name)) return undefined;
      const waits = gathered();
      if (waits !== undefined) return waits.then(() => (registry.has(name) ? undefined : learn()));
      return away().every(({ id }) => known.has(id)) ? undefined : learn();
    },
    learn,
    sources: () => away().map(({ id }) => id),
    gather(wanted) {
      gathered = wanted;
    },
  };
}

/** It failed, or was never read. */
function isAway({ state, readAt }: SourceStatus): boolean {
  return state === "failed" || readAt === undefined;
}
