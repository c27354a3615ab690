import { defineRoute, type Route } from "../http/route.ts";
import { objectOf, ok } from "./_answers.ts";
import { checksSchema, readReadiness, type ServerChecks } from "./shared/readiness.ts";

const readySchema = objectOf<{ readonly status: "ready" | "not-ready"; readonly checks: ServerChecks }>({
  status: { enum: ["ready", "not-ready"] },
  checks: checksSchema,
});

const ready = defineRoute({
  method: "GET",
  path: "/ready",
  atRoot: true,
  id: "getReadiness",
  group: "health",
  summary:
    "Tell whether the server can do its work: the store takes writes, the master key fits, migrations are done, no shutdown has begun.",
  needs: "public",
  answers: { ...ok("Ready.", readySchema), 503: { description: "Not ready: send no requests to it.", schema: readySchema } },
  async run({ rack, server }) {
    const { isReady, checks } = await readReadiness(rack, server);
    return { status: isReady ? 200 : 503, body: { status: isReady ? ("ready" as const) : ("not-ready" as const), checks } };
  },
});

export const readyRoutes: readonly Route[] = [ready];
