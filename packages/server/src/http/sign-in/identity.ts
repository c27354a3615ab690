import type { Caller } from "@toolrack/core";
import type { Actor, Role } from "@toolrack/store";
import { impliedRoles, type ServerRoleName, withImplied } from "../../rack/access/implied-roles.ts";
import { signedInAs, storeAgentOf } from "../../rack/access/store-agent.ts";
import type { Credential } from "./credential.ts";

/**
 * The roles of a caller. Every caller may list and call what the policy allows; an emitter writes records of its own, a subscriber reads
 * feeds and calls of other agents, a curator manages definitions, configuration and approvals, an admin keys, secrets, sources and policy.
 * "owner" may also call owner-only tools.
 */
export type ServerRole = ServerRoleName;

/** The identity of a caller: determined once by the sign-in, passed to every route. */
export interface Identity {
  /** The agent that the key or token is bound to; "owner" for the owner of the rack, "anonymous" without sign-in. */
  readonly agent: string;
  readonly roles: ReadonlySet<ServerRole>;
  readonly via: "nothing" | "owner" | "key" | "token";
  /** The key, token or session, if it can end before the server does. */
  readonly credential?: Credential;
  /** The identity and how it was proven: "key anna". Limits and stored data of a caller use this name. */
  readonly principal: string;
  /** As the registry's policy sees it. */
  readonly caller: Caller;
  /** As the store's access rules see it. */
  readonly actor: Actor;
}

/**
 * Creates an identity from the result of a sign-in. Unknown roles are left out. A token never makes an owner: that is the person at the
 * machine, and no issuer can speak for them.
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
  const roles: ReadonlySet<ServerRole> = withImplied(given);
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

/** The owner of the server, with all roles. */
export function ownerOf(rack: { readonly store: { readonly actor: Actor } }, credential?: Credential): Identity {
  const storeOwner = rack.store.actor.owner;
  return toIdentity({ agent: "owner", principal: "owner", roles: ["admin", "owner"], via: "owner", storeOwner, credential });
}

/** A caller without sign-in: no roles, and the tools that the policy gives to the agent "anonymous". */
export function anonymousOf(rack: { readonly store: { readonly actor: Actor } }, credential?: Credential): Identity {
  const storeOwner = rack.store.actor.owner;
  return toIdentity({ agent: "anonymous", principal: "anonymous", roles: [], via: "nothing", storeOwner, credential });
}

/** The identity for public routes. */
export const nobody: Identity = toIdentity({ agent: "nobody", roles: [], via: "nothing", storeOwner: "nobody" });

export const serverRoles: readonly ServerRole[] = Object.freeze(Object.keys(impliedRoles) as ServerRole[]);

function isStoreRole(role: ServerRole): role is ServerRole & Role {
  return role === "emitter" || role === "subscriber";
}
