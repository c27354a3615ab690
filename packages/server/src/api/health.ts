import type { Identity } from "../http/sign-in/identity.ts";
import { defineRoute, type Route, type RoutesOf } from "../http/route.ts";
import { type ProgramsState, programsState, programsStates } from "../rack/tools/isolation.ts";
import { listOf, objectOf, ok } from "./_answers.ts";
import { checksSchema, readReadiness, type ServerChecks } from "./_readiness.ts";

const text = { type: "string" } as const;

export interface HealthReport {
  readonly status: "ok" | "degraded" | "unavailable";
  readonly ready: boolean;
  readonly checks: ServerChecks;
  /** What an operator should act on; for subscribers and the owner. */
  readonly problems?: readonly string[];
  readonly notes?: readonly string[];
  readonly version: string;
  readonly startedAt: number;
  readonly store: "ok" | "unavailable";
  readonly tools: number;
  readonly running: number;
  readonly programs: ProgramsState;
  readonly sources: readonly SourceHealth[];
}

export interface SourceHealth {
  readonly id: string;
  readonly state: "ready" | "failed";
  readonly tools: number;
  readonly error?: string;
}

export interface HealthAnswers {
  "GET /health": HealthReport;
}

const aliveSchema = objectOf<{ readonly status: "ok" }>({ status: { const: "ok" } });

/** The second one is the address of before: "/health" told then whether the server was ready. */
const [alive, aliveAsBefore] = ["/health", "/health/live"].map((path, index) =>
  defineRoute({
    method: "GET",
    path,
    atRoot: true,
    id: index === 0 ? "getLiveness" : "getLivenessAsBefore",
    group: "health",
    summary:
      index === 0 ? "Tell that the process answers, whatever the store does." : "The same as GET /health, under the address of before.",
    needs: "public",
    answers: ok("It does.", aliveSchema),
    run: () => ({ body: { status: "ok" as const } }),
  }),
);

const details = defineRoute({
  method: "GET",
  path: "/health",
  id: "getHealth",
  group: "health",
  summary: "Tell how the server, its store and its sources are doing.",
  answers: ok(
    "As it is now.",
    objectOf<HealthReport>(
      {
        status: { enum: ["ok", "degraded", "unavailable"] },
        ready: { type: "boolean", description: "What GET /ready says." },
        checks: checksSchema,
        problems: { ...listOf<string>(text), description: "What somebody should do something about, for operators (subscriber)." },
        notes: { ...listOf<string>(text), description: "What is worth knowing, such as servers of another version." },
        version: text,
        startedAt: { type: "number" },
        store: { enum: ["ok", "unavailable"] },
        tools: { type: "integer" },
        running: { type: "integer" },
        programs: { enum: programsStates, description: "How programs that tools start are run." },
        sources: listOf(
          objectOf<SourceHealth>({ id: text, state: { enum: ["ready", "failed"] }, tools: { type: "integer" }, error: text }, ["error"]),
        ),
      },
      ["problems", "notes"],
    ),
  ),
  async run({ rack, server, identity }) {
    const { isReady, checks, problems } = await readReadiness(rack, server);
    const differences = checks.store === "unavailable" ? [] : await rack.agreement.knownDifferences();
    const warnings = differences.filter(({ level }) => level === "warning").map(({ message }) => message);
    const sources = rack.registry.sources().map(({ id, state, tools, error }) => ({
      id,
      state,
      tools: tools.length,
      ...(error !== undefined && { error }),
    }));
    const { version, startedAt, registry, running } = rack;
    return {
      body: {
        status: stateOf(isReady && warnings.length === 0, checks.store, sources),
        ready: isReady,
        checks,
        ...(isOperator(identity) && {
          problems: [...problems, ...warnings],
          notes: differences.filter(({ level }) => level === "note").map(({ message }) => message),
        }),
        version,
        startedAt,
        store: checks.store === "ok" ? ("ok" as const) : ("unavailable" as const),
        tools: registry.count,
        running: running.list().length,
        programs: programsState(rack.config),
        sources,
      },
    };
  },
});

/** Who operates the server: what is wrong with it is not for every agent. */
function isOperator({ roles }: Identity): boolean {
  return roles.has("subscriber") || roles.has("owner");
}

/** A failed source, and another server that differs, are told, and make no server unready. */
function stateOf(isWell: boolean, store: string, sources: readonly { readonly state: string }[]): "ok" | "degraded" | "unavailable" {
  if (store === "unavailable") return "unavailable";
  return !isWell || sources.some(({ state }) => state === "failed") ? "degraded" : "ok";
}

const apiRoutes: RoutesOf<HealthAnswers> = [details];

export const healthRoutes: readonly Route[] = [alive!, aliveAsBefore!, ...apiRoutes];
