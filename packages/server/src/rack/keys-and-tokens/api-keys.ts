import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { type Logger, ToolError } from "@toolrack/core";
import type { Clock } from "@toolrack/core/node";
import { describeUnknownAgent, toAgentKey } from "@toolrack/core/policy";
import type { Breadcrumb } from "@toolrack/store";
import type { WriteAudit } from "../audit/audit.ts";
import { agentOf } from "../audit/author.ts";
import { defaultUnknownAgents } from "../settings/merge-settings.ts";
import type { ApiKey, ApiKeys, Settings } from "../rack.ts";
import type { RecordFeed } from "../store/records.ts";
import { spellingFault } from "../access/agent-spelling.ts";
import { isReservedAgent, reservedAgents } from "../access/reserved-agents.ts";
import { watchExpiry } from "./key-expiry.ts";

export interface KeysOptions {
  readonly feed: RecordFeed;
  readonly audit: WriteAudit;
  /** The listed agents, and the rule for others. */
  readonly settings: Pick<Settings, "agentNames" | "policy">;
  readonly clock: Clock;
  readonly log: Logger;
}

/** "trk_" and 16 characters that name the key, then 256 random bits. Only their hash is kept. */
const form = /^trk_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;
export const agentNamePattern: RegExp = /^[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}$/;
const roles: ReadonlySet<string> = new Set(["emitter", "subscriber", "curator", "admin", "owner"]);

export function createKeys({ feed, audit, settings, clock, log }: KeysOptions): ApiKeys {
  const now = (): number => clock.now();
  const records = feed.of("toolrack.key.v1");
  /** One object for each version, so that values derived from a key can be cached by it. */
  const known = new WeakMap<Breadcrumb, ApiKey>();

  function keyOf(record: Breadcrumb): ApiKey {
    let key = known.get(record);
    if (key === undefined) {
      const { hash: _, ...facts } = record.context;
      known.set(record, (key = Object.freeze({ id: record.id.slice("key-".length), ...(facts as Omit<ApiKey, "id">) })));
    }
    return key;
  }

  return {
    exist: () => [...records.values()].some(isLive),
    wereMade: () => !records.values().next().done,
    list: async () => [...records.values()].filter(isLive).map(keyOf),
    onEnd(listener) {
      const tell = (id: string, record: Breadcrumb | undefined, isExpired: boolean): void => {
        const agent = record && String(record.context["agent"]);
        listener({ id: id.slice("key-".length), ...(agent !== undefined && { agent }), isExpired });
      };
      const stopRevoked = records.subscribe((id, record) => {
        if (record === undefined || !isLive(record)) tell(id, record, false);
      });
      const stopExpired = watchExpiry(records, { clock, log }, (record) => tell(record.id, record, true));
      return () => {
        stopRevoked();
        stopExpired();
      };
    },
    onMade: (listener) =>
      records.subscribe((_id, record) => {
        if (record !== undefined && isLive(record)) listener();
      }),
    async create({ agent, roles: wanted, description, expiresAt, by, byRoles }) {
      if (!agentNamePattern.test(agent))
        throw new ToolError("CONFIG_INVALID", `The agent of a key is 1 to 128 of the characters A-Z a-z 0-9 . _ : @ - and not "${agent}".`);
      if (isReservedAgent(agent))
        throw new ToolError(
          "CONFIG_INVALID",
          `"${agent}" cannot be the agent of a key: ${reservedAgents.join(", ")} are names that the server gives itself. Choose another name.`,
        );
      const unknown = wanted.find((role) => !roles.has(role));
      if (unknown !== undefined) throw new ToolError("CONFIG_INVALID", `"${unknown}" is not a role. Roles are ${[...roles].join(", ")}.`);
      const lacking = byRoles && roleNotHeld(wanted, byRoles);
      if (lacking !== undefined)
        throw new ToolError("TOOL_NOT_ALLOWED", `"${agentOf(by)}" does not have the role "${lacking}", and may not give it to a key.`);
      if (expiresAt !== undefined && expiresAt <= now())
        throw new ToolError("CONFIG_INVALID", "The expiry of the key is in the past. Choose a later time.");
      const misspelt = spellingFault(agent, settings.agentNames());
      if (misspelt !== undefined) throw new ToolError("CONFIG_INVALID", misspelt);
      if (!wanted.includes("owner")) mustBeListed(agent, settings);
      const id = randomBytes(8).toString("hex");
      const secret = `trk_${id}_${randomBytes(32).toString("base64url")}`;
      const facts = {
        agent,
        roles: [...new Set(wanted)],
        createdAt: now(),
        createdBy: agentOf(by),
        ...(description !== undefined && { description }),
        ...(expiresAt !== undefined && { expiresAt }),
      };
      const record = await records.create({
        id: `key-${id}`,
        title: `Key of ${agent}`,
        context: { ...facts, hash: hashOf(secret).toString("hex") },
        sensitivity: "secret",
        visibility: "private",
      });
      if (record === undefined) throw new ToolError("NAME_TAKEN", "The key could not be created. Try again.");
      await audit({
        kind: "key-created",
        subject: id,
        by,
        body: { agent, roles: facts.roles, ...(expiresAt !== undefined && { expiresAt }) },
      });
      return { ...keyOf(record), secret };
    },
    async revoke(id, by) {
      const record = /^[0-9a-f]{16}$/.test(id) ? await records.fetch(`key-${id}`) : undefined;
      if (record === undefined || !isLive(record)) return false;
      // The remaining record shows that a key existed, and cannot be used to sign in.
      const { hash: _, ...facts } = record.context;
      if ((await records.replace(record, { ...facts, revokedAt: now(), revokedBy: agentOf(by) }, undefined)) === undefined) return false;
      await audit({ kind: "key-revoked", subject: id, by, body: {} });
      return true;
    },
    async verify(secret) {
      const id = form.exec(secret)?.[1];
      if (id === undefined) return undefined;
      // A key that another server just created is looked up; a missing one is compared all the same, for constant time.
      const record = records.get(`key-${id}`) ?? (await records.fetch(`key-${id}`));
      const live = record !== undefined && isLive(record) ? record : undefined;
      const wanted = live === undefined ? nobody : Buffer.from(String(live.context["hash"]), "hex");
      const isRight = timingSafeEqual(hashOf(secret), wanted);
      if (!isRight || live === undefined) return undefined;
      const key = keyOf(live);
      return key.expiresAt !== undefined && key.expiresAt <= now() ? undefined : key;
    },
  };
}

/** A key for an agent that is not listed gives no access: most likely a typing error. The owner need not be listed. */
function mustBeListed(agent: string, settings: KeysOptions["settings"]): void {
  if (listedTest(settings)(agent)) return;
  const { reason, remedy } = describeUnknownAgent(agent, settings.agentNames());
  throw new ToolError("CONFIG_INVALID", `The key was not created, because ${reason}. ${remedy}.`);
}

/** Whether an agent may use tools at all: it is listed, or the configuration allows unknown agents. */
export function listedTest({ agentNames, policy }: KeysOptions["settings"]): (agent: string) => boolean {
  if ((policy.unknownAgents ?? defaultUnknownAgents) === "allow") return () => true;
  const names = new Set(agentNames().map(toAgentKey));
  return (agent) => names.has(toAgentKey(agent));
}

/** The first wanted role that is not held; `held` includes implied roles. */
export function roleNotHeld(wanted: readonly string[], held: readonly string[]): string | undefined {
  return wanted.find((role) => !held.includes(role));
}

/** The record of a revoked key stays, without the hash. */
function isLive({ context }: Breadcrumb): boolean {
  return context["hash"] !== undefined;
}

/** The secret has 256 random bits, so a plain hash is safe against guessing. */
function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

const nobody: Buffer = Buffer.alloc(32);
