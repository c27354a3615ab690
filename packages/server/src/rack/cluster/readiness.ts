import { statfs } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "@toolrack/core";
import { type Clock, systemClock } from "@toolrack/core/node";
import { type BreadcrumbStore, checkWrite, readStoreFacts, storeStats, type StoreStats } from "@toolrack/store";
import type { MasterKey } from "../keys-and-tokens/key-rotation.ts";
import type { Servers } from "./servers.ts";
import { createStoreProbe, type ProbedStore } from "./store-probe.ts";

/** Whether a server can serve requests now, for load balancers. */
export interface Readiness {
  /** Checks, or returns the last result if it is less than a second old. Never rejects, and takes at most two seconds. */
  check(): Promise<ReadinessReport>;
}

export interface ReadinessReport {
  readonly isReady: boolean;
  readonly checks: ReadinessChecks;
  /** A sentence for each failed check. No error texts: those are in the log. */
  readonly problems: readonly string[];
  /** The ids of required sources that are not there. */
  readonly missingSources: readonly string[];
}

export interface ReadinessChecks {
  /** "full": the disk is nearly full. A server whose store does not answer well is ready until three probes were refused, or none answered for 30 s. */
  readonly store: ProbedStore<unknown>["store"];
  /** "wrong": it does not open secrets or the audit key of the store. */
  readonly masterKey: "ok" | "wrong" | "unknown";
  /** "newer": a server of a newer version migrated the tables. */
  readonly migrations: "ok" | "missing" | "newer" | "unknown";
  /** For information: a server with a failed source is still ready, unless the source is required. */
  readonly sources: "ok" | "failed";
  /** Sources with `required: true`. "starting": one has not been there yet. */
  readonly requiredSources: "ok" | "starting" | "failed";
  /** For information: how changes of other servers arrive here. */
  readonly wakeUps: StoreStats["wakeUps"];
}

export interface ReadinessOptions {
  readonly store: BreadcrumbStore;
  readonly servers: Pick<Servers, "name">;
  readonly masterKey: Pick<MasterKey, "check" | "explain">;
  readonly sources: () => readonly CheckedSource[];
  /** The database, if it is a file. */
  readonly file: string | undefined;
  readonly log: Logger;
  /** @default the machine's clock */
  readonly clock?: Clock;
}

/** As much of a source as readiness looks at. */
export interface CheckedSource {
  readonly id: string;
  readonly state: string;
  readonly required?: true;
  readonly readAt?: number;
}

/** How long a result is reused. */
const keepMs = 1_000;
/** With less free space than this, a database cannot grow. */
const leastBytes = 1_048_576;

export function createReadiness({ store, servers, masterKey, sources, file, log, clock = systemClock }: ReadinessOptions): Readiness {
  let looking: Promise<ReadinessReport> | undefined;
  let last: { readonly at: number; readonly report: ReadinessReport } | undefined;
  let told = "";

  const probe = createStoreProbe({
    write: async () => checkWrite(store, servers.name),
    read: () => Promise.all([readStoreFacts(store), masterKey.check()]),
    hasRoom: async () => file === undefined || (await hasRoom(file)),
    clock,
  });

  async function look(): Promise<ReadinessReport> {
    const all = sources();
    const failed = all.filter(({ state }) => state === "failed");
    const missing = all.filter(({ required, state }) => required === true && state !== "ready" && state !== "disabled");
    const probed = await probe();
    const { facts } = probed;
    const keyProblem = facts && masterKey.explain(facts[1]);
    const checks: ReadinessChecks = {
      store: probed.store,
      masterKey: facts === undefined ? "unknown" : keyProblem === undefined ? "ok" : "wrong",
      migrations: facts === undefined ? "unknown" : migrationState(facts[0].migrations),
      sources: failed.length > 0 ? "failed" : "ok",
      requiredSources: missing.length === 0 ? "ok" : missing.some(({ readAt }) => readAt === undefined) ? "starting" : "failed",
      wakeUps: storeStats(store).wakeUps,
    };
    const problems = [
      ...(storeProblems.has(checks.store) ? [storeProblems.get(checks.store)!] : []),
      ...(keyProblem === undefined ? [] : [keyProblem]),
      ...(checks.migrations === "missing"
        ? ["Tables of the store are not those of this version. Restart the server: it brings them up to date."]
        : []),
      ...(missing.length > 0
        ? [`Required sources are not there: ${missing.map(({ id, state }) => `${id} (${state})`).join(", ")}. See: toolrack sources list`]
        : []),
      ...(failed.length > 0 ? [`Sources failed: ${failed.map(({ id }) => id).join(", ")}. See: toolrack sources list`] : []),
    ];
    const isReadyButForSources =
      probed.isUsable && checks.masterKey === "ok" && (checks.migrations === "ok" || checks.migrations === "newer");
    const isReady = isReadyButForSources && missing.length === 0;
    const report = { isReady, checks, problems, missingSources: missing.map(({ id }) => id) };
    tell(report, isReadyButForSources, probed.error);
    return report;
  }

  /** Each change once. */
  function tell({ isReady, checks, missingSources }: ReadinessReport, isReadyButForSources: boolean, error: unknown): void {
    const { sources: _sources, wakeUps: _wakeUps, ...deciding } = checks;
    const isWell = isReady && checks.store === "ok";
    const now = isWell ? "" : JSON.stringify([isReady, deciding, missingSources]);
    if (now === told) return;
    told = now;
    const facts = { ...deciding, ...(error !== undefined && { error: String(error) }) };
    if (isWell) log.info("The server is ready again.");
    else if (isReady) log.warn("The store does not answer as it should. The server stays ready for now.", facts);
    else if (isReadyButForSources) log.warn("The server waits for sources that it requires.", { sources: missingSources.join(", ") });
    else log.error("The server is not ready.", facts);
  }

  return {
    check() {
      if (last !== undefined && clock.now() - last.at < keepMs) return Promise.resolve(last.report);
      return (looking ??= look()
        .then((report) => {
          last = { at: clock.now(), report };
          return report;
        })
        .finally(() => (looking = undefined)));
    },
  };
}

const storeProblems: ReadonlyMap<ReadinessChecks["store"], string> = new Map([
  ["slow", "The store takes more than two seconds to answer. The server stays ready while it answers within 30 seconds."],
  ["full", "The disk of the store is full. Make room on it."],
  ["read-only", "The store can be read but not written to, so no call could be recorded. The server's log says why."],
  ["unavailable", "The store does not answer. The server's log says why."],
]);

function migrationState({ applied, known }: { readonly applied: number; readonly known: number }): ReadinessChecks["migrations"] {
  return applied === known ? "ok" : applied > known ? "newer" : "missing";
}

async function hasRoom(file: string): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(path.dirname(file));
    return bavail * bsize >= leastBytes;
  } catch {
    return true; // a system that does not tell
  }
}
