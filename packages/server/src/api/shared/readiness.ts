import type { SchemaOf } from "../../http/route.ts";
import type { ServerParts } from "../../http/request/server-parts.ts";
import type { Rack } from "../../rack/rack.ts";
import type { ReadinessChecks } from "../../rack/cluster/readiness.ts";
import { objectOf } from "../_answers.ts";

export type ServerChecks = ReadinessChecks & { readonly serving: "ok" | "draining" };

/** Readiness, including the state of the running server. */
export interface ServerReadiness {
  readonly isReady: boolean;
  readonly checks: ServerChecks;
  readonly problems: readonly string[];
  /** The ids of required sources that are not there. */
  readonly missingSources: readonly string[];
}

export async function readReadiness(rack: Rack, server: ServerParts): Promise<ServerReadiness> {
  const { isReady, checks, problems, missingSources } = await rack.readiness.check();
  const isDraining = server.isDraining();
  return {
    isReady: isReady && !isDraining,
    checks: { ...checks, serving: isDraining ? "draining" : "ok" },
    problems: isDraining ? [...problems, "The server is shutting down."] : problems,
    missingSources,
  };
}

export const checksSchema: SchemaOf<ServerChecks> = objectOf<ServerChecks>({
  store: {
    enum: ["ok", "slow", "full", "read-only", "unavailable"],
    description:
      "Whether the store accepts writes; checked by a write. The server is ready until three checks were refused, or none answered for 30 s.",
  },
  masterKey: { enum: ["ok", "wrong", "unknown"], description: "Whether it opens the secrets and the audit key of the store." },
  migrations: { enum: ["ok", "missing", "newer", "unknown"], description: "Whether the tables of the store match this version." },
  serving: { enum: ["ok", "draining"], description: "Whether the server is shutting down." },
  sources: {
    enum: ["ok", "failed"],
    description: "For information: a server with a failed source is still ready, unless the source is required.",
  },
  requiredSources: {
    enum: ["ok", "starting", "failed"],
    description: "Whether the sources with required: true are there. starting: one has not been there yet.",
  },
  wakeUps: {
    enum: ["listen", "polling", "file", "memory"],
    description: "For information: how changes of other servers arrive here.",
  },
});
