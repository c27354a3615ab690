// An engine for a store: rows in memory, and every transaction as one line of a journal file, which is read when the engine is opened.
import { appendFileSync, closeSync, fsyncSync, ftruncateSync, openSync, readFileSync } from "node:fs";
// #region imports
import { createMemoryEngine, type Engine, type EngineWrites, StoreError, writeLogPage } from "@toolrack/store";
// #endregion

/** One call that changed something: the name of a method, and its arguments. */
type Step = readonly [method: (typeof changing)[number], args: readonly unknown[]];

// #region methods
/** The methods of a transaction that change rows. */
const changing = [
  "save",
  "setReadsLeft",
  "addChanges",
  "addHeads",
  "setEnds",
  "dropChanges",
  "dropEnded",
  "appendAudit",
  "appendLog",
  "dropAudit",
  "saveSecret",
  "removeSecret",
  "noteSighting",
  "renewSighting",
  "forgetSighting",
  "saveNotes",
  "claimNote",
  "removeNotes",
  "trimNotes",
  "addJobs",
  "changeJobs",
  "beatJobs",
  "trimJobs",
  "addSession",
  "changeSession",
  "addSessionMessages",
  "addInboxMessages",
  "takeInboxMessages",
  "removeSession",
  "trimSessions",
  "addTicket",
  "replaceTicket",
  "removeTicket",
  "addTickets",
  "trimTickets",
] as const satisfies readonly (keyof EngineWrites)[];
// #endregion

// #region open
/** One process at a time may use the file. It only grows: an engine for daily use would write a new one now and then. */
export async function openJournalEngine(path: string): Promise<Engine> {
  const memory = createMemoryEngine();
  const journal = openJournal(path);
  for (const steps of journal.transactions) await memory.write((tx) => replay(tx, steps));

  /** The line is on disk before the transaction is committed: if it cannot be written, the transaction rejects and leaves nothing. */
  const recorded =
    <Result>(work: (tx: EngineWrites) => Promise<Result>) =>
    async (tx: EngineWrites): Promise<Result> => {
      const steps: Step[] = [];
      const result = await work(record(tx, steps));
      if (steps.length > 0) journal.append(steps);
      return result;
    };

  return {
    ...memory,
    kind: "journal",
    stats: () => ({ ...memory.stats(), kind: "journal" }),
    write: (work) => memory.write(recorded(work)),
    writeAudit: (work) => memory.writeAudit(recorded(work)),
    writeLog: (page) => memory.writeAudit(recorded((tx) => writeLogPage(tx, page))),
    async close() {
      await memory.close();
      journal.close();
    },
  };
}
// #endregion

/** The transaction with every call that changes something noted in `steps`. */
function record(tx: EngineWrites, steps: Step[]): EngineWrites {
  const noted = changing.map((method) => {
    const run = tx[method] as (...args: readonly unknown[]) => Promise<unknown>;
    return [
      method,
      (...args: readonly unknown[]) => {
        steps.push([method, structuredClone(args)]);
        return run(...args);
      },
    ];
  });
  return { ...tx, ...(Object.fromEntries(noted) as Partial<EngineWrites>) };
}

/** The same calls give the same rows and the same numbers. */
async function replay(tx: EngineWrites, steps: readonly Step[]): Promise<void> {
  for (const [method, args] of steps) await (tx[method] as (...args: readonly unknown[]) => Promise<unknown>)(...args);
}

// #region journal
function openJournal(path: string) {
  const file = openSync(path, "a+");
  const lines = readFileSync(path, "utf8").split("\n");
  // A crash may cut off the last line. Its transaction was never committed.
  let size = Buffer.byteLength(
    lines
      .slice(0, -1)
      .map((line) => `${line}\n`)
      .join(""),
  );
  ftruncateSync(file, size);
  return {
    transactions: lines.slice(0, -1).map((line) => JSON.parse(line) as readonly Step[]),
    append(steps: readonly Step[]): void {
      const line = `${JSON.stringify(steps)}\n`;
      try {
        appendFileSync(file, line);
        fsyncSync(file);
        size += Buffer.byteLength(line);
      } catch (error) {
        ftruncateSync(file, size);
        throw new StoreError("STORE_UNAVAILABLE", "The journal cannot be written. Nothing was changed; check its disk.", { cause: error });
      }
    },
    close: () => closeSync(file),
  };
}
// #endregion
