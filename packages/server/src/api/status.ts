import { defineRoute, type RoutesOf } from "../http/route.ts";
import { startupModes } from "../config/jobs.ts";
import type { StartupTool } from "../rack/jobs/jobs.ts";
import { type ClusterStatus, readStatus, type ServerLine } from "../rack/cluster/status.ts";
import type { PoolFacts } from "../rack/cluster/pool-facts.ts";
import type { LeaseFacts, ServerInfo } from "../rack/cluster/server-info.ts";
import type { DownSource, SourceFacts } from "../rack/cluster/source-facts.ts";
import { listOf, objectOf, ok } from "./_answers.ts";
import { checksSchema, readReadiness, type ServerChecks } from "./shared/readiness.ts";

/** One server of the store. */
export type ServerState = Omit<ServerLine, "info"> &
  Pick<ServerInfo, "host" | "pid" | "version" | "node" | "startedAt" | "sources" | "pools" | "leases">;

export interface StatusReport extends Omit<ClusterStatus, "readiness" | "servers" | "differences"> {
  readonly ready: boolean;
  readonly checks: ServerChecks;
  readonly problems: readonly string[];
  readonly notes: readonly string[];
  readonly servers?: readonly ServerState[];
}

export interface StatusAnswers {
  "GET /status": StatusReport;
}

const text = { type: "string" } as const;
const count = { type: "integer" } as const;
const comparison = { enum: ["same", "different", "unknown"] } as const;

const serverSchema = objectOf<ServerState>(
  {
    name: text,
    isThis: { type: "boolean", description: "Whether it is the server that answers." },
    status: { enum: ["active", "inactive"], description: "Inactive: no report for a while." },
    lastSeen: { ...text, description: "When it last reported." },
    host: text,
    pid: count,
    version: text,
    node: text,
    startedAt: { type: "number", description: "Milliseconds since 1970." },
    masterKey: { ...comparison, description: "Compared with the server that answers." },
    config: { ...comparison, description: "The configuration in force, compared with the server that answers." },
    configDigest: { ...text, description: "Of the whole configuration in force: servers with the same one have the same." },
    differs: { ...listOf<string>(text), description: "Sections of the configuration that differ." },
    lag: { ...count, description: "How many changes of the store the server is behind, as of its last report." },
    running: { ...count, description: "Its running calls." },
    sources: objectOf<SourceFacts>({
      states: { type: "object", additionalProperties: count, description: "How many of its sources are in which state." },
      down: {
        ...listOf(objectOf<DownSource>({ id: text, state: text, reason: text }, ["reason"])),
        description: "Those that are not ready, though nobody disabled them; with many, the first ones.",
      },
    }),
    pools: {
      ...listOf(
        objectOf<PoolFacts>({ source: text, broker: { enum: ["connected", "away"] }, workers: count, slots: count, running: count }, [
          "broker",
        ]),
      ),
      description: "The pools of workers as it sees them. Without a broker, workers connect to the server itself.",
    },
    leases: {
      ...objectOf<LeaseFacts>({ lost: count, taken: count }),
      description: "Since its start: how often others took its lease, and from how many servers that ended it took theirs.",
    },
  },
  ["lastSeen", "host", "pid", "version", "node", "startedAt", "configDigest", "lag", "sources", "pools", "leases"],
);

const startupSchema = objectOf<StartupTool>(
  {
    tool: text,
    mode: { enum: startupModes },
    priority: count,
    state: { enum: ["pending", "waiting", "running", "done", "dead", "cancelled"] },
    job: { ...text, description: "The newest job that calls it." },
    error: text,
  },
  ["job", "error"],
);

const show = defineRoute({
  method: "GET",
  path: "/status",
  id: "getStatus",
  group: "health",
  summary: "Show the servers of the store, the store itself, and what waits or fails, as this server sees it.",
  needs: ["subscriber", "curator", "admin"],
  answers: ok(
    "As it is now. What a store that is away cannot tell is left out.",
    objectOf<StatusReport>(
      {
        ready: { type: "boolean", description: "The result of GET /ready." },
        checks: checksSchema,
        problems: { ...listOf<string>(text), description: "Problems for the operator." },
        notes: listOf(text),
        servers: listOf(serverSchema),
        store: objectOf<StatusReport["store"]>(
          {
            kind: { enum: ["memory", "sqlite", "postgres"] },
            wakeUps: { ...text, description: "How changes of other servers arrive here: listen, polling, file, memory." },
            pool: {
              ...objectOf<NonNullable<StatusReport["store"]["pool"]>>({ max: count, inUse: count, idle: count, waiting: count }),
              description: "Connections of this server to the database.",
            },
            newestChange: count,
            bytes: { ...count, description: "What it takes on its disk, or its tables in the database." },
            migrations: objectOf<NonNullable<StatusReport["store"]["migrations"]>>({ applied: count, known: count }),
          },
          ["pool", "newestChange", "bytes", "migrations"],
        ),
        waiting: objectOf<StatusReport["waiting"]>(
          {
            approvals: count,
            configChanges: count,
            unwrittenEnds: { ...count, description: "Ends of calls of this server that wait until the store accepts them." },
            oldestJobMs: {
              type: "number",
              description: "How long the job of any server has been due that waits longest; 0 if none is due.",
            },
          },
          ["approvals", "oldestJobMs"],
        ),
        unrecordedCalls: { ...count, description: "Calls of this server that are missing in the audit log, since it started." },
        running: { ...count, description: "Running calls of all servers." },
        jobs: {
          ...objectOf<NonNullable<StatusReport["jobs"]>>({ waiting: count, running: count, done: count, dead: count, cancelled: count }),
          description: "Jobs of all servers that are stored, by state.",
        },
        startup: { ...listOf(startupSchema), description: "Tools that are called at the start; absent if there are none." },
        sources: objectOf<StatusReport["sources"]>({
          total: count,
          failed: listOf(objectOf<StatusReport["sources"]["failed"][number]>({ id: text, error: text }, ["error"])),
        }),
      },
      ["servers", "running", "jobs", "startup"],
    ),
  ),
  async run({ rack, server }) {
    const [{ isReady, checks, problems }, status] = await Promise.all([readReadiness(rack, server), readStatus(rack)]);
    const { servers, differences, readiness: _, problems: elsewhere, notes, ...rest } = status;
    return {
      body: {
        ready: isReady,
        checks,
        problems: [...problems, ...differences.filter(({ level }) => level === "warning").map(({ message }) => message), ...elsewhere],
        notes: [...differences.filter(({ level }) => level === "note").map(({ message }) => message), ...notes],
        ...(servers !== undefined && {
          servers: servers.map(({ info: { keyId: _key, config: _digest, feed: _feed, log: _log, ...info }, ...line }) => ({
            ...line,
            ...info,
          })),
        }),
        ...rest,
      },
    };
  },
});

export const statusRoutes: RoutesOf<StatusAnswers> = [show];
