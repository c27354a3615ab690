import { createHash } from "node:crypto";
import { canonicalJson } from "@toolrack/core/internal";
import { requireRole } from "../access.ts";
import { isCallable, stateOf } from "../catalog/state.ts";
import { StoreError } from "../errors.ts";
import { approvalProblems, type ProblemOf } from "../lifecycle/check-definition.ts";
import { recordDecision } from "../lifecycle/record-decision.ts";
import { type Content, contentOf, type RecordedDecision } from "../record/breadcrumb.ts";
import { decisionOn } from "../record/decision.ts";
import { definitionSchema, identityOf, idOf } from "../record/identity.ts";
import { isObject, jsonEquals } from "../record/json.ts";
import { isSeen } from "../record/seen.ts";
import { readDraft } from "../record/read-draft.ts";
import type { BreadcrumbStore, FoundBreadcrumb } from "../store/store.ts";
import { fromRecordFile, type RecordFile, toRecordFile } from "./format.ts";
import { type ImportLimits, readRecordFiles, writeRecordFiles } from "./folder.ts";
import type { PlacedValue } from "./parse.ts";

export interface ExportReport {
  readonly written: number;
  /** Records whose bodies are secret. */
  readonly withheld: number;
}

export interface ImportReport {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Records that differ from those that are there, which were kept; only with `existing: "keep"`. */
  readonly kept?: number;
  /** One line for each record that was left out alone, with the reason. */
  readonly problems: readonly string[];
}

export interface ImportOptions {
  /** What happens to a record that is there and differs; with "keep", nothing is decided about it either. @default "replace" */
  readonly existing?: "replace" | "keep";
  /** Throws for records that must not be imported: called with the schema of each record, and of what has its id. */
  readonly demand?: (schemaName: string) => void;
  /** Throws, with the reason, for content that must not be imported. */
  readonly check?: (content: Content) => void | Promise<void>;
  /**
   * Decides anew, in your name and with this reason: "decided" approves each definition that its file shows with the decision that it was
   * approved, "all" also those without one, for files that were written by hand. Without this an import decides nothing: definitions that
   * are new or differ are drafts until a curator approves them.
   */
  readonly approve?: {
    readonly reason: string;
    /** @default "decided" */
    readonly which?: "decided" | "all";
    /** Why nothing could run a definition: `problemOf` of a record source. @default it is not asked */
    readonly problemOf?: ProblemOf;
  };
}

/** Every record of the owner, as values. */
export async function exportRecords(
  store: BreadcrumbStore,
): Promise<{ readonly records: readonly RecordFile[]; readonly withheld: number }> {
  requireRole(store.actor, "curator", "export records");
  return toFiles(await store.searchBreadcrumbs({ includeContext: true }));
}

/** A part of them: `cursor` is where the next one begins. */
export interface ExportPage {
  readonly records: readonly RecordFile[];
  readonly withheld: number;
  readonly cursor?: string;
}

/** The next records of the owner, at most `limit`, in the order of creation. */
export async function exportPage(
  store: BreadcrumbStore,
  { cursor, limit }: { readonly cursor?: string; readonly limit: number },
): Promise<ExportPage> {
  requireRole(store.actor, "curator", "export records");
  const page = await store.search({ includeContext: true, limit, ...(cursor !== undefined && { cursor }) });
  return { ...toFiles(page.records), ...(page.cursor !== undefined && { cursor: page.cursor }) };
}

function toFiles(found: readonly FoundBreadcrumb[]): Pick<ExportPage, "records" | "withheld"> {
  return {
    // What a server wrote about its tools is written again by the server that serves them.
    records: found.flatMap(({ context, ...record }) =>
      context === undefined || isSeen(record) ? [] : (toRecordFile({ ...record, context }) ?? []),
    ),
    withheld: found.filter(({ sensitivity }) => sensitivity === "secret").length,
  };
}

/** Writes a file for each record into a folder, the same bytes for the same records. */
export async function exportToFolder(store: BreadcrumbStore, folder: string): Promise<ExportReport> {
  const { records, withheld } = await exportRecords(store);
  await writeRecordFiles(records, folder);
  return { written: records.length, withheld };
}

/**
 * Brings records in: new ones are created, others get a new revision only where something differs. One wrong record harms no other.
 * A decision in a file has no effect by itself.
 */
export async function importRecords(
  store: BreadcrumbStore,
  values: Iterable<PlacedValue>,
  options: ImportOptions = {},
): Promise<ImportReport> {
  requireRole(store.actor, "curator", "import records");
  if (options.approve?.reason.trim() === "") throw new StoreError("STATE_INVALID", "A reason is needed to approve what is imported.");
  const report = emptyReport(options);
  for (const { place, value } of values) {
    try {
      const outcome = await store.transaction((tx) => importOne(tx, value, options));
      if (outcome !== undefined) report[outcome] = (report[outcome] ?? 0) + 1;
    } catch (error) {
      if (StoreError.is(error) && error.retryable) throw error;
      report.problems.push(`${place}: ${(error as Error).message}`);
    }
  }
  return report;
}

const outcomes = ["created", "updated", "unchanged", "kept"] as const;
type Outcome = (typeof outcomes)[number];

function emptyReport({
  existing,
}: ImportOptions): Partial<Record<"kept", number>> & Record<Exclude<Outcome, "kept">, number> & { problems: string[] } {
  return { created: 0, updated: 0, unchanged: 0, ...(existing === "keep" && { kept: 0 }), problems: [] };
}

async function importOne(tx: BreadcrumbStore, value: unknown, options: ImportOptions): Promise<Outcome | undefined> {
  const draft = fromRecordFile(value);
  if (draft === undefined) return undefined;
  const id = draft.id === undefined && identityOf(draft) === undefined ? idFromContent(draft) : idOf(draft);
  const content = readDraft({ ...draft, id }, { maxContextBytes: Number.MAX_SAFE_INTEGER });
  options.demand?.(content.schema_name);
  await options.check?.(content);
  const [newest] = options.demand === undefined ? [] : await tx.history(id, { limit: 1 });
  if (newest !== undefined) options.demand!(newest.record.schema_name);
  const known = await tx.get(id);
  const isSame = known !== undefined && jsonEquals(contentOf(known), content);
  if (known !== undefined && options.existing === "keep") return isSame ? "unchanged" : "kept";
  if (!isSame) {
    const result = await tx.put({ ...content, id, ...(known !== undefined && { version: known.version }) }, { undecided: true });
    if (!result.ok) throw new StoreError("RECORD_INVALID", result.message);
  }
  const isDecided = await approveImported(tx, id, value, options);
  if (isSame) return isDecided ? "updated" : "unchanged";
  return known === undefined ? "created" : "updated";
}

/** The same for the same content, so that a file without ids can be imported again. */
function idFromContent(draft: object): string {
  return `imported-${createHash("sha256").update(canonicalJson(draft)).digest("hex").slice(0, 32)}`;
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
  const problems = await approvalProblems(record, approve.problemOf);
  if (problems.length > 0) throw new StoreError("STATE_INVALID", `It cannot be approved: ${problems.join(" ")}`);
  const deprecated = record.context["deprecated"] as RecordedDecision["deprecated"];
  await recordDecision(tx, id, {
    decision,
    reason: `Imported: ${approve.reason}`,
    besideOnly: true,
    ...(decision === "deprecated" && deprecated !== undefined && { deprecated }),
  });
  return true;
}

/** Brings in what `readRecordFiles` reads. Doing it again changes nothing. Each file that is left out has its line among the problems. */
export async function importFromFolder(
  store: BreadcrumbStore,
  folder: string,
  options: ImportOptions & ImportLimits = {},
): Promise<ImportReport> {
  requireRole(store.actor, "curator", "import records");
  const total = emptyReport(options);
  for await (const file of readRecordFiles(folder, options)) {
    if ("problem" in file) {
      total.problems.push(file.problem);
      continue;
    }
    const { problems, ...counts } = await importRecords(store, file.values, options);
    for (const outcome of outcomes) if (counts[outcome] !== undefined) total[outcome] = (total[outcome] ?? 0) + counts[outcome];
    total.problems.push(...problems);
  }
  return total;
}
