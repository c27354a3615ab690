import type { CallContext } from "@toolrack/core";
import { type BreadcrumbClient, type FoundRecord, withRecords } from "../operations/breadcrumbs.ts";
import { maxNoteBytes, notesUnder } from "../operations/notes.ts";
import { queryStems, readWords } from "../operations/words.ts";
import type { MemoryOperations } from "./operations.ts";
import { toPassages } from "./passages.ts";
import { type IndexedPassage, indexPassage } from "./rank.ts";

/** A passage of a note or of a record. */
export interface FoundPassage {
  readonly source: "notes" | "records";
  /** What `memory_get` reads it by: the path of a note, or "record:<id>". */
  readonly note: string;
  readonly indexed: IndexedPassage;
}

export interface Documents {
  readonly passages: readonly FoundPassage[];
  /** How many notes were left out, because there are too many or they are too large. */
  readonly skipped: number;
}

export type DocumentReader = (query: string, which: "notes" | "records" | "all", context: CallContext) => Promise<Documents>;

/** Reads notes and records; what did not change since the last time is not read again. */
export function createDocumentReader(operations: MemoryOperations): DocumentReader {
  let known = new Map<string, KnownNote>();

  async function readNotes({ signal, pathRules }: CallContext): Promise<Documents> {
    if (operations.notes === undefined) return { passages: [], skipped: 0 };
    const notes = notesUnder(operations.notes, pathRules);
    const { files, hasMore } = await notes.list(signal);
    const now = new Map<string, KnownNote>();
    let skipped = hasMore ? 1 : 0;
    let room = maxBytes;
    for (const { path, size, modifiedAt } of files) {
      signal.throwIfAborted();
      if (size > maxNoteBytes || size > room) {
        skipped++;
        continue;
      }
      room -= size;
      const before = known.get(path);
      if (before?.size === size && before.modifiedAt === modifiedAt) now.set(path, before);
      else {
        const text = await notes.read(path);
        if (text !== undefined) now.set(path, { size, modifiedAt, passages: index(text, path, "notes") });
      }
    }
    // Under path rules a part was seen: what is known of the rest stays.
    known = pathRules === undefined || known.size > maxKnown ? now : new Map([...known, ...now]);
    return { passages: [...now.values()].flatMap(({ passages }) => passages), skipped };
  }

  return async (query, which, context) => {
    const client = which === "notes" ? undefined : await operations.breadcrumbs(context);
    const notes = which === "records" ? { passages: [], skipped: 0 } : await readNotes(context);
    const records = client === undefined ? [] : await findRecords(client, query);
    return { passages: [...notes.passages, ...records.flatMap(recordPassages)], skipped: notes.skipped };
  };
}

interface KnownNote {
  readonly size: number;
  readonly modifiedAt: number;
  readonly passages: readonly FoundPassage[];
}

/** Of all notes together. */
const maxBytes = 20_971_520;

/** Twice as many notes as are listed. */
const maxKnown = 4_000;

function index(text: string, note: string, source: FoundPassage["source"]): readonly FoundPassage[] {
  return toPassages(text).map((passage) => ({ source, note, indexed: indexPassage(passage, note.replace(/\.\w+$/, "")) }));
}

/** Records that hold all the words, then those that hold one of them: a store looks for whole questions only. */
async function findRecords(client: BreadcrumbClient, query: string): Promise<readonly FoundRecord[]> {
  const found = new Map<string, FoundRecord>();
  const words = queryStems(query, maxWords);
  for (const text of words.length > 1 ? [words.join(" "), ...words] : words) {
    if (found.size >= maxRecords) break;
    const { records } = await withRecords(() => client.search({ text, limit: maxRecords, includeContext: true }));
    for (const record of records) if (found.size < maxRecords) found.set(record.id, record);
  }
  return [...found.values()];
}

const maxWords = 8;
const maxRecords = 100;

function recordPassages(record: FoundRecord): readonly FoundPassage[] {
  const { context } = record;
  return context === undefined ? [] : index(recordText({ ...record, context }), `record:${record.id}`, "records");
}

/** A record as a text with lines, the same for finding and for reading. */
export function recordText({
  title,
  schema_name,
  tags,
  context,
}: Pick<FoundRecord, "title" | "schema_name" | "tags"> & { readonly context: object }): string {
  return [`# ${title || schema_name}`, "", `${schema_name} ${tags.join(" ")}`.trim(), "", JSON.stringify(context, null, 2)].join("\n");
}

/** The first lines of a passage that hold a word of the query, and a little after them. */
export function snippetOf(text: string, query: string): string {
  const stems = new Set(queryStems(query, 32));
  const lines = text.split("\n");
  const hit = lines.findIndex((line) => readWords(line).some(({ stem }) => stems.has(stem)));
  const from = Math.max(0, hit - 1);
  return lines
    .slice(from, from + 6)
    .join("\n")
    .trim()
    .slice(0, 600);
}
