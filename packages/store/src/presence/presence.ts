import { demandRole } from "../access/actor.ts";
import { readName } from "../record/read-draft.ts";
import { toIso } from "../store/clock.ts";
import { insideOf } from "../store/create-store.ts";
import type { BreadcrumbStore } from "../store/store.ts";

export interface Presence {
  /** Says that a remote tool, or the runner of several, is alive. */
  report(name: string): Promise<void>;
  /** Says that it is gone, without waiting for the time to pass. */
  leave(name: string): Promise<void>;
  list(): Promise<readonly PresenceStatus[]>;
}

export interface PresenceStatus {
  readonly name: string;
  readonly status: "active" | "inactive";
  readonly lastSeen: string;
}

/** Whether remote tools are alive, shared by every process on the store. It is kept beside the records, so that no beat is a revision or an event. */
export function createPresence(
  store: BreadcrumbStore,
  options: { /** @default 30_000 */ readonly inactiveAfterMs?: number } = {},
): Presence {
  const { engine, clock } = insideOf(store);
  const { owner } = store.actor;
  const { inactiveAfterMs = 30_000 } = options;
  return {
    async report(name) {
      demandRole(store.actor, "emitter", "report that tools are alive");
      readName(name, "The name");
      await engine.writeAudit((tx) => tx.noteSighting(owner, { name, seenAt: clock.now() }));
    },
    async leave(name) {
      demandRole(store.actor, "emitter", "report that tools are gone");
      await engine.writeAudit((tx) => tx.forgetSighting(owner, name));
    },
    async list() {
      const oldest = clock.now() - inactiveAfterMs;
      const seen = await engine.sightings(owner);
      return seen.map(({ name, seenAt }) => ({ name, status: seenAt > oldest ? "active" : "inactive", lastSeen: toIso(seenAt) }));
    },
  };
}
