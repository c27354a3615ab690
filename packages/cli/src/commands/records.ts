import { counted } from "../print/counted.ts";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { CommandError, type ExitReason } from "../errors.ts";
import { safe } from "../print/safe.ts";
import { importFiles, type ImportSummary } from "./_record-files.ts";
import type { Command, CommandInput } from "./command.ts";

const sourceArgument = { form: "<path>", description: "a folder with .json files, or one file: a record, or a list of records" } as const;

export const recordsExport: Command = {
  name: "records export",
  summary: "Write every record into a folder, one file for each. Secrets are not exported. For the owner.",
  usesTools: false,
  arguments: [{ form: "<folder>", description: "folder to write to; must be empty, or not exist yet" }],
  examples: ["toolrack records export ./records"],
  async run({ arguments: [given], folder, terminal, connect, signal }: CommandInput<[given: string]>) {
    const target = path.resolve(folder, given);
    await demandEmpty(target, given);
    const connection = await connect();
    const { writeRecordFiles } = await import("@toolrack/store");
    let [written, withheld] = [0, 0];
    for (let cursor: string | undefined; ;) {
      signal.throwIfAborted();
      const page = await connection.ask("GET /records/export", { query: { cursor } });
      await writeRecordFiles(page.records, target);
      written += page.records.length;
      withheld += page.withheld;
      terminal.progress(`Exporting … ${counted(written, "record")}`);
      cursor = page.cursor;
      if (cursor === undefined) break;
    }
    terminal.answer({ folder: target, written, withheld }, () =>
      [
        `${terminal.style.good("Exported")} ${counted(written, "record")} to ${safe(target)}.`,
        ...(withheld === 0 ? [] : [`${counted(withheld, "record")} with secret content ${withheld === 1 ? "was" : "were"} left out.`]),
        "History, the audit log and secrets are not part of an export; a backup contains them: toolrack backup",
      ].join("\n"),
    );
  },
};

export const recordsImport: Command = {
  name: "records import",
  summary: "Import records from files: create new ones, update those that differ. Exits with 1 if a record was left out. For the owner.",
  usesTools: false,
  arguments: [sourceArgument],
  options: [
    { flags: "--approve <reason>", description: "approve the imported definitions that were approved where they come from" },
    { flags: "--approve-all", description: "with --approve: also definitions that nobody approved yet, such as files written by hand" },
  ],
  examples: ["toolrack records import ./records", 'toolrack records import ./records --approve "Moved from the old server"'],
  async run(input: CommandInput<[path: string]>) {
    const { approve: reason, approveAll } = input.options;
    if (approveAll === true && typeof reason !== "string")
      throw new CommandError("usage", "--approve-all needs a reason. Add: --approve <reason>");
    const approve = typeof reason === "string" ? { reason, which: approveAll === true ? "all" : "decided" } : undefined;
    const summary = await importFiles(input, input.arguments[0], (connection, records) =>
      connection.ask("POST /records/import", { body: { records, ...(approve && { approve }) } }),
    );
    const hint =
      approve === undefined
        ? ["Definitions that are new or changed are drafts until they are approved: toolrack approve, or --approve."]
        : [];
    return report(input, summary, hint);
  },
};

export const bootstrap: Command = {
  name: "bootstrap",
  summary:
    "Create the records of some files that are missing, and approve their definitions. Existing records stay as they are, so it can be repeated. For the owner.",
  usesTools: false,
  arguments: [sourceArgument],
  examples: ["toolrack bootstrap ./records"],
  async run(input: CommandInput<[path: string]>) {
    const summary = await importFiles(input, input.arguments[0], (connection, records) =>
      connection.ask("POST /records/bootstrap", { body: { records } }),
    );
    const kept =
      summary.kept === 0
        ? []
        : [
            summary.kept === 1
              ? "1 record differs from its file and was kept. To replace it: toolrack records import"
              : `${summary.kept} records differ from their files and were kept. To replace them: toolrack records import`,
          ];
    return report(input, summary, kept);
  },
};

function report({ terminal }: CommandInput, summary: ImportSummary, hints: readonly string[]): ExitReason {
  const { created, updated, unchanged, kept, problems } = summary;
  const isChanged = created + updated > 0;
  terminal.answer(summary, () =>
    [
      `${created} created, ${updated} updated, ${unchanged} unchanged${kept > 0 ? `, ${kept} kept` : ""}.`,
      ...(isChanged || kept > 0 ? hints : []),
      ...(problems.length === 0
        ? []
        : [terminal.style.bad(`Left out: ${problems.length}`), ...problems.map((problem) => `  ${safe(problem)}`)]),
    ].join("\n"),
  );
  return problems.length === 0 ? "ok" : "failed";
}

async function demandEmpty(target: string, given: string): Promise<void> {
  let names: readonly string[];
  try {
    names = await readdir(target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return;
    throw new CommandError(
      "usage",
      `${given} cannot be used: ${code ?? (error as Error).message}. Name a folder that is empty or does not exist yet.`,
    );
  }
  if (names.length > 0)
    throw new CommandError(
      "usage",
      `${given} is not empty. Files that are already there would be imported later as if they belonged to it. Name another folder.`,
    );
}
