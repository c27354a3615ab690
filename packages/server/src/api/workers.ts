import { Problem } from "../http/reply/problem.ts";
import { defineRoute, type RoutesOf } from "../http/route.ts";
import type { WorkerPoolInfo, WorkerPools } from "../rack/rack.ts";
import { listOf, objectOf, ok } from "./_answers.ts";

export interface WorkerAnswers {
  "GET /workers": WorkerPools;
  "POST /workers/{instance}/drain": { readonly instance: string };
}

const text = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;
const time = { type: "number", description: "Milliseconds since 1970." } as const;
const workerSchema = objectOf<WorkerPoolInfo["workers"][number]>(
  {
    instance: { ...text, description: "Of this process; another one after a restart." },
    key: { ...text, description: "Its public key." },
    version: text,
    state: { enum: ["open", "full", "draining", "gone"] },
    slots: { ...count, description: "How many calls it runs at the same time." },
    running: count,
    tools: count,
    startedAt: time,
    seenAt: time,
  },
  ["version"],
);
const poolSchema = objectOf<WorkerPoolInfo>(
  {
    source: text,
    pool: text,
    state: { enum: ["ready", "failed", "starting", "disabled", "waiting-for-approval"] },
    error: text,
    broker: { enum: ["connected", "away"], description: "Absent where workers connect to the server." },
    tools: count,
    workers: listOf(workerSchema),
    problems: { ...listOf(text), description: "Workers that are refused, each with the reason and the fix." },
  },
  ["error", "broker"],
);

const list = defineRoute({
  method: "GET",
  path: "/workers",
  id: "listWorkers",
  group: "sources",
  summary: "List the pools of workers as this server sees them, and the public key by which workers know the servers of this store.",
  needs: ["subscriber", "curator", "admin"],
  answers: ok("All pools.", objectOf<WorkerPools>({ publicKey: text, pools: listOf(poolSchema) })),
  run: ({ rack }) => ({ body: rack.sources.workers() }),
});

const drain = defineRoute({
  method: "POST",
  path: "/workers/{instance}/drain",
  id: "drainWorker",
  group: "sources",
  summary: "Ask a worker to take no more calls, and to end when those that it has have ended.",
  needs: ["admin"],
  params: {
    type: "object",
    properties: { instance: { type: "string", minLength: 1, maxLength: 100 } },
    required: ["instance"],
    additionalProperties: false,
  },
  answers: ok("The worker was asked.", objectOf<WorkerAnswers["POST /workers/{instance}/drain"]>({ instance: text })),
  run({ rack, params: { instance } }) {
    if (!rack.sources.drain(instance)) throw new Problem(404, "NOT_FOUND", `There is no worker "${instance}". See: toolrack workers list`);
    return { body: { instance } };
  },
});

export const workerRoutes: RoutesOf<WorkerAnswers> = [list, drain];
