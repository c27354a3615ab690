import { knownMigrations } from "../engines/migration-names.ts";
import { toRunningCalls } from "../calls/running-batches.ts";
import type { Note } from "../engine/notes.ts";
import type { SessionRow } from "../engine/sessions.ts";
import type { TicketRow } from "../engine/tickets.ts";
import type { Engine, Snapshot, StoredRows, StoreEnds } from "../engine/engine.ts";

/** What one moment of a store holds, before the rows themselves. */
export interface ContentHeader {
  /** ISO 8601. */
  readonly createdAt: string;
  /** The changes of the tables that the writing version knew. */
  readonly migrations: readonly string[];
  readonly ends: StoreEnds;
  readonly counts: ContentCounts;
  /** Calls that were under way: how they ended is not in the content. */
  readonly running: number;
}

export type ContentKind = "change" | "head" | "audit" | "secret" | "answer" | "logged" | "session" | "message" | "inbox" | "task";
export type ContentCounts = Readonly<Record<ContentKind, number>>;

export interface ContentRows {
  readonly change: StoredRows["changes"];
  readonly head: StoredRows["heads"];
  readonly audit: StoredRows["audit"];
  readonly secret: StoredRows["secrets"];
  readonly answer: Note;
  readonly logged: StoredRows["definitionLog"];
  readonly session: StoredRows["sessions"];
  readonly message: StoredRows["sessionMessages"];
  readonly inbox: StoredRows["sessionInbox"];
  readonly task: StoredRows["tickets"];
}

/** Some rows of one kind. Kinds come in their order, and rows in the order of their numbers or names. */
export type ContentPage = {
  readonly [Kind in ContentKind]: { readonly kind: Kind; readonly rows: readonly ContentRows[Kind][] };
}[ContentKind];

/** A store at one moment, as it goes into a back-up or another store. */
export interface StoreContent {
  readonly header: ContentHeader;
  /** @default every kind */
  pages(kinds?: readonly ContentKind[]): AsyncIterable<ContentPage>;
}

/** Called now and then during long work. */
export interface CopyProgress {
  readonly done: number;
  readonly total: number;
}

export function totalOf(counts: ContentCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Reads one moment of a store, while others write to it. */
export async function withContent<Result>(engine: Engine, now: number, work: (content: StoreContent) => Promise<Result>): Promise<Result> {
  const migrations = await knownMigrations();
  return engine.snapshot(async (snapshot) => {
    const notes = await countNotes(snapshot, now);
    const counts: ContentCounts = {
      change: await snapshot.count("changes"),
      head: await snapshot.count("heads"),
      audit: await snapshot.count("audit"),
      secret: await snapshot.count("secrets"),
      answer: notes.answers,
      logged: await snapshot.count("definitionLog"),
      session: await snapshot.count("sessions"),
      message: await snapshot.count("sessionMessages"),
      inbox: await snapshot.count("sessionInbox"),
      task: await countTasks(snapshot, now),
    };
    const createdAt = new Date(Math.floor(now)).toISOString();
    const header: ContentHeader = { createdAt, migrations, ends: await snapshot.ends(), counts, running: notes.running };
    return work({ header, pages: (kinds = allKinds) => readPages(snapshot, kinds, now) });
  });
}

export const allKinds: readonly ContentKind[] = [
  "change",
  "head",
  "audit",
  "secret",
  "answer",
  "logged",
  "session",
  "message",
  "inbox",
  "task",
];
const rowsOf = {
  change: "changes",
  head: "heads",
  audit: "audit",
  secret: "secrets",
  answer: "notes",
  logged: "definitionLog",
  session: "sessions",
  message: "sessionMessages",
  inbox: "sessionInbox",
  task: "tickets",
} as const;

async function* readPages(snapshot: Snapshot, kinds: readonly ContentKind[], now: number): AsyncGenerator<ContentPage> {
  for (const kind of allKinds) {
    if (!kinds.includes(kind)) continue;
    for await (const page of snapshot.pages(rowsOf[kind])) {
      const rows = lastingRows(kind, page, now);
      if (rows.length > 0) yield { kind, rows } as ContentPage;
    }
  }
}

/** Without what belongs to a server that runs: a copy has servers of its own. */
function lastingRows(kind: ContentKind, page: readonly unknown[], now: number): readonly unknown[] {
  if (kind === "answer") return (page as readonly Note[]).filter((note) => isLasting(note, now));
  if (kind === "task") return (page as readonly TicketRow[]).filter((ticket) => isLastingTask(ticket, now));
  if (kind === "session") return (page as readonly SessionRow[]).map((row) => ({ ...row, holder: "", leaseEndsAt: 0 }));
  return page;
}

/** An answer that may be requested again. Unfinished work of a server is not copied. */
function isLasting({ kind, holder, endsAt }: Note, now: number): boolean {
  return kind === "answer" && holder === "" && endsAt !== undefined && endsAt > now;
}

/** A task that a client may ask for. What servers want of running calls is not copied. */
function isLastingTask({ kind, endsAt }: TicketRow, now: number): boolean {
  return kind === "task" && endsAt > now;
}

async function countTasks(snapshot: Snapshot, now: number): Promise<number> {
  let tasks = 0;
  for await (const tickets of snapshot.pages("tickets")) tasks += tickets.filter((ticket) => isLastingTask(ticket, now)).length;
  return tasks;
}

async function countNotes(snapshot: Snapshot, now: number): Promise<{ readonly answers: number; readonly running: number }> {
  let answers = 0;
  let running = 0;
  for await (const notes of snapshot.pages("notes")) {
    for (const note of notes) {
      if (isLasting(note, now)) answers += 1;
      if (note.kind === "running") running += toRunningCalls(note).length;
    }
  }
  return { answers, running };
}
