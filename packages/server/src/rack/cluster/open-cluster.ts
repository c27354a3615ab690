import { createRedaction } from "@toolrack/store";
import type { RackState } from "../open-state.ts";
import type { Sources } from "../rack.ts";
import type { Closers } from "../util/closers.ts";
import { type Agreement, followAgreement } from "./agreement.ts";
import { type ClusterFacts, type ClusterFactsOptions, createClusterFacts } from "./cluster-facts.ts";
import { poolFacts } from "./pool-facts.ts";
import { createReadiness, type Readiness, type ReadinessOptions } from "./readiness.ts";
import { sourceFacts } from "./source-facts.ts";

export interface OpenClusterOptions extends Pick<ClusterFactsOptions, "servers" | "jobs" | "now">, Pick<ReadinessOptions, "file" | "log"> {
  readonly state: Pick<RackState, "inner" | "masterKey" | "logHeads" | "secrets">;
  readonly sources: Pick<Sources, "list" | "workers">;
  readonly closers: Closers;
}

export interface Cluster {
  readonly agreement: Agreement;
  readonly cluster: ClusterFacts;
  readonly readiness: Readiness;
}

/** What this server and the others know of each other. Compares them once. */
export async function openCluster(options: OpenClusterOptions): Promise<Cluster> {
  const { state, servers, sources, jobs, file, log, closers, now } = options;
  const { inner: store, masterKey, logHeads: heads, secrets } = state;
  const redact = createRedaction({ values: () => secrets.seenValues() });
  servers.describe(
    "sources",
    lately(() => sourceFacts(sources.list(), (text) => String(redact()(text)))),
  );
  servers.describe("pools", () => poolFacts(sources.workers().pools));
  const agreement = followAgreement({ servers, heads, log });
  closers.add(() => agreement.close());
  await agreement.compare();
  return {
    agreement,
    cluster: createClusterFacts({ store, servers, agreement, jobs, now }),
    readiness: createReadiness({ store, servers, masterKey, sources: sources.list, file, log }),
  };
}

/** The same answer for two seconds: reports and comparisons ask for it alike, and a source that waits reads the files of its program. */
function lately<Value>(read: () => Value): () => Value {
  let last: { readonly at: number; readonly value: Value } | undefined;
  return () => {
    if (last === undefined || performance.now() - last.at > 2_000) last = { at: performance.now(), value: read() };
    return last.value;
  };
}
