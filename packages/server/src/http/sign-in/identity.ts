import type { Caller } from "@toolrack/core";
import type { Actor, Role } from "@toolrack/store";
import { signedInAs, storeAgentOf } from "../../rack/access/store-agent.ts";
import type { Credential } from "./credential.ts";

/**
 * What somebody who signed in may do. Everybody may list and call what the policy allows; an emitter writes records of its own, a
 * subscriber reads feeds and other agents' calls, a curator decides over definitions, configuration and approvals, an admin over keys,
 * secrets, sources and policy. "owner" makes the calls those of the owner, so that owner-only tools are open.
 */
export type ServerRole = "emitter" | "subscriber" | "curator" | "admin" | "owner";

/** Who makes a request: found once by the sign-in, handed to every route. */
export interface Identity {
  /** The agent that the key or token is bound to; "owner" for the owner of the rack, "anonymous" for whoever did not sign in. */
  readonly agent: string;
  readonly roles: ReadonlySet<ServerRole>;
  readonly via: "nothing" | "owner" | "key" | "token";
  /** What was signed in with, where it can end before the server does. */
  readonly credential?: Credential;
  /** Who it is, and how that is known: "key anna". What is counted and kept for somebody is counted and kept under this. */
  readonly principal: string;
  /** As the registry's policy sees it. */
  readonly caller: Caller;
  /** As the store's access rules see it. */
  readonly actor: Actor;
}

/**
 * Makes an identity out of what a sign-in found. What is not a role is left out: unknown words open nothing. A token never makes an owner:
 * that is the person at the machine, and no issuer speaks for them.
 */
export function toIdentity(found: {
  readonly agent: string;
  readonly roles: readonly string[];
  readonly via: Identity["via"];
  readonly credential?: Credential | undefined;
  /** Whose records the store keeps. */
  readonly storeOwner: string;
  /** Who it is, where the agent's name alone does not say so: "token https://login.example.com/ 42". @default how it signed in, and the agent */
  readonly principal?: string;
}): Identity {
  const { agent, via, storeOwner, credential } = found;
  const given = via === "token" ? found.roles.filter((role) => role !== "owner") : found.roles;
  const roles = new Set<ServerRole>(given.flatMap((role) => (Object.hasOwn(implied, role) ? implied[role as ServerRole] : [])));
  const storeRoles = roles.has("curator") ? ["curator" as const] : [...roles].filter(isStoreRole);
  const principal = found.principal ?? `${via} ${agent}`;
  return Object.freeze({
    agent,
    roles,
    via,
    principal,
    ...(credential !== undefined && { credential }),
    caller: Object.freeze({ agent, principal, roles: Object.freeze([...roles]), ...(roles.has("owner") && { owner: true }) }),
    actor: Object.freeze({
      owner: storeOwner,
      agent: storeAgentOf({ principal, agent }),
      principal,
      ...signedInAs({ principal, agent }),
      roles: Object.freeze(storeRoles),
      ...(roles.has("owner") && { approvesOwn: true }),
    }),
  });
}

/** The one whose rack it is, with every right. */
export function ownerOf(rack: { readonly store: { readonly actor: Actor } }, credential?: Credential): Identity {
  const storeOwner = rack.store.actor.owner;
  return toIdentity({ agent: "owner", principal: "owner", roles: ["admin", "owner"], via: "owner", storeOwner, credential });
}

/** Whoever did not sign in: an agent without any role, who has what the policy gives to the agent "anonymous". */
export function anonymousOf(rack: { readonly store: { readonly actor: Actor } }): Identity {
  const storeOwner = rack.store.actor.owner;
  return toIdentity({ agent: "anonymous", principal: "anonymous", roles: [], via: "nothing", storeOwner });
}

/** Each role with those that it contains. */
const implied: Readonly<Record<ServerRole, readonly ServerRole[]>> = {
  emitter: ["emitter"],
  subscriber: ["subscriber"],
  curator: ["curator", "emitter", "subscriber"],
  admin: ["admin", "curator", "emitter", "subscriber"],
  owner: ["owner"],
};

/** Stands for whoever did not sign in, where nobody has to. */
export const nobody: Identity = toIdentity({ agent: "nobody", roles: [], via: "nothing", storeOwner: "nobody" });

export const serverRoles: readonly ServerRole[] = Object.freeze(Object.keys(implied) as ServerRole[]);

function isStoreRole(role: ServerRole): role is ServerRole & Role {
  return role === "emitter" || role === "subscriber";
}
