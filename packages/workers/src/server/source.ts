import { type AnyTool, type CallContext, defineTool, type HandlerReturn, type Logger, ToolError, type ToolSource } from "@toolrack/core";
import type { Link } from "../link/link.ts";
import { readKeys } from "../protocol/identity.ts";
import type { Task } from "../protocol/messages.ts";
import { createDirectory, type Directory } from "./directory.ts";
import { createRemoteCall, lost, WorkerGone } from "./remote-call.ts";
import { type AnnouncedTool, factsOf, type WorkerFacts } from "./roster.ts";
import { createTurns } from "./turns.ts";

export interface WorkerSourceOptions {
  readonly link: Link;
  /** The id of the source is "workers:" and this. */
  readonly pool: string;
  /** The private key of this server. */
  readonly privateKey: string;
  /** The public keys of the workers. */
  readonly workers: readonly string[];
  /** How long an offer waits for an answer of a worker. @default 2000 */
  readonly offerMs?: number;
  /** After so long without a message, a worker is lost. Workers send one every second. @default 4000 */
  readonly silentMs?: number;
  /** How long a tool stays listed that only lost workers had. @default 30000 */
  readonly graceMs?: number;
  /** How many calls may wait for a free slot. @default 1000 */
  readonly maxWaiting?: number;
  readonly log?: Logger;
  now?(): number;
}

export interface WorkerSource extends ToolSource {
  /** The workers that are there, and how they are doing. */
  workers(): readonly WorkerFacts[];
  /** Whether a worker is there that has the tool; where none is, when one was last heard of. Costs the same for any number of workers. */
  liveness(tool: string): { readonly isAlive: boolean; readonly lastSeen?: number };
  /** Workers that are refused, each with the reason and the fix. */
  problems(): readonly string[];
  /** Asks a worker to take no more calls, and to end when those that it has have ended. Answers whether it is known. */
  drain(instance: string): boolean;
}

/** An offer that nobody answered is made again so often, to another worker if there is one. */
const maxSilent = 3;
/** A call that may be repeated is repeated so often when its worker is lost. */
const maxLost = 3;

/** The tools of a pool of workers, as a source. Only the handlers run there; everything else of a call happens here. */
export function workerSource(options: WorkerSourceOptions): WorkerSource {
  const { link, pool, offerMs = 2_000, silentMs = 4_000, graceMs = 30_000, maxWaiting = 1_000, now = Date.now } = options;
  const watchers = new Set<() => void>();
  const directory: Directory = createDirectory({
    link,
    pool,
    keys: readKeys(options.privateKey),
    trusted: options.workers,
    silentMs,
    graceMs,
    now,
    onTools: () => watchers.forEach((watcher) => watcher()),
    onRoom: () => turns.look(),
    ...(options.log !== undefined && { log: options.log }),
  });
  const turns = createTurns({ roster: directory.roster, pool, maxWaiting });
  let known = new Map<string, AnyTool>();

  function define({ card, hash }: AnnouncedTool): AnyTool {
    const { annotations, limits } = (card.metadata ?? {}) as NonNullable<Parameters<typeof defineTool>[0]["metadata"]>;
    const mayRepeat = annotations?.idempotent === true || annotations?.readOnly === true;
    return defineTool({
      ...card,
      handler: (input: unknown, context: CallContext) =>
        call(card.name, hash, { input, context, mayRepeat, timeoutMs: limits?.timeoutMs || undefined }),
    } as never) as AnyTool;
  }

  interface Wanted {
    readonly input: unknown;
    readonly context: CallContext;
    /** Whether running it twice is harmless. */
    readonly mayRepeat: boolean;
    readonly timeoutMs: number | undefined;
  }

  async function call(tool: string, hash: string, { input, context, mayRepeat, timeoutMs }: Wanted): Promise<HandlerReturn> {
    const { callId, caller, config, trace } = context;
    const task: Task = {
      callId,
      input,
      caller,
      ...(config !== undefined && { config }),
      ...(trace !== undefined && { trace }),
      ...(timeoutMs !== undefined && { timeoutMs }),
    };
    for (let silent = 0, gone = 0; ;) {
      if (!link.isConnected) throw unreachable(tool);
      const worker = await turns.take(callerKey(context), tool, hash, context.signal);
      const remote = createRemoteCall({
        tool,
        hash,
        context,
        task,
        offerMs,
        agree: (id, own, theirs) => directory.agree(worker, id, own, theirs),
        send: (message) => directory.send(worker, message),
        listen: (id, listener) => directory.listen(worker, id, listener),
        onLost: (listener) => directory.onLost(worker, listener),
      });
      try {
        const outcome = await remote.offer();
        if (outcome === "accepted") return await remote.run();
        if (outcome === "full" || outcome === "draining") worker.state = outcome;
        if (outcome === "definition") throw unreachable(tool);
        if (outcome !== "silent") continue;
        remote.drop(); // an answer that comes later finds nobody
        silent += 1;
        if (silent >= maxSilent) throw unreachable(tool);
      } catch (error) {
        if (!(error instanceof WorkerGone)) throw error;
        gone += 1;
        if (!mayRepeat || gone >= maxLost) throw lost(tool);
      } finally {
        turns.end(worker);
      }
    }
  }

  function unreachable(tool: string): ToolError {
    const fact = link.isConnected ? "no worker answers" : "the broker cannot be reached";
    return new ToolError("TOOL_UNAVAILABLE", `Tool "${tool}" runs on workers of pool "${pool}", and ${fact}. Call again later.`, {
      retryable: true,
    });
  }

  return {
    id: `workers:${pool}`,
    identity: `workers:${pool}:${[...options.workers].sort().join(",")}`,
    async list({ signal }) {
      await directory.open(signal);
      const next = new Map<string, AnyTool>();
      for (const [name, announced] of directory.tools())
        next.set(`${name} ${announced.hash}`, known.get(`${name} ${announced.hash}`) ?? define(announced));
      known = next;
      return [...next.values()];
    },
    watch(onChange) {
      const watcher = (): void => onChange();
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    workers: () => [...directory.roster.workers.values()].map(factsOf),
    liveness(tool) {
      if (directory.roster.having(tool).size > 0) return { isAlive: true };
      const lastSeen = directory.lastSeen(tool);
      return { isAlive: false, ...(lastSeen !== undefined && { lastSeen }) };
    },
    problems: () => directory.problems(),
    drain: (instance) => directory.drain(instance),
    close: () => directory.close(),
  };
}

/** Whose turn it is: a tenant's, else a principal's or an agent's. */
function callerKey({ caller }: CallContext): string {
  return caller.tenant ?? caller.principal ?? caller.agent ?? "";
}
