import type { Identity } from "../http/sign-in/identity.ts";
import { defineRoute, type Route, type RoutesOf } from "../http/route.ts";
import { clusterProblems } from "../rack/cluster/cluster-problems.ts";
import { type ProgramsState, programsState, programsStates } from "../rack/tools/isolation.ts";
import { listOf, objectOf, ok } from "./_answers.ts";
import { checksSchema, readReadiness, type ServerChecks } from "./shared/readiness.ts";

const text = { type: "string" } as const;

export interface HealthReport {
  readonly status: "ok" | "degraded" | "unavailable";
  readonly ready: boolean;
  readonly checks: ServerChecks;
  /** Problems for the operator; for subscribers and the owner. */
  readonly problems?: readonly string[];
  readonly notes?: readonly string[];
  /** What is probably a mistake in the policy; for subscribers and the owner. */
  readonly warnings?: readonly string[];
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

/** The second one is an older path: "/health" used to report readiness. */
const [alive, aliveAsBefore] = ["/health", "/health/live"].map((path, index) =>
  defineRoute({
    method: "GET",
    path,
    atRoot: true,
    isProbe: true,
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
  summary: "Show the state of the server, its store and its sources.",
  answers: ok(
    "As it is now.",
    objectOf<HealthReport>(
      {
        status: { enum: ["ok", "degraded", "unavailable"] },
        ready: { type: "boolean", description: "The result of GET /ready." },
        checks: checksSchema,
        problems: { ...listOf<string>(text), description: "Problems for the operator (role subscriber)." },
        notes: { ...listOf<string>(text), description: "Notes, such as servers of another version." },
        warnings: { ...listOf<string>(text), description: "Probable mistakes in the policy (role subscriber)." },
        version: text,
        startedAt: { type: "number" },
        store: { enum: ["ok", "unavailable"] },
        tools: { type: "integer" },
        running: { type: "integer" },
        programs: { enum: programsStates, description: "How programs of tools run." },
        sources: listOf(
          objectOf<SourceHealth>({ id: text, state: { enum: ["ready", "failed"] }, tools: { type: "integer" }, error: text }, ["error"]),
        ),
      },
      ["problems", "notes", "warnings"],
    ),
  ),
  async run({ rack, server, identity }) {
    const { isReady, checks, problems } = await readReadiness(rack, server);
    const cluster = checks.store === "unavailable" ? { differences: [] } : await rack.cluster.recent(1_000);
    const { differences } = cluster;
    const elsewhere = clusterProblems(cluster);
    const differing = differences.filter(({ level }) => level === "warning").map(({ message }) => message);
    const sources = rack.registry.sources().map(({ id, state, tools, error }) => ({
      id,
      state,
      tools: tools.length,
      ...(error !== undefined && { error }),
    }));
    const { version, startedAt, registry, running } = rack;
    return {
      body: {
        status: stateOf(isReady && checks.store === "ok" && differing.length === 0, checks.store, sources),
        ready: isReady,
        checks,
        ...(isOperator(identity) && {
          problems: [...problems, ...differing, ...elsewhere.problems],
          notes: [...differences.filter(({ level }) => level === "note").map(({ message }) => message), ...elsewhere.notes],
          warnings: (await rack.policyWarnings.list()).map(({ message }) => message),
        }),
        version,
        startedAt,
        store: checks.store === "ok" || checks.store === "slow" ? ("ok" as const) : ("unavailable" as const),
        tools: registry.count,
        running: running.list().length,
        programs: programsState(rack.config),
        sources,
      },
    };
  },
});

/** Whether the caller operates the server: its problems are not shown to every agent. */
function isOperator({ roles }: Identity): boolean {
  return roles.has("subscriber") || roles.has("owner");
}

/** A failed source and a differing server are reported, but the server is still ready. */
function stateOf(isWell: boolean, store: string, sources: readonly { readonly state: string }[]): "ok" | "degraded" | "unavailable" {
  if (store === "unavailable") return "unavailable";
  return !isWell || sources.some(({ state }) => state === "failed") ? "degraded" : "ok";
}

const apiRoutes: RoutesOf<HealthAnswers> = [details];

export const healthRoutes: readonly Route[] = [alive!, aliveAsBefore!, ...apiRoutes];
