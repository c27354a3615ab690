import type { Caller, Registry } from "@toolrack/core";
import { inheritTools } from "@toolrack/core/policy";
import type { Session } from "@toolrack/store";
import { type RunnableAgent, withModel } from "../../config/agents.ts";
import type { SessionAbove, Starter } from "./host-state.ts";
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
  /** What the session was given: this is kept of it, since what those above it have lost may come back. */
  readonly given: Starter;
  readonly now: Starter;
}

/** More than may be spawned below each other. */
const maxDepth = 20;

/**
 * Answers with which rights a session goes on: those that whoever began it has now. One that has its task from another session has no tool that
 * a session above it has lost since, or the agent of one that is gone; unless its agent has rights of its own, and it was not spawned.
 */
export function createRightsNow({ registry, get, find, starterOf, presentCaller }: RightsNowOptions) {
  return async function rightsNow(agent: RunnableAgent, session: Session, starter: Starter): Promise<RightsNow> {
    const given = inheritRights(agent, starter, starter.caller, registry);
    if (given.spawned === undefined && agent.ownRights === true) return { given, now: given };
    let now = given;
    for (const { session: id, agent: name, model } of given.above ?? (await parentsOf(session))) {
      const ofAbove = find(name);
      if (ofAbove === undefined) continue;
      const found = await get(id);
      const begun = found && starterOf(found);
      const caller = begun && (await presentCaller(begun.caller));
      if (typeof caller === "string") return { given, now: only(agent, given, new Set()) };
      const starterAbove = caller === undefined ? now : inheritRights(ofAbove, { ...begun!, caller }, caller, registry);
      const { tools } = registry.view(callerOf(withModel(ofAbove, found?.model ?? model), starterAbove));
      now = only(agent, now, new Set(inheritTools(tools).inherited));
    }
    return { given, now };
  };

  /** Leaves of what it has only these tools. */
  function only(agent: RunnableAgent, starter: Starter, tools: ReadonlySet<string>): Starter {
    const had = starter.caller.inherited ?? inheritTools(registry.view(callerOf(agent, starter)).tools).inherited;
    const left = had.filter((name) => tools.has(name));
    return left.length === had.length ? starter : { ...starter, caller: { ...starter.caller, inherited: left } };
  }

  async function parentsOf(session: Session): Promise<readonly SessionAbove[]> {
    const above: SessionAbove[] = [];
    for (let at: Session | undefined = session; at?.parent !== undefined && above.length < maxDepth;) {
      at = await get(at.parent);
      if (at !== undefined) above.push({ session: at.id, agent: at.agent });
    }
    return above;
  }
}
