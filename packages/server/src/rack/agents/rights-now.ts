import type { Caller, Registry } from "@toolrack/core";
import type { Session } from "@toolrack/store";
import { type RunnableAgent, withModel } from "../../config/agents.ts";
import type { Starter } from "./host-state.ts";
import { inheritRights } from "./inherit-rights.ts";
import { callerOf } from "./starter.ts";

export interface RightsNowOptions {
  readonly registry: Pick<Registry, "view">;
  get(session: string): Promise<Session | undefined>;
  find(agent: string): RunnableAgent | undefined;
  starterOf(session: Session): Starter | undefined;
  presentCaller(caller: Caller): Promise<Caller | string>;
}

export interface RightsNow {
  /** What the session was given: this is kept of it, since what its parent has lost may come back. */
  readonly given: Starter;
  readonly now: Starter;
}

/** More than may be spawned below each other. */
const maxDepth = 20;

/**
 * Answers with which rights a session goes on: those that whoever began it has now. A spawned one has no tool that its parent has lost since; when
 * the parent is gone, or its agent, what it was given.
 */
export function createRightsNow({ registry, get, find, starterOf, presentCaller }: RightsNowOptions) {
  return async function rightsNow(agent: RunnableAgent, session: Session, starter: Starter, depth = 0): Promise<RightsNow> {
    const given = inheritRights(agent, starter, starter.caller, registry);
    const isSpawned = given.spawned !== undefined && session.parent !== undefined;
    const parent = isSpawned && depth < maxDepth ? await get(session.parent!) : undefined;
    const begun = parent && starterOf(parent);
    const ofParent = parent && find(parent.agent);
    if (parent === undefined || begun === undefined || ofParent === undefined) return { given, now: given };
    const caller = await presentCaller(begun.caller);
    if (typeof caller === "string") return { given, now: withTools(given, new Set()) };
    const { now } = await rightsNow(ofParent, parent, { ...begun, caller }, depth + 1);
    const { tools } = registry.view(callerOf(withModel(ofParent, parent.model), now));
    return { given, now: withTools(given, new Set(tools.map(({ name }) => name))) };
  };
}

function withTools(starter: Starter, tools: ReadonlySet<string>): Starter {
  const { inherited = [] } = starter.caller;
  return { ...starter, caller: { ...starter.caller, inherited: inherited.filter((name) => tools.has(name)) } };
}
