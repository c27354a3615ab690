import { type CallContext, defineTool, type ToolDefinition, ToolInputError } from "@toolrack/core";
import { type CronInput, cronOutput, cronSchema } from "./cron-input.ts";
import type { Schedule, SchedulePlan, SchedulesHost } from "./schedules-host.ts";

export function createCron(host: SchedulesHost): ToolDefinition {
  return defineTool({
    name: "cron",
    title: "Plan calls",
    description:
      "Plans calls of tools: once, every so often, or by a cron expression. A new or changed plan waits until a person approves it, and runs with the rights of its maker, never with more.",
    inputSchema: cronSchema,
    outputSchema: cronOutput,
    metadata: {
      category: "automation",
      optionality: "optional",
      usageHint: "For reminders and for work that repeats. After add or update, tell the user that the plan waits for approval.",
      examples: [{ description: "See the own plans", input: { action: "list" }, usage: "result.jobs[0].state" }],
      annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
      limits: { timeoutMs: 30_000, maxResultBytes: 1_048_576, concurrency: 4 },
      groups: ["automation"],
    },
    handler: (input, context) => answer(host, input as unknown as CronInput, context),
  });
}

async function answer(host: SchedulesHost, input: CronInput, context: CallContext): Promise<object> {
  const { action, jobId = "", limit = 20 } = input;
  switch (action) {
    case "list":
      return { jobs: (await host.list(context)).map(toJob) };
    case "get":
      return { job: toJob((await host.get(context, jobId)) ?? missing(jobId)) };
    case "add":
      return told(await host.add(context, jobId, planOf(input)));
    case "update":
      return update(host, input, context);
    case "remove":
      if (!(await host.remove(context, jobId))) missing(jobId);
      return { removed: jobId };
    case "run": {
      const { job } = (await host.run(context, jobId)) ?? missing(jobId);
      return { run: { job, state: "waiting" } };
    }
    case "runs":
      return { runs: [...((await host.runs(context, jobId, limit)) ?? missing(jobId))] };
  }
}

/** Pausing and resuming is no new plan; everything else is. */
async function update(host: SchedulesHost, input: CronInput, context: CallContext): Promise<object> {
  const { jobId = "", enabled } = input;
  const parts = partsOf(input);
  const isChanged = Object.keys(parts).length > 0;
  if (enabled === undefined && !isChanged) throw new ToolInputError('"update" changes nothing. Give "enabled", or a part of the plan.');
  if (enabled !== undefined && isChanged)
    throw new ToolInputError('"enabled" is changed alone: a changed plan waits for a person, and runs once it is approved.');
  const changed = isChanged
    ? await host.change(context, jobId, parts)
    : await (enabled === true ? host.resume(context, jobId) : host.pause(context, jobId));
  return told(changed ?? missing(jobId));
}

function planOf(input: CronInput): SchedulePlan {
  return { ...partsOf(input), tool: input.tool! };
}

function partsOf({ tool, input, at, everyMs, cron, tz, description }: CronInput): Partial<SchedulePlan> {
  const parts = { tool, input, at, everyMs, cron, tz, description };
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined));
}

function toJob({ id, ...rest }: Schedule): object {
  return { jobId: id, ...rest };
}

function told(schedule: Schedule): object {
  const isWaiting = schedule.state === "waiting";
  return { job: toJob(schedule), ...(isWaiting && { note: "It waits for a person, and does not run before it is approved." }) };
}

function missing(id: string): never {
  throw new ToolInputError(`There is no plan ${JSON.stringify(id)} of yours. List them with the action "list".`);
}
