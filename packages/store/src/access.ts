import { StoreError } from "./errors.ts";
import type { Breadcrumb } from "./record/breadcrumb.ts";
import { readAgent, readName } from "./record/read-draft.ts";
import { isSeen, ledgerAgent } from "./record/seen.ts";

/** An emitter writes records of its own, a subscriber follows the feed, a curator may do everything for its owner. */
export type Role = "emitter" | "subscriber" | "curator";

/** On whose behalf a store is used. Records of other owners are never visible. */
export interface Actor {
  readonly owner: string;
  readonly agent: string;
  /** The signed-in principal behind the agent. Recorded in the audit; it grants nothing. */
  readonly principal?: string;
  /**
   * The name of the agent at its sign-in, where the store knows it by another one. Everybody with one name counts as one author.
   * @default the agent
   */
  readonly signedInAs?: string;
  readonly roles: readonly Role[];
  /**
   * Whether a curator may approve a definition that it wrote itself: for the person whose store it is. For every other curator, somebody
   * else has to decide. @default false
   */
  readonly approvesOwn?: boolean;
}

/** The one who uses a store without any sign-in: the owner of the machine. */
export const localActor: Actor = Object.freeze({
  owner: "local",
  agent: "local",
  roles: Object.freeze(["curator"] as const),
  approvesOwn: true,
});

export function readActor(actor: Actor): Actor {
  const owner = readName(actor.owner, "owner");
  const agent = readAgent(actor.agent, "agent");
  const wrong = actor.roles.find((role) => !allRoles.includes(role));
  if (wrong !== undefined) throw new StoreError("FORBIDDEN", `"${String(wrong)}" is not a role. Roles are ${allRoles.join(", ")}.`);
  const principal = actor.principal === undefined ? {} : { principal: String(actor.principal) };
  const signedInAs = actor.signedInAs === undefined ? {} : { signedInAs: String(actor.signedInAs) };
  const roles = Object.freeze([...actor.roles]);
  return Object.freeze({ owner, agent, ...principal, ...signedInAs, roles, ...(actor.approvesOwn === true && { approvesOwn: true }) });
}

const allRoles: readonly Role[] = ["emitter", "subscriber", "curator"];

export function isCurator(actor: Actor): boolean {
  return actor.roles.includes("curator");
}

/** Whether the actor approves a definition by writing it. */
export function mayApproveOwn(actor: Actor): boolean {
  return isCurator(actor) && actor.approvesOwn === true;
}

/** Why an author who is not the owner of the store cannot open its own definition. */
export function ownContent({ agent }: Actor, id: string): StoreError {
  return new StoreError(
    "FORBIDDEN",
    `"${agent}" wrote this content of the definition "${id}" and may not approve it: someone else has to decide. Ask another curator or the owner.`,
  );
}

/**
 * Public records are for everyone of the owner, team records for those with a role, private ones for their author and curators; a
 * grant opens one record to one agent.
 */
export function mayRead(actor: Actor, record: Breadcrumb): boolean {
  if (record.owner !== actor.owner) return false;
  if (isCurator(actor) || record.created_by === actor.agent || record.visibility === "public") return true;
  if (record.visibility === "team" && actor.roles.length > 0) return true;
  return record.grants !== undefined && Object.hasOwn(record.grants, actor.agent);
}

export function mayWrite(actor: Actor, record: Breadcrumb): boolean {
  if (record.owner !== actor.owner) return false;
  if (isSeen(record)) return actor.agent === ledgerAgent;
  if (isCurator(actor)) return true;
  if (!actor.roles.includes("emitter")) return false;
  return (
    record.created_by === actor.agent ||
    (record.grants !== undefined && Object.hasOwn(record.grants, actor.agent) && record.grants[actor.agent] === "write")
  );
}

/** Schemas that only curators may write, because they affect others: a configuration decides where a tool sends its secrets. */
export const curatorSchemas: ReadonlySet<string> = new Set([
  "tool.config.v1",
  "tool.secret.v1",
  "tool.bundle.v1",
  "registry.settings.v1",
  "toolrack.key.v1",
]);

/** Throws FORBIDDEN unless the actor has one of the roles; a curator always may. */
export function requireRole(actor: Actor, role: Role, action: string): void {
  if (isCurator(actor) || actor.roles.includes(role)) return;
  throw new StoreError("FORBIDDEN", `"${actor.agent}" may not ${action}: that needs the role "${role}".`);
}
