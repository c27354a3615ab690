import { type CallContext, type Caller, ToolError, ToolInputError } from "@toolrack/core";
import type { Schedule, SchedulePlan, SchedulesHost } from "@toolrack/tools";
import type { Author } from "../audit/author.ts";
import type { Maker } from "../automation/maker.ts";
import type { NewSchedule, ScheduleInfo, Schedules } from "../automation/schedules/schedules.ts";
import type { Jobs } from "../jobs/jobs.ts";

interface ScheduleParts {
  readonly schedules: Schedules;
  readonly jobs: Pick<Jobs, "list">;
}

/** The schedules of this server with the eyes and the rights of whoever calls. */
export function createSchedulesHost(parts: () => ScheduleParts): SchedulesHost {
  const seen = async (context: CallContext, id: string): Promise<ScheduleInfo | undefined> => {
    const found = await parts().schedules.get(id);
    return found !== undefined && isOwn(context.caller, found.runsAs) ? found : undefined;
  };
  /** One that the caller may change; undefined if it sees none. */
  const changeable = async (context: CallContext, id: string): Promise<ScheduleInfo | undefined> => {
    const found = await seen(context, id);
    if (found !== undefined) demandNotBelow(context.caller, found);
    return found;
  };
  return {
    async list({ caller }) {
      return parts()
        .schedules.list()
        .filter(({ runsAs }) => isOwn(caller, runsAs))
        .map(toSchedule);
    },
    async get(context, id) {
      const found = await seen(context, id);
      return found && toSchedule(found);
    },
    async add(context, id, plan) {
      if ((await seen(context, id)) !== undefined)
        throw new ToolInputError(
          `There is a plan ${JSON.stringify(id)} of yours. Change it with the action "update", or choose another jobId.`,
        );
      if ((await parts().schedules.get(id)) !== undefined)
        throw new ToolInputError(`The name ${JSON.stringify(id)} is taken. Choose another jobId.`);
      return toSchedule(await parts().schedules.add(newSchedule(context, id, plan)));
    },
    async change(context, id, changes) {
      const found = await changeable(context, id);
      if (found === undefined) return undefined;
      demandShort(id, { ...found.spec, ...changes });
      const changed = await parts().schedules.change(asked(context, id, changes));
      return changed && toSchedule(changed);
    },
    async pause(context, id) {
      const found = await changeable(context, id);
      const paused = found && (await parts().schedules.pause(id, authorOf(context.caller)));
      return paused && toSchedule(paused);
    },
    async resume(context, id) {
      const found = await changeable(context, id);
      const resumed = found && (await parts().schedules.resume(id, authorOf(context.caller)));
      return resumed && toSchedule(resumed);
    },
    async remove(context, id) {
      return (await changeable(context, id)) !== undefined && parts().schedules.remove(id, authorOf(context.caller));
    },
    async run(context, id) {
      const found = await changeable(context, id);
      return found && parts().schedules.run(id, authorOf(context.caller));
    },
    async runs(context, id, limit) {
      if ((await seen(context, id)) === undefined) return undefined;
      const jobs = await parts().jobs.list({ origin: `schedule:${id}`, limit });
      return jobs.map(({ id: job, state, startedAt, endedAt }) => ({
        job,
        state,
        ...(startedAt !== undefined && { startedAt: timeOf(startedAt) }),
        ...(endedAt !== undefined && { endedAt: timeOf(endedAt) }),
      }));
    },
  };
}

function newSchedule(context: CallContext, id: string, spec: SchedulePlan): NewSchedule {
  demandShort(id, spec);
  return asked(context, id, spec);
}

/** What a tool plans waits for a person, also in a run of the owner. */
function asked({ caller }: CallContext, id: string, spec: Partial<SchedulePlan>): NewSchedule {
  return { id, spec, caller, by: authorOf(caller), asksPerson: true };
}

function demandShort(id: string, plan: object): void {
  const { length } = JSON.stringify(plan);
  if (length > maxChars)
    throw new ToolError(
      "CONFIG_INVALID",
      `The plan "${id}" has ${length} characters; it may have at most ${maxChars} characters, so that a person reads all of it. Plan less.`,
    );
}

const maxChars = 20_000;

/** Of the same tenant, sign-in and agent; in a conversation, of the same one. */
function isOwn(caller: Caller, maker: Maker): boolean {
  if (caller.tenant !== maker.tenant || caller.principal !== maker.principal || caller.agent !== maker.agent) return false;
  return (["channel", "group", "sender"] as const).every((fact) => caller[fact] === undefined || caller[fact] === maker[fact]);
}

/** Whoever has less than the maker of a schedule neither stops it nor uses its rights. */
function demandNotBelow(caller: Caller, { id, runsAs }: ScheduleInfo): void {
  const isDeeper = (caller.subagentDepth ?? 0) > (runsAs.subagentDepth ?? 0);
  const isNarrower = caller.inherited !== undefined && JSON.stringify(caller.inherited) !== JSON.stringify(runsAs.inherited);
  const isBoxed = caller.sandboxed === true && runsAs.sandboxed !== true;
  if (isDeeper || isNarrower || isBoxed)
    throw new ToolError(
      "TOOL_NOT_ALLOWED",
      `The plan "${id}" was made with more rights than this session has, so it cannot be changed or run here. Ask the session that spawned this one.`,
    );
}

function authorOf({ agent = "", principal = "" }: Caller): Author {
  return { agent, principal };
}

function toSchedule({ id, spec, state, reason, nextAt, last }: ScheduleInfo): Schedule {
  const { tool, input, at, everyMs, cron, tz, description } = spec;
  const plan = { tool, input, at, everyMs, cron, tz, description, reason };
  return {
    ...(Object.fromEntries(Object.entries(plan).filter(([, part]) => part !== undefined)) as unknown as SchedulePlan),
    id,
    state,
    ...(nextAt !== undefined && { nextRun: timeOf(nextAt) }),
    ...(last !== undefined && { lastRun: { ...last, due: timeOf(last.due) } }),
  };
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
