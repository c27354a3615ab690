import { requireRole } from "../access.ts";
import type { Sighting } from "../engine/presence.ts";
import { StoreError } from "../errors.ts";
import type { JsonObject } from "../record/breadcrumb.ts";
import { readName } from "../record/read-draft.ts";
import { toIso } from "../store/clock.ts";
import { insideOf } from "../store/create-store.ts";
import type { BreadcrumbStore } from "../store/store.ts";

export interface Presence {
  /** Reports that a server is alive, with facts such as its version and start time: at most 8,192 bytes of JSON. */
  report(name: string, info?: JsonObject): Promise<void>;
  /** The same for a server that is on the list. Resolves with false, and changes nothing, if it is not: its lease was taken. */
  renew(name: string, info?: JsonObject): Promise<boolean>;
  /** Removes a server from the list at once. */
  leave(name: string): Promise<void>;
  list(): Promise<readonly PresenceStatus[]>;
}

export interface PresenceStatus {
  readonly name: string;
  readonly status: "active" | "inactive";
  readonly lastSeen: string;
  /** What it last reported. */
  readonly info: JsonObject;
}

/** Which servers are alive, shared by every process on the store. Reports are not records, so they create no revisions and no events. */
export function createPresence(
  store: BreadcrumbStore,
  options: { /** @default 30_000 */ readonly inactiveAfterMs?: number } = {},
): Presence {
  const { engine, clock } = insideOf(store);
  const { owner } = store.actor;
  const { inactiveAfterMs = 30_000 } = options;

  function toSighting(name: string, facts: JsonObject = {}): Sighting {
    requireRole(store.actor, "emitter", "report that a server is alive");
    readName(name, "The name");
    const info = JSON.stringify(facts);
    if (Buffer.byteLength(info) > mostInfoBytes)
      throw new StoreError(
        "RECORD_INVALID",
        `The info of server "${name}" has ${Buffer.byteLength(info)} bytes; the limit is ${mostInfoBytes}.`,
      );
    return { name, seenAt: clock.now(), info };
  }

  return {
    report: async (name, info) => engine.writeAudit((tx) => tx.noteSighting(owner, toSighting(name, info))),
    renew: async (name, info) => engine.writeAudit((tx) => tx.renewSighting(owner, toSighting(name, info))),
    async leave(name) {
      requireRole(store.actor, "emitter", "report that a server is gone");
      await engine.writeAudit((tx) => tx.forgetSighting(owner, name));
    },
    async list() {
      const oldest = clock.now() - inactiveAfterMs;
      const seen = await engine.sightings(owner);
      return seen.map(({ name, seenAt, info }) => ({
        name,
        status: seenAt > oldest ? "active" : "inactive",
        lastSeen: toIso(seenAt),
        info: JSON.parse(info) as JsonObject,
      }));
    },
  };
}

const mostInfoBytes = 8_192;
