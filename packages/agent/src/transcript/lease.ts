import type { Clock } from "@toolrack/core/node";
import type { SessionLease, SessionStore } from "../sessions.ts";

/** The right to run a session, renewed until it is released. */
export interface HeldLease {
  readonly lease: SessionLease;
  release(): Promise<void>;
}

export interface HoldOptions {
  readonly clock: Clock;
  /** Called if another has taken the session. */
  onLost(): void;
}

/** After a kill, so long nobody else can go on with the session. */
export const leaseMs = 30_000;

/** Undefined if another runs the session. */
export async function holdLease(sessions: SessionStore, session: string, { clock, onLost }: HoldOptions): Promise<HeldLease | undefined> {
  const lease = await sessions.acquire(session, globalThis.crypto.randomUUID(), leaseMs);
  if (lease === undefined) return undefined;
  let isHeld = true;
  let cancel = (): void => undefined;

  function renewLater(): void {
    const timer = clock.after(leaseMs / 3, () => void renew());
    timer.release?.();
    cancel = timer;
  }

  async function renew(): Promise<void> {
    // A store that is away for a moment decides nothing: the next write tells whether the session is still ours.
    const isOurs = await sessions.renew(lease!, leaseMs).catch(() => true);
    if (!isHeld) return;
    if (isOurs) renewLater();
    else onLost();
  }

  renewLater();
  return {
    lease,
    async release() {
      isHeld = false;
      cancel();
      await sessions.release(lease);
    },
  };
}
