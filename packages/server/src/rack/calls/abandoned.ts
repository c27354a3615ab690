import { errorCodes, type Logger } from "@toolrack/core";
import { type BreadcrumbStore, type CallLog, createLeases, createPresence, type PresenceStatus } from "@toolrack/store";
import type { ApprovalManager } from "../approvals/approvals.ts";
import { createDuty } from "../cluster/duty.ts";
import { defaultLeaseTimes, type LeaseTimes, type OwnLease } from "../cluster/lease.ts";
import { hasEnded } from "../cluster/server-name.ts";
import type { ProgramManager } from "../programs/create-programs.ts";
import type { TaskManager } from "../mcp/task-manager.ts";

export interface AbandonedOptions {
  readonly store: BreadcrumbStore;
  /** The lease of this server. */
  readonly lease: OwnLease;
  readonly calls: CallLog;
  readonly approvals: Pick<ApprovalManager, "abandon" | "servers">;
  readonly programs: Pick<ProgramManager, "abandon" | "servers">;
  readonly tasks: Pick<TaskManager, "abandon" | "servers">;
  readonly log: Logger;
  readonly times?: LeaseTimes | undefined;
  /** Called when the store failed. */
  onStoreFailed(error: unknown): void;
  /** Called for each server that ended without a word, whose lease this one took. */
  onTaken?(): void;
  /** Called after each look for servers that ended, on the one server of the store that looks. */
  onSwept?(): Promise<void>;
  /** Called after each report of this server. */
  onBeat?(): Promise<void>;
  /** Called for each call whose server ended before the call did. */
  onEnd(callId: string): void;
  /** Called for each call of this server that was ended together with its lease, and still runs. */
  onLost(callId: string): void;
}

export interface AbandonedCalls {
  /** Announces this server to the others, before its first call; undefined if they know it. Never rejects. */
  arrive(): Promise<void> | undefined;
  /** Looks now for servers that ended and left calls behind, whoever else looks. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Announces that this server is alive once it makes calls or has run for a while, and takes over the leases of servers that are not alive,
 * which ends their calls: at once if the process ran on this machine, otherwise after a period of silence. The silence is judged, and whatever
 * else was left behind is looked for, by one server of the store: whoever holds the lease "sweep".
 */
export function followAbandoned(options: AbandonedOptions): AbandonedCalls {
  const {
    store,
    lease,
    calls,
    approvals,
    programs,
    tasks,
    log,
    onStoreFailed,
    times = defaultLeaseTimes,
    onEnd,
    onLost,
    onSwept,
    onBeat,
    onTaken,
  } = options;
  const presence = createPresence(store);
  const duty = createDuty({ leases: createLeases(store), name: "sweep", holder: () => lease.name, ttlMs: 2 * times.beatMs });
  const beats = createBeats(times.silentMs);

  const stopLoss = lease.onLoss((name) => {
    const lost = calls.lost();
    log.warn(
      "This server was out of contact for longer than its lease, and other servers ended its calls. It continues under another name.",
      {
        before: name,
        name: lease.name,
        running: lost.length,
      },
    );
    for (const callId of lost) onLost(callId);
  });

  async function endServer(name: string, isListed: boolean): Promise<void> {
    const left = new Set((await calls.running({ server: name })).map(({ callId }) => callId));
    const count = await calls.abandon(name);
    if (isListed) onTaken?.();
    const asked = await approvals.abandon(name, async (call) => {
      const meta = { callId: call.callId, tool: call.tool, durationMs: 0 };
      const error = "The server ended while the call waited for a person. The tool did not run.";
      const { status } = errorCodes.ABORTED;
      // A handler that asked was running, and its start is recorded already.
      await calls.recordOnce({ ...call, result: { ok: false, error, code: "ABORTED", status, retryable: true, meta } });
    });
    const taken = await tasks.abandon(name);
    for (const callId of new Set([...left, ...asked])) onEnd(callId);
    // Last: they go on with what is known of their calls.
    await programs.abandon(name);
    if (count + asked.length + taken > 0)
      log.warn("Calls of a server that ended were recorded as aborted.", {
        ofServer: name,
        running: count,
        asking: asked.length,
        tasks: taken,
      });
  }

  async function sweep(): Promise<void> {
    // In this order: a server with a call has announced itself before, and is on the list.
    const busy = [
      ...(await calls.running()).map(({ server }) => server),
      ...approvals.servers(),
      ...(await tasks.servers()),
      ...programs.servers(),
    ];
    const servers = await presence.list();
    beats.note(servers);
    const listed = new Set(servers.map((one) => one.name));
    for (const name of new Set([...listed, ...busy])) {
      if (name !== "" && name !== lease.name && (hasEnded(name) || beats.isSilent(name))) await endServer(name, listed.has(name));
    }
    await onSwept?.();
  }

  /** What a server knows better than the one that looks: which processes of its own machine are gone. */
  async function lookNearby(): Promise<void> {
    const servers = await presence.list();
    // Whoever takes the lease over must know who was silent until then.
    beats.note(servers);
    for (const { name } of servers) if (name !== lease.name && hasEnded(name)) await endServer(name, true);
  }

  async function beat(): Promise<void> {
    await lease.beat().catch(onStoreFailed);
    if (!(await duty.run(sweep))) await lookNearby();
    await onBeat?.();
  }

  const arrive = (): Promise<void> | undefined => lease.arrive()?.catch(onStoreFailed);

  let beating: Promise<void> | undefined;
  const timer = setInterval(() => {
    beating = (beating ?? Promise.resolve()).then(beat).catch(onStoreFailed);
  }, times.beatMs);
  timer.unref();
  return {
    arrive,
    sweep,
    async close() {
      clearInterval(timer);
      await beating;
      await duty.close().catch(onStoreFailed);
      stopLoss();
      await calls.flush(); // under the lease, which then ends
      await lease.close();
    },
  };
}

/** When each other server last reported, by the clock of this server: theirs may be wrong. */
function createBeats(silentMs: number) {
  const heard = new Map<string, { readonly lastSeen: string; readonly at: number }>();
  let lookedAt = Number.NEGATIVE_INFINITY;
  return {
    note(servers: readonly PresenceStatus[]): void {
      const now = performance.now();
      // A server that did not look for a while (paused, or without the store) cannot judge the silence of others.
      const hasGap = now - lookedAt > silentMs / 2;
      lookedAt = now;
      const known = new Set(servers.map(({ name }) => name));
      for (const name of heard.keys()) if (!known.has(name)) heard.delete(name);
      for (const { name, lastSeen } of servers)
        if (hasGap || heard.get(name)?.lastSeen !== lastSeen) heard.set(name, { lastSeen, at: now });
    },
    /** Includes servers that are not on the list: a server with calls was on it before. */
    isSilent: (name: string): boolean => (heard.get(name)?.at ?? Number.NEGATIVE_INFINITY) < performance.now() - silentMs,
  };
}
