import { within } from "@toolrack/core/internal";
import { statfs } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "@toolrack/core";
import { type BreadcrumbStore, checkWrite, readStoreFacts, StoreError, storeStats, type StoreStats } from "@toolrack/store";
import type { MasterKey } from "../keys-and-tokens/key-rotation.ts";
import type { Servers } from "./servers.ts";

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
}

export interface ReadinessChecks {
  /** "full": the disk is nearly full. "read-only": it can be read, but not written. */
  readonly store: "ok" | "full" | "read-only" | "unavailable";
  /** "wrong": it does not open secrets or the audit key of the store. */
  readonly masterKey: "ok" | "wrong" | "unknown";
  /** "newer": a server of a newer version migrated the tables. */
  readonly migrations: "ok" | "missing" | "newer" | "unknown";
  /** For information: a server with a failed source is still ready. */
  readonly sources: "ok" | "failed";
  /** For information: how changes of other servers arrive here. */
  readonly wakeUps: StoreStats["wakeUps"];
}

export interface ReadinessOptions {
  readonly store: BreadcrumbStore;
  readonly servers: Pick<Servers, "name">;
  readonly masterKey: Pick<MasterKey, "check" | "explain">;
  readonly sources: () => readonly { readonly id: string; readonly state: string }[];
  /** The database, if it is a file. */
  readonly file: string | undefined;
  readonly log: Logger;
}

/** How long a check of the store may take. */
export const checkMs = 2_000;
/** How long a result is reused. */
const keepMs = 1_000;
/** With less free space than this, a database cannot grow. */
const leastBytes = 1_048_576;

export function createReadiness({ store, servers, masterKey, sources, file, log }: ReadinessOptions): Readiness {
  let looking: Promise<ReadinessReport> | undefined;
  let last: { readonly at: number; readonly report: ReadinessReport } | undefined;
  let told = "";

  const write = once(() => checkWrite(store, servers.name));
  const read = once(() => Promise.all([readStoreFacts(store), masterKey.check()]));

  async function look(): Promise<ReadinessReport> {
    const failed = sources().filter(({ state }) => state === "failed");
    const [written, facts] = await Promise.all([within(write(), checkMs), within(read(), checkMs)]);
    const isFull = written.ok && file !== undefined && (await hasNoRoom(file));
    const keyProblem = facts.ok ? masterKey.explain(facts.value[1]) : undefined;
    const checks: ReadinessChecks = {
      store: isFull ? "full" : written.ok ? "ok" : facts.ok ? refusalOf(written.error) : "unavailable",
      masterKey: facts.ok ? (keyProblem === undefined ? "ok" : "wrong") : "unknown",
      migrations: facts.ok ? migrationState(facts.value[0].migrations) : "unknown",
      sources: failed.length > 0 ? "failed" : "ok",
      wakeUps: storeStats(store).wakeUps,
    };
    const problems = [
      ...(storeProblems.has(checks.store) ? [storeProblems.get(checks.store)!] : []),
      ...(keyProblem === undefined ? [] : [keyProblem]),
      ...(checks.migrations === "missing"
        ? ["Tables of the store are not those of this version. Restart the server: it brings them up to date."]
        : []),
      ...(failed.length > 0 ? [`Sources failed: ${failed.map(({ id }) => id).join(", ")}. See: toolrack sources list`] : []),
    ];
    const isReady = checks.store === "ok" && checks.masterKey === "ok" && (checks.migrations === "ok" || checks.migrations === "newer");
    tell({ isReady, checks, problems }, written.ok ? (facts.ok ? undefined : facts.error) : written.error);
    return { isReady, checks, problems };
  }

  /** Each change once. */
  function tell({ isReady, checks }: ReadinessReport, error: unknown): void {
    const { sources: _sources, wakeUps: _wakeUps, ...deciding } = checks;
    const now = isReady ? "" : JSON.stringify(deciding);
    if (now === told) return;
    told = now;
    if (isReady) log.info("The server is ready again.");
    else log.error("The server is not ready.", { ...deciding, ...(error !== undefined && { error: String(error) }) });
  }

  return {
    check() {
      if (last !== undefined && performance.now() - last.at < keepMs) return Promise.resolve(last.report);
      return (looking ??= look()
        .then((report) => {
          last = { at: performance.now(), report };
          return report;
        })
        .finally(() => (looking = undefined)));
    },
  };
}

const storeProblems: ReadonlyMap<ReadinessChecks["store"], string> = new Map([
  ["full", "The disk of the store is full. Make room on it."],
  ["read-only", "The store can be read but not written to, so no call could be recorded. The server's log says why."],
  ["unavailable", "The store does not answer. The server's log says why."],
]);

/** Why a store that can be read refuses writes. */
function refusalOf(error: unknown): "full" | "read-only" {
  return StoreError.is(error) && error.code === "STORE_FULL" ? "full" : "read-only";
}

function migrationState({ applied, known }: { readonly applied: number; readonly known: number }): ReadinessChecks["migrations"] {
  return applied === known ? "ok" : applied > known ? "newer" : "missing";
}

async function hasNoRoom(file: string): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(path.dirname(file));
    return bavail * bsize < leastBytes;
  } catch {
    return false; // a system that does not tell
  }
}

/** One check at a time: concurrent callers share its result, so that a store that hangs is asked once. */
function once<Value>(run: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<Value> | undefined;
  return () => (running ??= run().finally(() => (running = undefined)));
}
