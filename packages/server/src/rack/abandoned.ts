import { errorCodes, type Logger } from "@toolrack/core";
import { type BreadcrumbStore, type CallLog, createPresence, type PresenceStatus } from "@toolrack/store";
import type { KeptApprovals } from "./approvals.ts";
import { hasEnded } from "./server-name.ts";
import type { ServerInfo } from "./servers.ts";

export interface AbandonedOptions {
  readonly store: BreadcrumbStore;
  /** This server. */
  readonly server: string;
  /** What it tells the others about itself. */
  readonly info: () => ServerInfo;
  readonly calls: CallLog;
  readonly approvals: Pick<KeptApprovals, "abandon">;
  readonly log: Logger;
  /** Told that the store failed. */
  onStoreFailed(error: unknown): void;
  /** Told each call whose server ended before it did. */
  onEnd(callId: string): void;
}

export interface AbandonedCalls {
  /** Tells the others that this server is there, before its first call; undefined where they know. Never rejects. */
  arrive(): Promise<void> | undefined;
  /** Looks for servers that ended and left calls behind, now. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Tells the others that this server is alive once it makes calls or has been there for a while, and writes down the calls of those that are
 * not as aborted: at once where the process ran on this machine, else when it has not been heard of for a while.
 */
export function followAbandoned({ store, server, info, calls, approvals, log, onStoreFailed, onEnd }: AbandonedOptions): AbandonedCalls {
  const presence = createPresence(store);
  let arriving: Promise<void> | undefined;
  let isKnown = false;
  /** When each of the others was last heard of, by the clock of this server: theirs may be wrong. */
  const heard = new Map<string, { readonly lastSeen: string; readonly at: number }>();

  function noteBeats(servers: readonly PresenceStatus[]): void {
    const known = new Set(servers.map(({ name }) => name));
    for (const name of heard.keys()) if (!known.has(name)) heard.delete(name);
    for (const { name, lastSeen } of servers)
      if (heard.get(name)?.lastSeen !== lastSeen) heard.set(name, { lastSeen, at: performance.now() });
  }

  const isDead = (name: string): boolean =>
    name !== server && (hasEnded(name) || (heard.get(name)?.at ?? Number.NEGATIVE_INFINITY) < performance.now() - silentMs);

  async function sweep(): Promise<void> {
    // In this order: whoever had a call by then has reported before, and is on the list.
    const running = await calls.running();
    const servers = await presence.list();
    noteBeats(servers);
    for (const name of new Set([...servers.map((one) => one.name), ...running.map((call) => call.server)])) {
      if (!isDead(name)) continue;
      const left = new Set((await calls.running({ server: name })).map(({ callId }) => callId));
      const count = await calls.abandon(name);
      const asked = await approvals.abandon(name, async (call) => {
        // A handler that asked was running, and has its line already.
        if (left.has(call.callId)) return;
        const meta = { callId: call.callId, tool: call.tool, durationMs: 0 };
        const error = "The server ended while the call waited for a person. The tool did not run.";
        const { status } = errorCodes.ABORTED;
        await calls.record({ ...call, result: { ok: false, error, code: "ABORTED", status, retryable: true, meta } });
      });
      await presence.leave(name);
      for (const callId of new Set([...left, ...asked])) onEnd(callId);
      if (count + asked.length > 0)
        log.warn("Calls of a server that ended were written down as aborted.", { server: name, running: count, asking: asked.length });
    }
  }

  async function report(): Promise<void> {
    try {
      await presence.report(server, { ...info() });
      isKnown = true;
    } catch (error) {
      onStoreFailed(error);
    }
  }

  let beating: Promise<void> | undefined;
  const timer = setInterval(() => {
    beating = (beating ?? Promise.resolve()).then(report).then(sweep).catch(onStoreFailed);
  }, beatMs);
  timer.unref();
  return {
    arrive: () => (isKnown ? undefined : (arriving ??= report().finally(() => (arriving = undefined)))),
    sweep,
    async close() {
      clearInterval(timer);
      await beating;
      await arriving;
      if (isKnown) await presence.leave(server);
    },
  };
}

const beatMs = 5_000;
const silentMs = 30_000;
