import { errorCodes, type Logger } from "@toolrack/core";
import { type BreadcrumbStore, type CallLog, createPresence, type PresenceStatus } from "@toolrack/store";
import type { ApprovalManager } from "../approvals/approvals.ts";
import { defaultLeaseTimes, type LeaseTimes, type OwnLease } from "../cluster/lease.ts";
import { hasEnded } from "../cluster/server-name.ts";
import type { TaskRecords } from "../mcp/tasks.ts";

export interface AbandonedOptions {
  readonly store: BreadcrumbStore;
  /** That of this server. */
  readonly lease: OwnLease;
  readonly calls: CallLog;
  readonly approvals: Pick<ApprovalManager, "abandon" | "servers">;
  readonly tasks: Pick<TaskRecords, "abandon" | "servers">;
  readonly log: Logger;
  readonly times?: LeaseTimes | undefined;
  /** Told that the store failed. */
  onStoreFailed(error: unknown): void;
  /** Told each call whose server ended before it did. */
  onEnd(callId: string): void;
  /** Told each call of this server that ended with its lease, and still runs. */
  onLost(callId: string): void;
}

export interface AbandonedCalls {
  /** Tells the others that this server is there, before its first call; undefined where they know. Never rejects. */
  arrive(): Promise<void> | undefined;
  /** Looks for servers that ended and left calls behind, now. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Tells the others that this server is alive once it makes calls or has been there for a while, and takes the leases of those that are not,
 * with which their calls end: at once where the process ran on this machine, else when it has not been heard of for a while.
 */
export function followAbandoned(options: AbandonedOptions): AbandonedCalls {
  const { store, lease, calls, approvals, tasks, log, onStoreFailed, times = defaultLeaseTimes, onEnd, onLost } = options;
  const presence = createPresence(store);
  const beats = createBeats(times.silentMs);

  const stopLoss = lease.onLoss((name) => {
    const lost = calls.lost();
    log.warn("This server was out of contact for longer than its lease, and others gave up its calls. It goes on under another name.", {
      server: name,
      name: lease.name,
      running: lost.length,
    });
    for (const callId of lost) onLost(callId);
  });

  async function endServer(name: string): Promise<void> {
    const left = new Set((await calls.running({ server: name })).map(({ callId }) => callId));
    const count = await calls.abandon(name);
    const asked = await approvals.abandon(name, async (call) => {
      const meta = { callId: call.callId, tool: call.tool, durationMs: 0 };
      const error = "The server ended while the call waited for a person. The tool did not run.";
      const { status } = errorCodes.ABORTED;
      // A handler that asked was running, and has its line already.
      await calls.recordOnce({ ...call, result: { ok: false, error, code: "ABORTED", status, retryable: true, meta } });
    });
    const ended = await tasks.abandon(name);
    for (const callId of new Set([...left, ...asked])) onEnd(callId);
    if (count + asked.length + ended > 0)
      log.warn("Calls of a server that ended were written down as aborted.", {
        server: name,
        running: count,
        asking: asked.length,
        tasks: ended,
      });
  }

  async function sweep(): Promise<void> {
    // In this order: whoever had a call by then has reported before, and is on the list.
    const busy = [...(await calls.running()).map(({ server }) => server), ...approvals.servers(), ...tasks.servers()];
    const servers = await presence.list();
    beats.note(servers);
    for (const name of new Set([...servers.map((one) => one.name), ...busy])) {
      if (name !== "" && name !== lease.name && (hasEnded(name) || beats.isSilent(name))) await endServer(name);
    }
  }

  const arrive = (): Promise<void> | undefined => lease.arrive()?.catch(onStoreFailed);

  let beating: Promise<void> | undefined;
  const timer = setInterval(() => {
    beating = (beating ?? Promise.resolve())
      .then(() => lease.beat())
      .catch(onStoreFailed)
      .then(sweep)
      .catch(onStoreFailed);
  }, times.beatMs);
  timer.unref();
  return {
    arrive,
    sweep,
    async close() {
      clearInterval(timer);
      await beating;
      stopLoss();
      await calls.flush(); // under the lease, which then ends
      await lease.close();
    },
  };
}

/** When each of the others was last heard of, by the clock of this server: theirs may be wrong. */
function createBeats(silentMs: number) {
  const heard = new Map<string, { readonly lastSeen: string; readonly at: number }>();
  let lookedAt = Number.NEGATIVE_INFINITY;
  return {
    note(servers: readonly PresenceStatus[]): void {
      const now = performance.now();
      // Who did not look for a while, because it was paused or the store was away, knows nothing of the silence of others.
      const hasGap = now - lookedAt > silentMs / 2;
      lookedAt = now;
      const known = new Set(servers.map(({ name }) => name));
      for (const name of heard.keys()) if (!known.has(name)) heard.delete(name);
      for (const { name, lastSeen } of servers)
        if (hasGap || heard.get(name)?.lastSeen !== lastSeen) heard.set(name, { lastSeen, at: now });
    },
    /** Also one that is not on the list: whoever has calls was there before. */
    isSilent: (name: string): boolean => (heard.get(name)?.at ?? Number.NEGATIVE_INFINITY) < performance.now() - silentMs,
  };
}
