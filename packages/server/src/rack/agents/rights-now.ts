import type { Caller, Registry } from "@toolrack/core";
import type { Session } from "@toolrack/store";
import type { RunnableAgent } from "../../config/agents.ts";
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

/**
 * Answers with which rights a session goes on: those that whoever began it has now. A spawned one keeps no tool that its parent has lost since; when
 * the parent is gone, or its agent, what it had then.
 */
export function createRightsNow({ registry, get, find, starterOf, presentCaller }: RightsNowOptions) {
  return async function rightsNow(agent: RunnableAgent, session: Session, starter: Starter): Promise<Starter> {
    const own = inheritRights(agent, starter, starter.caller, registry);
    const parent = own.spawned === undefined || session.parent === undefined ? undefined : await get(session.parent);
    const begun = parent && starterOf(parent);
    const ofParent = parent && find(parent.agent);
    if (parent === undefined || begun === undefined || ofParent === undefined) return own;
    const caller = await presentCaller(begun.caller);
    if (typeof caller === "string") return withTools(own, new Set());
    const { tools } = registry.view(callerOf(ofParent, await rightsNow(ofParent, parent, { ...begun, caller })));
    return withTools(own, new Set(tools.map(({ name }) => name)));
  };
}

function withTools(starter: Starter, tools: ReadonlySet<string>): Starter {
  const { inherited = [] } = starter.caller;
  return { ...starter, caller: { ...starter.caller, inherited: inherited.filter((name) => tools.has(name)) } };
}
