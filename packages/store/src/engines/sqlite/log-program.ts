import type crypto from "node:crypto";
import type { ChainTip } from "../../engine/audit.ts";
import type { createLink, linkLines, tipOf } from "../../engine/chain.ts";
import type { LogPage } from "../../engine/log.ts";
import type { SqliteDatabase } from "./load.ts";

/** SQL by what it is for. */
export interface LogStatements {
  readonly readEnd: string;
  readonly moveEnd: string;
  readonly addLine: string;
  /** Takes as many lines as `linesAtOnce` says. */
  readonly addLines: string;
  readonly saveNote: string;
  readonly removeNotes: string;
  readonly readLease: string;
}

export interface LogTools {
  readonly database: SqliteDatabase;
  readonly statements: LogStatements;
  readonly linesAtOnce: number;
  readonly crypto: typeof crypto;
  readonly linkLines: typeof linkLines;
  readonly tipOf: typeof tipOf;
  readonly createLink: typeof createLink;
  readonly mainChain: string;
  /** How the message of the error begins for a page whose lease was lost. */
  readonly leaseLostMark: string;
}

/** Returns the function that writes a page. It runs as text in another thread, so it uses only its arguments. */
export function logProgram({
  database,
  statements,
  linesAtOnce,
  crypto,
  linkLines,
  tipOf,
  createLink,
  mainChain,
  leaseLostMark,
}: LogTools): (page: LogPage) => void {
  const readEnd = database.prepare(statements.readEnd);
  const moveEnd = database.prepare(statements.moveEnd);
  const addLine = database.prepare(statements.addLine);
  const addLines = database.prepare(statements.addLines);
  const saveNote = database.prepare(statements.saveNote);
  const removeNotes = database.prepare(statements.removeNotes);
  const readLease = database.prepare(statements.readLease);

  function append({ lines, key }: LogPage): void {
    const linked = linkLines(lines, readEnd.all()[0] as ChainTip, createLink(crypto, mainChain, key));
    const rest = linked.length % linesAtOnce;
    for (let start = 0; start < linked.length - rest; start += linesAtOnce)
      addLines.run(...linked.slice(start, start + linesAtOnce).flat());
    for (const line of linked.slice(linked.length - rest)) addLine.run(...line);
    const { number, hash } = tipOf(linked);
    moveEnd.run(number, hash);
  }

  return (page) => {
    const { lines, owner, lease, removed, saved } = page;
    database.exec("begin immediate");
    try {
      if (lease !== undefined && readLease.all(lease.owner, lease.name).length === 0) throw new Error(leaseLostMark + lease.name);
      if (lines.length > 0) append(page);
      if (removed.length > 0) removeNotes.run(owner, "running", JSON.stringify(removed));
      for (const note of saved) saveNote.run(note.owner, note.kind, note.name, note.holder, note.endsAt ?? null, note.body);
      database.exec("commit");
    } catch (error) {
      try {
        database.exec("rollback");
      } catch {
        // A full disk has ended the transaction already; its error is the reason.
      }
      throw error;
    }
  };
}
