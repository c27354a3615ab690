import { defineRoute, type Route } from "../http/route.ts";
import { objectOf, ok } from "./_answers.ts";
import { checksSchema, readReadiness, type ServerChecks } from "./shared/readiness.ts";

interface ReadyReport {
  readonly status: "ready" | "not-ready";
  readonly checks: ServerChecks;
  readonly missingSources?: readonly string[];
}

const readySchema = objectOf<ReadyReport>(
  {
    status: { enum: ["ready", "not-ready"] },
    checks: checksSchema,
    missingSources: { type: "array", items: { type: "string" }, description: "Required sources that are not there, by id." },
  },
  ["missingSources"],
);

const ready = defineRoute({
  method: "GET",
  path: "/ready",
  atRoot: true,
  isProbe: true,
  id: "getReadiness",
  group: "health",
  summary:
    "Tell whether the server can do its work: the store takes writes, the master key fits, migrations are done, required sources are there, no shutdown has begun.",
  needs: "public",
  answers: { ...ok("Ready.", readySchema), 503: { description: "Not ready: send no requests to it.", schema: readySchema } },
  async run({ rack, server }) {
    const { isReady, checks, missingSources } = await readReadiness(rack, server);
    const status = isReady ? ("ready" as const) : ("not-ready" as const);
    return { status: isReady ? 200 : 503, body: { status, checks, ...(missingSources.length > 0 && { missingSources }) } };
  },
});

export const readyRoutes: readonly Route[] = [ready];
