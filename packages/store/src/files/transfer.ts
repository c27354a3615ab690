import { randomBytes } from "node:crypto";
import { mkdir, readdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { requireRole } from "../access.ts";
import { isCallable, stateOf } from "../catalog/state.ts";
import { StoreError } from "../errors.ts";
import { recordDecision } from "../lifecycle/record-decision.ts";
import { contentOf, type RecordedDecision } from "../record/breadcrumb.ts";
import { decisionOn } from "../record/decision.ts";
import { definitionSchema, idOf } from "../record/identity.ts";
import { canonicalJson } from "@toolrack/core/internal";
import { isObject, jsonEquals } from "../record/json.ts";
import { readDraft } from "../record/read-draft.ts";
import type { BreadcrumbStore } from "../store/store.ts";
import { fromRecordFile, type RecordFile, toRecordFile } from "./format.ts";
import { parseStrictly } from "./parse.ts";
import { readPlainFile } from "./read-plain-file.ts";

export interface ExportReport {
  readonly written: number;
  /** Records whose bodies are secret. */
  readonly withheld: number;
}

export interface ImportReport {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** One line for each record that was left out alone, with the reason. */
  readonly problems: readonly string[];
}

export interface ImportOptions {
  /**
   * Decides anew, in your name and with this reason: "decided" approves each definition that its file shows with the decision that it was
   * approved, "all" also those without one, for files that were written by hand. Without this an import decides nothing: definitions that
   * are new or differ are drafts until a curator approves them.
   */
  readonly approve?: { readonly reason: string; /** @default "decided" */ readonly which?: "decided" | "all" };
}

/** Every record of the owner, as values. */
export async function exportRecords(
  store: BreadcrumbStore,
): Promise<{ readonly records: readonly RecordFile[]; readonly withheld: number }> {
  requireRole(store.actor, "curator", "export records");
  const found = await store.searchBreadcrumbs({ includeContext: true });
  const records = found.flatMap(({ context, ...record }) => (context === undefined ? [] : (toRecordFile({ ...record, context }) ?? [])));
  return { records, withheld: found.filter(({ sensitivity }) => sensitivity === "secret").length };
}

/** Writes a file for each record into a folder, the same bytes for the same records. */
export async function exportToFolder(store: BreadcrumbStore, folder: string): Promise<ExportReport> {
  const { records, withheld } = await exportRecords(store);
  await mkdir(folder, { recursive: true });
  for (const record of records) {
    const path = join(
      folder,
      `${record.id.replace(/[^A-Za-z0-9._@+~-]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)}.json`,
    );
    // Whole files only, also when the machine stops in between; and never through a link that waits there under the same name.
    const part = `${path}.${randomBytes(6).toString("hex")}.part`;
    await writeFile(part, `${JSON.stringify(JSON.parse(canonicalJson(record)), null, 2)}\n`, { flag: "wx" });
    await rename(part, path);
  }
  return { written: records.length, withheld };
}

/**
 * Brings records in: new ones are created, others get a new revision only where something differs. One wrong record harms no other.
 * A decision in a file has no effect by itself.
 */
export async function importRecords(
  store: BreadcrumbStore,
  values: Iterable<{ readonly place: string; readonly value: unknown }>,
  options: ImportOptions = {},
): Promise<ImportReport> {
  requireRole(store.actor, "curator", "import records");
  if (options.approve?.reason.trim() === "") throw new StoreError("STATE_INVALID", "A reason is needed to approve what is imported.");
  const report = { created: 0, updated: 0, unchanged: 0, problems: [] as string[] };
  for (const { place, value } of values) {
    try {
      const outcome = await store.transaction((tx) => importOne(tx, value, place, options));
      if (outcome !== undefined) report[outcome] += 1;
    } catch (error) {
      if (StoreError.is(error) && error.retryable) throw error;
      report.problems.push(`${place}: ${(error as Error).message}`);
    }
  }
  return report;
}

type Outcome = "created" | "updated" | "unchanged" | undefined;

async function importOne(tx: BreadcrumbStore, value: unknown, place: string, options: ImportOptions): Promise<Outcome> {
  const draft = fromRecordFile(value, place);
  if (draft === undefined) return undefined;
  const id = idOf(draft);
  const content = readDraft({ ...draft, id }, { maxContextBytes: Number.MAX_SAFE_INTEGER });
  const known = await tx.get(id);
  const isSame = known !== undefined && jsonEquals(contentOf(known), content);
  if (!isSame) {
    const result = await tx.put({ ...content, id, ...(known !== undefined && { version: known.version }) }, { undecided: true });
    if (!result.ok) throw new StoreError("RECORD_INVALID", result.message);
  }
  const isDecided = await approveImported(tx, id, value, options);
  if (isSame) return isDecided ? "updated" : "unchanged";
  return known === undefined ? "created" : "updated";
}

/** Decides anew about a definition that its file shows as callable, where that is wanted and it is not callable here. */
async function approveImported(tx: BreadcrumbStore, id: string, value: unknown, { approve }: ImportOptions): Promise<boolean> {
  if (approve === undefined) return false;
  const record = await tx.get(id);
  if (record?.schema_name !== definitionSchema || isCallable(stateOf(record))) return false;
  const { decision: shown } = value as { readonly decision?: RecordedDecision };
  const wasDecided = isObject(shown) && decisionOn({ ...record, decision: shown }) !== undefined;
  if (!wasDecided && approve.which !== "all") return false;
  const decision = (wasDecided ? shown.decision : record.context["state"]) ?? "approved";
  const claimed = record.context["state"] ?? decision;
  if ((decision !== "approved" && decision !== "deprecated") || (claimed !== "approved" && claimed !== "deprecated")) return false;
  const deprecated = record.context["deprecated"] as RecordedDecision["deprecated"];
  await recordDecision(tx, id, {
    decision,
    reason: `Imported: ${approve.reason}`,
    besideOnly: true,
    ...(decision === "deprecated" && deprecated !== undefined && { deprecated }),
  });
  return true;
}

export interface ImportLimits {
  /** How many files a folder may have. @default 10_000 */
  readonly maxFiles?: number;
  /** Of one file. @default 16_777_216 */
  readonly maxFileBytes?: number;
  /** In all files together. @default 100_000 */
  readonly maxRecords?: number;
}

/**
 * Brings in every .json file of a folder, in the order of their names: one record, or a list of them. Doing it again changes nothing. Links
 * and pipes are left out, and so is a file beyond the limits; each has its line among the problems.
 */
export async function importFromFolder(
  store: BreadcrumbStore,
  folder: string,
  options: ImportOptions & ImportLimits = {},
): Promise<ImportReport> {
  const { maxFiles = 10_000, maxFileBytes = 16_777_216, maxRecords = 100_000 } = options;
  requireRole(store.actor, "curator", "import records");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json")).sort();
  if (names.length > maxFiles)
    throw new StoreError(
      "RECORD_INVALID",
      `The folder has ${names.length} files, and ${maxFiles} are imported at once. Import a part of them.`,
    );
  const total = { created: 0, updated: 0, unchanged: 0, problems: [] as string[] };
  let left = maxRecords;
  for (const name of names) {
    try {
      const values = toValues(parseStrictly(await readPlainFile(join(folder, name), maxFileBytes, name), name), name);
      if (values.length > left)
        throw new StoreError(
          "RECORD_INVALID",
          `${name} is left out: with it there would be more than ${maxRecords} records. Import it alone.`,
        );
      left -= values.length;
      const { created, updated, unchanged, problems } = await importRecords(store, values, options);
      total.created += created;
      total.updated += updated;
      total.unchanged += unchanged;
      total.problems.push(...problems);
    } catch (error) {
      if (StoreError.is(error) && error.retryable) throw error;
      total.problems.push((error as Error).message);
    }
  }
  return total;
}

function toValues(value: unknown, name: string): readonly { readonly place: string; readonly value: unknown }[] {
  return Array.isArray(value)
    ? value.map((item: unknown, index) => ({ place: `${name}[${index}]`, value: item }))
    : [{ place: name, value }];
}
