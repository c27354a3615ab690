import type { Caller } from "@toolrack/core";

/** What a session may see, each a part of the next: itself, what it spawned, all of its agent, all that its agent may talk to. */
export type Sight = "self" | "tree" | "agent" | "all";

export type SessionDeed = "list" | "read" | "send" | "steer" | "cancel" | "change-model";

/** What sight depends on. */
export interface SightedSession {
  readonly id: string;
  readonly agent: string;
  readonly tenant?: string | undefined;
  /** The identity that the session runs as, which is that of whoever started it. */
  readonly principal?: string | undefined;
  /** The ids of the sessions that it comes from: its parent, the parent of that … */
  readonly ancestors: readonly string[];
}

/** Who looks. Made by `viewerOf` alone. */
export interface SessionViewer extends Pick<SightedSession, "tenant" | "principal"> {
  readonly agent: string | undefined;
  /** The session that the call belongs to. */
  readonly session: string | undefined;
  readonly sight: Sight;
  /** Agents whose sessions may be used with the sight `all`; "*" for every agent. */
  readonly peers: readonly string[];
}

export interface SightOptions {
  /** @default "tree" */
  readonly sight?: Sight | undefined;
  /** The agents that may use each other's sessions, if the sight is `all`; "*" for every agent. @default none */
  readonly agentToAgent?: readonly string[] | undefined;
}

/**
 * The viewer that a caller is.
 * @param own the session that `caller.session` names, if there is one. A caller can claim any: one of another agent, identity or tenant does
 *   not count.
 */
export function viewerOf(
  caller: Caller,
  own: SightedSession | undefined,
  { sight = "tree", agentToAgent = [] }: SightOptions,
): SessionViewer {
  const { agent, tenant, principal } = caller;
  const isOwn = own !== undefined && own.agent === agent && own.tenant === tenant && own.principal === principal;
  const mayTalk = agent !== undefined && (agentToAgent.includes(agent) || agentToAgent.includes("*"));
  return {
    agent,
    tenant,
    principal,
    session: isOwn ? own.id : undefined,
    sight: caller.sandboxed === true && sight !== "self" ? "tree" : sight,
    peers: mayTalk ? agentToAgent : [],
  };
}

/** Whether a viewer may do something with a session. Every host asks here and nowhere else; what is refused is told as not there. */
export function mayUse(session: SightedSession, viewer: SessionViewer, deed: SessionDeed): boolean {
  if (session.tenant !== viewer.tenant) return false;
  const isSelf = viewer.session === session.id;
  const isBelow = viewer.session === undefined ? isStarter(session, viewer) : session.ancestors.includes(viewer.session);
  if (deed === "steer" || deed === "cancel") return isBelow;
  if (deed === "change-model") return isSelf || isBelow;
  if (isSelf) return true;
  if (viewer.sight === "self") return false;
  if (isBelow) return true;
  if (viewer.sight === "tree" || viewer.agent === undefined) return false;
  if (session.agent === viewer.agent) return true;
  return viewer.sight === "all" && (viewer.peers.includes(session.agent) || viewer.peers.includes("*"));
}

/** Whoever calls from outside of all sessions: those that it started. */
function isStarter({ principal, agent }: SightedSession, viewer: SessionViewer): boolean {
  return principal !== undefined && principal === viewer.principal && agent === viewer.agent;
}
