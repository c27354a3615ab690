import type { StoredCall } from "@toolrack/store";
import { Problem } from "../http/problem.ts";
import { defineRoute, type Route } from "../http/route.ts";
import type { Rack } from "../rack/rack.ts";
import { listOf, objectOf, ok } from "./_answers.ts";
import { isOwn } from "./_callers.ts";
import { visibleTools } from "./_visible.ts";

/** Calls of one tool in one stretch of time. */
export const usageBucketSchema = {
  type: "object",
  properties: {
    at: { type: "number", description: "Where the stretch begins, in milliseconds since 1970." },
    calls: { type: "integer" },
    errors: { type: "integer" },
    p50Ms: { type: "number" },
    p95Ms: { type: "number" },
  },
  required: ["at", "calls", "errors", "p50Ms", "p95Ms"],
  additionalProperties: false,
} as const;

const usage = defineRoute({
  method: "GET",
  path: "/usage",
  id: "getUsage",
  group: "calls",
  summary: "Read how much each tool was used over time, for plots. Without the role subscriber: one's own calls.",
  query: {
    type: "object",
    properties: {
      tool: { type: "string" },
      from: { type: "number", description: "Milliseconds since 1970. By default a day ago." },
      to: { type: "number", description: "By default now." },
      bucketMs: { type: "integer", minimum: 1_000, default: 3_600_000 },
    },
    additionalProperties: false,
  },
  answers: ok(
    "Each tool with its stretches of time that had calls, in order.",
    objectOf({
      from: { type: "number" },
      to: { type: "number" },
      bucketMs: { type: "integer" },
      isComplete: { type: "boolean", description: "False where there were more calls than are counted at once: the oldest are left out." },
      tools: listOf(
        objectOf({
          tool: { type: "string" },
          calls: { type: "integer" },
          errors: { type: "integer" },
          p50Ms: { type: "number" },
          p95Ms: { type: "number" },
          buckets: listOf(usageBucketSchema),
        }),
      ),
    }),
  ),
  async run(request) {
    const { rack, identity, query } = request;
    const isVisible = visibleTools(request);
    const { tool, to = Date.now(), from = to - 86_400_000, bucketMs = 3_600_000 } = query;
    if ((to - from) / bucketMs > maxBuckets)
      throw new Problem(
        400,
        "REQUEST_INVALID",
        `That would be more than ${maxBuckets} stretches of time. Ask for less time, or longer stretches.`,
      );
    const { calls, isComplete } = await readCalls(rack, { from, ...(tool !== undefined && { tool }) });
    const seesAll = identity.roles.has("subscriber");
    const byTool = new Map<string, StoredCall[]>();
    for (const call of calls) {
      if (call.startedAt >= to || (!seesAll && !isOwn(identity, call.caller)) || !isVisible(call.tool)) continue;
      const known = byTool.get(call.tool);
      if (known === undefined) byTool.set(call.tool, [call]);
      else known.push(call);
    }
    const tools = [...byTool].map(([name, own]) => ({ tool: name, ...summarise(own), buckets: toBuckets(own, from, bucketMs) }));
    return { body: { from, to, bucketMs, isComplete, tools: tools.sort((a, b) => b.calls - a.calls) } };
  },
});

const maxBuckets = 5_000;
const maxCalls = 50_000;
const pageSize = 1_000;

/** The newest first. */
async function readCalls(
  { calls: log }: Rack,
  query: { readonly from: number; readonly tool?: string },
): Promise<{ readonly calls: readonly StoredCall[]; readonly isComplete: boolean }> {
  const calls: StoredCall[] = [];
  for (let before: number | undefined; ;) {
    const page = await log.list({ ...query, limit: pageSize, ...(before !== undefined && { before }) });
    calls.push(...page);
    if (page.length < pageSize) return { calls, isComplete: true };
    if (calls.length >= maxCalls) return { calls, isComplete: false };
    before = page.at(-1)!.number;
  }
}

function toBuckets(calls: readonly StoredCall[], from: number, bucketMs: number): readonly unknown[] {
  const buckets = new Map<number, StoredCall[]>();
  for (const call of calls) {
    const at = from + Math.max(0, Math.floor((call.startedAt - from) / bucketMs)) * bucketMs;
    const known = buckets.get(at);
    if (known === undefined) buckets.set(at, [call]);
    else known.push(call);
  }
  return [...buckets].sort(([a], [b]) => a - b).map(([at, own]) => ({ at, ...summarise(own) }));
}

interface Summary {
  readonly calls: number;
  readonly errors: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

function summarise(calls: readonly StoredCall[]): Summary {
  const durations = calls.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
  const at = (share: number): number => durations[Math.max(0, Math.ceil(durations.length * share) - 1)] ?? 0;
  return { calls: calls.length, errors: calls.filter(({ ok: isOk }) => !isOk).length, p50Ms: at(0.5), p95Ms: at(0.95) };
}

export const usageRoutes: readonly Route[] = [usage];
