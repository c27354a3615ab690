import type { Capabilities } from "@toolrack/core/node";

/** Whether a worker is there that has a tool, and when one was last heard of. */
export type Liveness = (tool: string) => { readonly isAlive: boolean; readonly lastSeen?: number };

/** What tools of pools need: a worker. Each pool says whether one is there. */
export interface WorkerChecks {
  readonly pools: Map<string, Liveness>;
  /** The given capabilities, and "worker:<source>/<tool>". */
  within(capabilities: Capabilities): Capabilities;
}

/** The capability that a tool of a pool requires. */
export function workerCapability(source: string, tool: string): string {
  return `worker:${source}/${tool}`;
}

export function createWorkerChecks(): WorkerChecks {
  const pools = new Map<string, Liveness>();

  function read(name: string): { readonly source: string; readonly state: ReturnType<Liveness> } | undefined {
    const [, source, tool] = /^worker:([^/]+)\/(.+)$/.exec(name) ?? [];
    const liveness = source === undefined ? undefined : pools.get(source);
    return liveness && { source: source!, state: liveness(tool!) };
  }

  return {
    pools,
    within: (capabilities) => ({
      knows: (name) => read(name) !== undefined || capabilities.knows(name),
      has: (name) => read(name)?.state.isAlive ?? capabilities.has(name),
      remedy(name) {
        const found = read(name);
        if (found === undefined) return capabilities.remedy(name);
        const { lastSeen } = found.state;
        const since = lastSeen === undefined ? "none was seen yet" : `the last one was seen at ${new Date(lastSeen).toISOString()}`;
        return `Start a worker of the source "${found.source}" that has it: ${since}.`;
      },
      names: () => capabilities.names(),
    }),
  };
}
