import { defineRoute, type Route, type RouteRequest } from "../http/route.ts";
import { programsState, programsStates } from "../rack/isolation.ts";
import { listOf, objectOf, ok } from "./_answers.ts";

const text = { type: "string" } as const;
const stateSchema = objectOf({ status: { enum: ["ok", "unavailable"] } });

const live = defineRoute({
  method: "GET",
  path: "/health/live",
  atRoot: true,
  id: "getLiveness",
  group: "health",
  summary: "Tell whether the process answers.",
  needs: "public",
  answers: ok("It does.", stateSchema),
  run: () => ({ body: { status: "ok" } }),
});

const ready = defineRoute({
  method: "GET",
  path: "/health",
  atRoot: true,
  id: "getReadiness",
  group: "health",
  summary: "Tell whether the server can work: its store answers.",
  needs: "public",
  answers: { ...ok("It can.", stateSchema), 503: { description: "Its store does not answer.", schema: stateSchema } },
  async run({ rack }) {
    return (await isStoreReady(rack)) ? { body: { status: "ok" } } : { status: 503, body: { status: "unavailable" } };
  },
});

const details = defineRoute({
  method: "GET",
  path: "/health",
  id: "getHealth",
  group: "health",
  summary: "Tell how the server, its store and its sources are doing.",
  answers: ok(
    "As it is now.",
    objectOf({
      status: { enum: ["ok", "degraded", "unavailable"] },
      version: text,
      startedAt: { type: "number" },
      store: { enum: ["ok", "unavailable"] },
      tools: { type: "integer" },
      running: { type: "integer" },
      programs: { enum: programsStates, description: "How programs that tools start are run." },
      sources: listOf(objectOf({ id: text, state: { enum: ["ready", "failed"] }, tools: { type: "integer" }, error: text }, ["error"])),
    }),
  ),
  async run({ rack }) {
    const store = (await isStoreReady(rack)) ? "ok" : "unavailable";
    const sources = rack.registry.sources().map(({ id, state, tools, error }) => ({
      id,
      state,
      tools: tools.length,
      ...(error !== undefined && { error }),
    }));
    const isDegraded = sources.some(({ state }) => state === "failed");
    const status = store === "unavailable" ? "unavailable" : isDegraded ? "degraded" : "ok";
    const { version, startedAt, registry, running } = rack;
    return {
      body: {
        status,
        version,
        startedAt,
        store,
        tools: registry.count,
        running: running.list().length,
        programs: programsState(rack.config),
        sources,
      },
    };
  },
});

/** A store that hangs is as bad as one that fails. */
async function isStoreReady({ store }: RouteRequest["rack"]): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), 2_000);
  });
  const answered = store.sequence().then(
    () => true,
    () => false,
  );
  const isReady = await Promise.race([answered, late]);
  clearTimeout(timer);
  return isReady;
}

export const healthRoutes: readonly Route[] = [live, ready, details];
