import type { CallSummary, SummaryOverTime } from "@toolrack/store";
import { defineRoute, type RoutesOf } from "../http/route.ts";
import { Problem } from "../http/reply/problem.ts";
import { type FieldsOf, listOf, objectOf, ok } from "./_answers.ts";
import { ownPrincipals } from "./shared/callers.ts";
import { visibleTools } from "./_visible.ts";

export interface UsageReport {
  readonly from: number;
  readonly to: number;
  readonly bucketMs: number;
  readonly isComplete: boolean;
  readonly tools: readonly ToolUsageReport[];
  readonly total: TotalUsageReport;
}

/** All these tools together. */
export interface TotalUsageReport extends CallCounts {
  readonly buckets: readonly UsageBucket[];
}

export interface ToolUsageReport extends CallCounts {
  readonly tool: string;
  /** Failed calls divided by calls: from 0 to 1. */
  readonly errorRate: number;
  /** When the last of these calls was logged, as an ISO date. */
  readonly lastUsed: string;
  readonly buckets: readonly UsageBucket[];
}

/** Calls of one tool in one period of time. */
export interface UsageBucket extends CallCounts {
  readonly at: number;
}

type CallCounts = Omit<CallSummary, "lastAt">;

export interface UsageAnswers {
  "GET /usage": UsageReport;
}

const countFields: FieldsOf<CallCounts> = {
  calls: { type: "integer" },
  errors: { type: "integer", description: "Calls that failed. Refused, invalid and denied calls are counted apart." },
  refused: { type: "integer", description: "Calls that a rule, a limit or a missing approval kept from running." },
  invalid: { type: "integer", description: "Calls of an unknown tool, or with invalid input." },
  denied: { type: "integer", description: "Calls that a person denied." },
  p50Ms: { type: "number", description: "The median duration, without the time that calls waited for people." },
  p95Ms: { type: "number", description: "The 95th percentile, without that time." },
};
const usageBucketSchema = objectOf<UsageBucket>({
  at: { type: "number", description: "The start of the period, in milliseconds since 1970." },
  ...countFields,
});

const usage = defineRoute({
  method: "GET",
  path: "/usage",
  id: "getUsage",
  group: "calls",
  isCompressed: true,
  isHeavy: true,
  summary: "Get usage statistics of tools over time (role subscriber: of all callers).",
  query: {
    type: "object",
    properties: {
      tool: { type: "string" },
      from: { type: "number", description: "Milliseconds since 1970, when a call was logged. Default: one day ago." },
      to: { type: "number", description: "Default: now." },
      bucketMs: { type: "integer", minimum: 1_000, default: 3_600_000 },
    },
    additionalProperties: false,
  },
  answers: ok(
    "Each tool with its stretches of time that had calls, in order, and all tools together.",
    objectOf<UsageReport>({
      from: { type: "number" },
      to: { type: "number" },
      bucketMs: { type: "integer" },
      isComplete: {
        type: "boolean",
        description: "False if there were more than 50,000 calls, or more than 500 tools: the oldest are left out.",
      },
      tools: listOf(
        objectOf<ToolUsageReport>({
          tool: { type: "string" },
          ...countFields,
          errorRate: { type: "number", description: "Failed calls divided by calls: from 0 to 1." },
          lastUsed: { type: "string", format: "date-time", description: "When the last of these calls was logged." },
          buckets: listOf(usageBucketSchema),
        }),
      ),
      total: objectOf<TotalUsageReport>({ ...countFields, buckets: listOf(usageBucketSchema) }),
    }),
  ),
  async run(request) {
    const { rack, identity, query } = request;
    const isVisible = visibleTools(request);
    const { tool, bucketMs } = query;
    const to = Math.floor(query.to ?? Date.now() + 1);
    const from = Math.floor(query.from ?? to - 86_400_000);
    if ((to - from) / bucketMs > maxBuckets)
      throw new Problem(
        400,
        "REQUEST_INVALID",
        `That would be more than ${maxBuckets} stretches of time. Ask for less time, or longer stretches.`,
      );
    const own = identity.roles.has("subscriber") ? {} : { agent: identity.agent, principals: ownPrincipals(identity) };
    const usage = await rack.calls.usage({
      from,
      to,
      bucketMs,
      includes: isVisible,
      ...(tool !== undefined && { tool }),
      ...own,
    });
    const tools = usage.tools.map((sum) => ({
      tool: sum.tool,
      ...overTime(sum),
      errorRate: sum.errors / sum.calls,
      lastUsed: new Date(sum.lastAt).toISOString(),
    }));
    if (tools.reduce((sum, { buckets }) => sum + buckets.length, 0) > maxStretches)
      throw new Problem(
        400,
        "REQUEST_INVALID",
        `The answer would have more than ${maxStretches} stretches of time of all tools together. Ask for one tool, less time, or longer stretches.`,
      );
    return { body: { from, to, bucketMs, isComplete: usage.isComplete, tools, total: overTime(usage.total) } };
  },
});

const maxBuckets = 5_000;
/** Of all tools together: less than two megabytes. */
const maxStretches = 10_000;

function overTime({ buckets, ...sum }: SummaryOverTime): TotalUsageReport {
  return { ...toNumbers(sum), buckets: buckets.map(({ at, ...one }) => ({ at, ...toNumbers(one) })) };
}

function toNumbers({ calls, errors, refused, invalid, denied, p50Ms, p95Ms }: CallSummary): CallCounts {
  return { calls, errors, refused, invalid, denied, p50Ms, p95Ms };
}

export const usageRoutes: RoutesOf<UsageAnswers> = [usage];
