import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { StoreError } from "../../errors.ts";
import { mainChain } from "../../engine/audit.ts";
import { createLink, linkLines, tipOf } from "../../engine/chain.ts";
import { leaseLostMark, readLeaseLost } from "../../engine/lease.ts";
import type { LogPage } from "../../engine/log.ts";
import { lineInsert, moveAuditEnd, readAuditEnd } from "../_sql/audit.ts";
import { insertStatement } from "../_sql/insert-rows.ts";
import { noteInsert, removeNotesByName } from "../_sql/notes.ts";
import { readLease } from "../_sql/presence.ts";
import type { Sql } from "../_sql/tables.ts";
import { busyError, isBusy, toStoreError } from "./errors.ts";
import { logProgram, type LogStatements } from "./log-program.ts";
import { sqliteParts } from "./parts.ts";

export interface LogThreadOptions {
  readonly path: string;
  /** The module of the driver that has the file open already: two of them in one process would break each other's locks. */
  readonly driver: string;
  readonly durability: "normal" | "full";
  readonly busyTimeoutMs: number;
}

/** Writes pages of the log to the file of a store, in a separate thread. */
export interface LogThread {
  /** In order; after a failure, nothing is written until it was reported. Keeps the process alive until then. */
  write(page: LogPage): Promise<void>;
  close(): Promise<void>;
}

/** Resolves when the thread is ready. `onEnd` is called when it has ended. */
export async function startLogThread(
  db: Sql,
  { path, driver, durability, busyTimeoutMs }: LogThreadOptions,
  onEnd: () => void,
): Promise<LogThread> {
  const statements = toStatements(db);
  const workerData: LogThreadData = { path, driver, durability, busyTimeoutMs, statements, linesAtOnce, home: import.meta.url };
  const worker = new Worker(programText, { eval: true, workerData, execArgv: [], name: "toolrack log" });
  const pending: ((failure: Error | undefined) => void)[] = [];
  let failures = 0;
  let failure: Error | undefined;
  let cause: unknown;
  let hasEnded = false;

  function answer(): Promise<void> {
    if (pending.length === 0) worker.ref();
    return new Promise((resolve, reject) => pending.push((error) => (error === undefined ? resolve() : reject(error))));
  }

  function settle(error: Error | undefined): void {
    pending.shift()?.(error);
    if (pending.length === 0) worker.unref();
  }

  worker.on("message", ({ error, wasTried }: LogThreadAnswer) => {
    if (error !== undefined) {
      failures += 1;
      const thrown = Object.assign(new Error(error.message), error);
      failure = readLeaseLost(error.message) ?? (isBusy(thrown) ? busyError(busyTimeoutMs, thrown) : (toStoreError(thrown) as Error));
    }
    settle(error === undefined && wasTried ? undefined : failure);
  });
  worker.on("error", (error) => (cause = error));
  worker.on("exit", () => {
    onEnd();
    hasEnded = true;
    while (pending.length > 0) settle(broken(cause));
  });
  await answer();

  return {
    async write(page) {
      if (hasEnded) throw broken(cause);
      worker.postMessage({ page, failures } satisfies LogThreadOrder);
      await answer();
    },
    async close() {
      worker.ref();
      worker.postMessage(undefined);
      await once(worker, "exit");
    },
  };
}

interface LogThreadOrder {
  readonly page: LogPage;
  /** How many failures are known of. */
  readonly failures: number;
}

interface LogThreadAnswer {
  readonly error: { readonly message: string; readonly code?: string; readonly errcode?: number } | undefined;
  /** False for a page that follows one that failed. */
  readonly wasTried: boolean;
}

interface LogThreadData extends LogThreadOptions {
  readonly statements: LogStatements;
  readonly linesAtOnce: number;
  /** Where the driver is looked for. */
  readonly home: string;
}

const { rowsAtOnce: linesAtOnce = 1 } = sqliteParts;

function toStatements(db: Sql): LogStatements {
  return {
    readEnd: readAuditEnd(db).sql,
    moveEnd: moveAuditEnd(db).sql,
    addLine: insertStatement(db, sqliteParts, "audit", lineInsert, 1).sql,
    addLines: insertStatement(db, sqliteParts, "audit", lineInsert, linesAtOnce).sql,
    saveNote: insertStatement(db, sqliteParts, "notes", noteInsert, 1).sql,
    removeNotes: removeNotesByName(db, sqliteParts).sql,
    readLease: readLease(db, sqliteParts).sql,
  };
}

/** Pending pages may or may not have been written. */
function broken(cause: unknown): StoreError {
  return new StoreError("STORE_UNAVAILABLE", "The thread that writes the log ended unexpectedly. Try again.", { cause });
}

const programText = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { path, driver, durability, busyTimeoutMs, statements, linesAtOnce, home } = workerData;
  const { DatabaseSync } = require("node:module").createRequire(home)(driver);
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  database.exec("pragma synchronous = " + durability);
  database.exec("pragma temp_store = memory");
  const linkLines = ${linkLines.toString()};
  const tipOf = ${tipOf.toString()};
  const createLink = ${createLink.toString()};
  const mainChain = ${JSON.stringify(mainChain)};
  const leaseLostMark = ${JSON.stringify(leaseLostMark)};
  const crypto = require("node:crypto");
  const write = (${logProgram.toString()})({
    database, statements, linesAtOnce, crypto, linkLines, tipOf, createLink, mainChain, leaseLostMark,
  });
  let failures = 0;
  parentPort.on("message", (order) => {
    if (order === undefined) {
      database.close();
      parentPort.close();
      return;
    }
    const wasTried = order.failures === failures;
    let error;
    try {
      if (wasTried) write(order.page);
    } catch (thrown) {
      failures += 1;
      error = { message: String(thrown?.message), code: thrown?.code, errcode: thrown?.errcode };
    }
    parentPort.postMessage({ error, wasTried });
  });
  parentPort.postMessage({ wasTried: true });
`;
