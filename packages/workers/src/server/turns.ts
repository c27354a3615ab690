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
  give(worker: KnownWorker): void;
  refuse(error: ToolError): void;
}

export function createTurns({ roster, pool, maxWaiting }: TurnsOptions): Turns {
  /** The calls that wait, by caller; the caller whose turn is next comes first. */
  const waiting = new Map<string, Waiting[]>();
  let count = 0;

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
    /** A call that waits for one tool does not hold up another one of its caller. */
    function nextOf(calls: readonly Waiting[]): { readonly call: Waiting; readonly worker: KnownWorker | "none" } | undefined {
      for (const call of calls) {
        const wanted = `${call.hash} ${call.tool}`;
        const worker = full.has(wanted) ? "full" : choose(call.tool, call.hash);
        if (worker !== "full") return { call, worker };
        full.add(wanted);
      }
      return undefined;
    }

    for (let isGiven = true; isGiven && count > 0;) {
      isGiven = false;
      for (const [caller, calls] of Array.from(waiting)) {
        const next = nextOf(calls);
        if (next === undefined) continue;
        const { call, worker } = next;
        // Whoever got a turn is the last in the next round.
        waiting.delete(caller);
        if (calls.length > 1)
          waiting.set(
            caller,
            calls.filter((one) => one !== call),
          );
        count -= 1;
        isGiven = true;
        if (worker === "none") call.refuse(away(call.tool));
        else call.give(worker);
      }
    }
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
          const calls = waiting.get(caller) ?? [];
          const left = calls.filter((one) => one !== call);
          if (left.length === calls.length) return;
          if (left.length === 0) waiting.delete(caller);
          else waiting.set(caller, left);
          count -= 1;
          reject(signal.reason as Error);
        };
        const call: Waiting = {
          tool,
          hash,
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
        waiting.set(caller, [...(waiting.get(caller) ?? []), call]);
        count += 1;
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
