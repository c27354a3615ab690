import { stat } from "node:fs/promises";
import path from "node:path";
import type { ImportedRecords } from "@toolrack/server";
import type { PlacedValue } from "@toolrack/store";
import type { Connection } from "../connection/connection.ts";
import { CommandError } from "../errors.ts";
import { counted } from "../print/counted.ts";
import type { CommandInput } from "./command.ts";

/** What became of the records of some files; each problem begins with file and line. */
export interface ImportSummary extends Omit<ImportedRecords, "problems"> {
  readonly problems: readonly string[];
}

type Send = (connection: Connection, records: readonly unknown[]) => Promise<ImportedRecords>;

/** Reads a folder or a file on this machine, and sends its records in parts that a request may have. */
export async function importFiles(input: CommandInput, given: string, send: Send): Promise<ImportSummary> {
  const { terminal, signal, folder } = input;
  const place = path.resolve(folder, given);
  await stat(place).catch(() => {
    throw new CommandError("usage", `${given} does not exist. Name a folder with .json files, or one such file.`);
  });
  const { readRecordFiles } = await import("@toolrack/store");
  const connection = await input.connect();
  const total = { created: 0, updated: 0, unchanged: 0, kept: 0, problems: [] as string[] };
  let waiting: PlacedValue[] = [];
  let bytes = 0;

  async function sendAll(): Promise<void> {
    signal.throwIfAborted();
    await sendPart(waiting);
    [waiting, bytes] = [[], 0];
    terminal.progress(`Importing … ${counted(total.created + total.updated + total.unchanged + total.kept, "record")}`);
  }

  /** A part that is too large for the server is sent in halves; a record that is too large alone is a problem of its own. */
  async function sendPart(part: readonly PlacedValue[]): Promise<void> {
    if (part.length === 0) return;
    try {
      const answer = await send(
        connection,
        part.map(({ value }) => value),
      );
      for (const outcome of ["created", "updated", "unchanged", "kept"] as const) total[outcome] += answer[outcome];
      total.problems.push(...answer.problems.map(({ record, problem }) => `${part[record]!.place}: ${problem}`));
    } catch (error) {
      if (!isAboutContent(error)) throw error;
      if (part.length === 1) {
        total.problems.push(`${part[0]!.place}: ${error.message}`);
        return;
      }
      const half = Math.ceil(part.length / 2);
      await sendPart(part.slice(0, half));
      await sendPart(part.slice(half));
    }
  }

  for await (const file of readRecordFiles(place)) {
    if ("problem" in file) {
      total.problems.push(file.problem);
      continue;
    }
    for (const one of file.values) {
      const size = JSON.stringify(one.value).length;
      if (waiting.length === mostRecords || (waiting.length > 0 && bytes + size > mostBytes)) await sendAll();
      waiting.push(one);
      bytes += size;
    }
  }
  await sendAll();
  return total;
}

const mostRecords = 100;
const mostBytes = 1_000_000;

/** The server refused what the request contains: its size, its depth, how many values it has. */
function isAboutContent(error: unknown): error is CommandError {
  if (!(error instanceof CommandError)) return false;
  const { status } = (error.problem ?? {}) as { readonly status?: unknown };
  return status === 400 || status === 413;
}
