import type { Link } from "@toolrack/workers";
import type { Hub } from "@toolrack/workers/hub";

/** The way of workers to this server where there is no broker: a WebSocket each. */
export interface WorkerHub {
  /** Whether a pool takes workers this way. */
  isUsed(): boolean;
  /** A link of the server for the workers with these keys. Nothing is loaded before the first one. */
  connect(pool: string, keys: readonly string[]): Promise<Link>;
  /** Takes the connections of workers; undefined before the first link. */
  hub(): Hub | undefined;
  /** Ends the connections of all workers. */
  disconnect(): void;
}

export function createWorkerHub(): WorkerHub {
  const pools = new Set<{ readonly pool: string; readonly keys: ReadonlySet<string> }>();
  let opening: Promise<Hub> | undefined;
  let opened: Hub | undefined;

  async function open(): Promise<Hub> {
    const { createHub } = await import("@toolrack/workers/hub");
    const poolsOf = (key: string): string[] => [...pools].filter(({ keys }) => keys.has(key)).map(({ pool }) => pool);
    return (opened = createHub({ poolsOf }));
  }

  return {
    isUsed: () => pools.size > 0,
    async connect(pool, keys) {
      const link = (await (opening ??= open())).connect();
      const entry = { pool, keys: new Set(keys) };
      pools.add(entry);
      return new Proxy(link, {
        get(target, name) {
          if (name !== "close") return Reflect.get(target, name) as unknown;
          return async () => {
            pools.delete(entry);
            await target.close();
          };
        },
      });
    },
    hub: () => opened,
    disconnect: () => opened?.disconnect(),
  };
}
