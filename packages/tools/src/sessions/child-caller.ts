import type { Caller } from "@toolrack/core";
import type { SessionOrigin } from "./host.ts";

export interface ChildFacts {
  readonly agent: string;
  /** The key of the child. */
  readonly session: string;
  /** The depth of the child: 1 for the child of a session that was not spawned itself. */
  readonly depth: number;
  readonly model?: string | undefined;
  /** From `inheritTools`, with the tools that the parent has in view. */
  readonly inherited: readonly string[];
}

/**
 * The caller of all calls that a child makes: everything that restricts its parent stays, and it is not the owner, whoever its parent is. Its
 * agent and its model choose another policy, which `inherited` keeps within that of its parent.
 */
export function childCaller(parent: Caller, { agent, session, depth, model, inherited }: ChildFacts): Caller {
  const { model: _, provider, ...facts } = parent;
  return Object.freeze({
    ...facts,
    ...(model === undefined ? provider !== undefined && { provider } : { model }),
    agent,
    session,
    subagentDepth: depth,
    inherited,
    owner: false,
  });
}

/** Where a message of a caller comes from: its session if it has one, else the agent. A model is never a person. */
export function originOf({ agent, principal }: Caller, session: string | undefined): SessionOrigin {
  if (session !== undefined) return { kind: "session", id: session };
  const id = agent ?? principal;
  return { kind: "agent", ...(id !== undefined && { id }) };
}
