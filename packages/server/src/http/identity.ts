import type { Caller } from "@toolrack/core";
import type { Actor } from "@toolrack/store";

/**
 * What somebody who signed in may do. Everybody may list and call what the policy allows; an emitter writes records of its own, a
 * subscriber reads feeds and other agents' calls, a curator decides over definitions, configuration and approvals, an admin over keys,
 * secrets, sources and policy. "owner" makes the calls those of the owner, so that owner-only tools are open.
 */
export type ServerRole = "emitter" | "subscriber" | "curator" | "admin" | "owner";

/** Who makes a request: found once by the sign-in, handed to every route. */
export interface Identity {
  /** "local" without keys; else the agent that the key or token is bound to. */
  readonly agent: string;
  readonly roles: ReadonlySet<ServerRole>;
  readonly via: "loopback" | "key" | "token";
  /** As the registry's policy sees it. */
  readonly caller: Caller;
  /** As the store's access rules see it. */
  readonly actor: Actor;
}
