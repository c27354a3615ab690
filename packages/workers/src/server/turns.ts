import { ToolError } from "@toolrack/core";
import type { KnownWorker, Roster } from "./roster.ts";

/** Gives calls to workers with a free slot. Where all are taken, callers get their turns one after the other, however many calls each has. */
export interface Turns {
  /** A worker that has the definition and a free slot, which is taken from then on. */
  take(caller: string, tool: string, hash: string, signal: AbortSignal): Promise<KnownWorker>;
  /** Frees the slot. */
  end(worker: KnownWorker): void;
  /** Something changed: more workers, or free slots. */
  look(): void;
}

export interface TurnsOptions {
  readonly roster: Roster;
  /** What the workers are called in messages: `The pool "web"`. */
  readonly pool: string;
  readonly maxWaiting: number;
}

interface Waiting {
  readonly tool: string;
  readonly hash: string;
  /** Which of all calls it was. */
  readonly number: number;
  give(worker: KnownWorker): void;
  refuse(error: ToolError): void;
}

export function createTurns({ roster, pool, maxWaiting }: TurnsOptions): Turns {
  /** The calls that wait, by caller and definition; the caller whose turn is next comes first. */
  const waiting = new Map<string, Map<string, Waiting[]>>();
  let count = 0;
  let last = 0;

  /** The worker with the most room; "none" if no worker has this definition. */
  function choose(tool: string, hash: string): KnownWorker | "none" | "full" {
    let best: KnownWorker | undefined;
    let exists = false;
    for (const worker of roster.having(tool)) {
      if (worker.tools.get(tool)?.hash !== hash || worker.state === "draining" || worker.state === "gone") continue;
      exists = true;
      if (worker.state === "full" || worker.taken >= worker.slots) continue;
      if (best === undefined || worker.taken / worker.slots < best.taken / best.slots) best = worker;
    }
    return best ?? (exists ? "full" : "none");
  }

  const away = (tool: string): ToolError =>
    new ToolError("TOOL_UNAVAILABLE", `Pool "${pool}" has no worker for "${tool}" now. Start one, or call again later.`, {
      retryable: true,
    });

  function look(): void {
    /** What no worker has room for; while this looks, none gets any. */
    const full = new Set<string>();
    for (let isGiven = true; isGiven && count > 0;) {
      isGiven = false;
      for (const caller of Array.from(waiting.keys())) {
        const next = nextOf(caller, full);
        if (next === undefined) continue;
        const { call, worker } = next;
        // Whoever got a turn is the last in the next round.
        const left = remove(caller, call);
        waiting.delete(caller);
        if (left !== undefined) waiting.set(caller, left);
        isGiven = true;
        if (worker === "none") call.refuse(away(call.tool));
        else call.give(worker);
      }
    }
  }

  /** The oldest call of a caller for which there is room, or no worker: one that waits for a tool does not hold up another tool. */
  function nextOf(caller: string, full: Set<string>): { readonly call: Waiting; readonly worker: KnownWorker | "none" } | undefined {
    let next: { readonly call: Waiting; readonly worker: KnownWorker | "none" } | undefined;
    for (const [wanted, [call]] of waiting.get(caller) ?? []) {
      if (call === undefined || full.has(wanted) || (next !== undefined && next.call.number < call.number)) continue;
      const worker = choose(call.tool, call.hash);
      if (worker === "full") full.add(wanted);
      else next = { call, worker };
    }
    return next;
  }

  function add(caller: string, call: Waiting): void {
    const wanted = wantedBy(call);
    const calls = waiting.get(caller) ?? new Map<string, Waiting[]>();
    waiting.set(caller, calls);
    const same = calls.get(wanted);
    if (same === undefined) calls.set(wanted, [call]);
    else same.push(call);
    count += 1;
  }

  /** What is left of the caller's calls. */
  function remove(caller: string, call: Waiting): Map<string, Waiting[]> | undefined {
    const calls = waiting.get(caller);
    const same = calls?.get(wantedBy(call));
    const at = same?.indexOf(call) ?? -1;
    if (calls === undefined || same === undefined || at < 0) return calls;
    count -= 1;
    same.splice(at, 1);
    if (same.length === 0) calls.delete(wantedBy(call));
    if (calls.size > 0) return calls;
    waiting.delete(caller);
    return undefined;
  }

  return {
    async take(caller, tool, hash, signal) {
      signal.throwIfAborted();
      // Nobody passes those who wait.
      const worker = count === 0 ? choose(tool, hash) : choose(tool, hash) === "none" ? "none" : "full";
      if (worker === "none") throw away(tool);
      if (worker !== "full") {
        worker.taken += 1;
        return worker;
      }
      if (count >= maxWaiting)
        throw new ToolError(
          "QUEUE_FULL",
          `${count} calls wait for a worker of pool "${pool}" already, and no more may. Call again later.`,
          { retryable: true },
        );
      return new Promise<KnownWorker>((resolve, reject) => {
        const leave = (): void => {
          remove(caller, call);
          reject(signal.reason as Error);
        };
        const call: Waiting = {
          tool,
          hash,
          number: (last += 1),
          give(given) {
            signal.removeEventListener("abort", leave);
            given.taken += 1;
            resolve(given);
          },
          refuse(error) {
            signal.removeEventListener("abort", leave);
            reject(error);
          },
        };
        signal.addEventListener("abort", leave, { once: true });
        add(caller, call);
        look();
      });
    },
    end(worker) {
      worker.taken = Math.max(worker.taken - 1, 0);
      // The announcement may have been replaced meanwhile.
      const current = roster.workers.get(worker.sender.instance);
      if (current !== undefined && current !== worker) current.taken = Math.max(current.taken - 1, 0);
      look();
    },
    look,
  };
}

function wantedBy({ tool, hash }: Waiting): string {
  return `${hash} ${tool}`;
}
