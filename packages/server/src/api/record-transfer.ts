import { exportPage, type ImportOptions, importRecords, type JsonObject, type RecordFile } from "@toolrack/store";
import { defineRoute, type RouteRequest, type RoutesOf } from "../http/route.ts";
import { type DefinitionProblem, demandRunnable, demandWritable } from "../rack/access/guarded-writes.ts";
import { demandFreeName } from "../rack/access/taken-name.ts";
import type { Rack } from "../rack/rack.ts";
import { Problem } from "../http/reply/problem.ts";
import { listOf, objectOf, ok } from "./_answers.ts";
import { checkToolSettings } from "./shared/tool-settings.ts";
import { pageBytes } from "./_pages.ts";
import { recordsFor } from "./_visible.ts";

/** A part of all records, as they are written to files. */
export interface ExportedRecords {
  readonly records: readonly RecordFile[];
  /** Records of this page that are left out, because their content is secret. */
  readonly withheld: number;
  readonly cursor?: string;
}

/** What an import changed. */
export interface ImportedRecords {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Records that were changed here and stay as they are; only a bootstrap keeps them. */
  readonly kept: number;
  readonly problems: readonly ImportProblem[];
}

/** A record that was left out. */
export interface ImportProblem {
  /** Its position in the request. */
  readonly record: number;
  readonly problem: string;
}

export interface RecordTransferAnswers {
  "GET /records/export": ExportedRecords;
  "POST /records/import": ImportedRecords;
  "POST /records/bootstrap": ImportedRecords;
}

const text = { type: "string" } as const;
const count = { type: "integer" } as const;
const anyObject = { type: "object", additionalProperties: true } as const;
/** How many records one request imports. */
const maxRecords = 1_000;
const records = {
  type: "array",
  items: {},
  maxItems: maxRecords,
  description: "The records, in the form of an export. Invalid records are skipped, each with its problem.",
} as const;

const imported = ok(
  "What was changed, and which records were left out.",
  objectOf<ImportedRecords>({
    created: count,
    updated: count,
    unchanged: count,
    kept: { ...count, description: "Records that were changed here and stay as they are; only a bootstrap keeps them." },
    problems: listOf(objectOf<ImportProblem>({ record: { ...count, description: "Its position in the request, from 0." }, problem: text })),
  }),
);

const exportAll = defineRoute({
  method: "GET",
  path: "/records/export",
  id: "exportRecords",
  group: "records",
  summary: "Export all records, page by page, without secrets. For the owner.",
  needs: ["owner"],
  isHeavy: true,
  query: {
    type: "object",
    properties: { limit: { type: "integer", minimum: 1, maximum: maxRecords }, cursor: { ...text, minLength: 1 } },
    additionalProperties: false,
  },
  answers: ok(
    "One page, in the order of creation; its cursor is for the next one.",
    objectOf<ExportedRecords>({ records: listOf<RecordFile>(anyObject), withheld: count, cursor: text }, ["cursor"]),
  ),
  async run(request) {
    const store = recordsFor(request);
    const { limit = maxRecords } = request.query;
    let { cursor } = request.query;
    if (cursor === undefined) await request.rack.audit({ kind: "records-exported", subject: "records", by: request.identity, body: {} });
    const found: RecordFile[] = [];
    let withheld = 0;
    let looked = 0;
    // A few at a time: a page that would become too large ends after those.
    for (let bytes = 0; looked < limit && bytes < pageBytes;) {
      const wanted = Math.min(50, limit - looked);
      const page = await exportPage(store, { limit: wanted, ...(cursor !== undefined && { cursor }) });
      found.push(...page.records);
      withheld += page.withheld;
      looked += wanted;
      cursor = page.cursor;
      if (cursor === undefined) break;
      bytes += JSON.stringify(page.records).length;
    }
    return { body: { records: found, withheld, ...(cursor !== undefined && { cursor }) } };
  },
});

const importThem = defineRoute({
  method: "POST",
  path: "/records/import",
  id: "importRecords",
  group: "records",
  summary: "Import records: create new ones and update those that differ. For the owner.",
  needs: ["owner"],
  isHeavy: true,
  body: {
    type: "object",
    properties: {
      records,
      approve: {
        type: "object",
        description: "Approves imported definitions in the owner's name. Without it, new and changed definitions are drafts.",
        properties: {
          reason: { type: "string", minLength: 1, maxLength: 500, pattern: "\\S" },
          which: { enum: ["decided", "all"], description: "Those that were approved where they come from, or all. Default: decided." },
        },
        required: ["reason"],
        additionalProperties: false,
      },
    },
    required: ["records"],
    additionalProperties: false,
  },
  answers: imported,
  async run(request) {
    const { records: values, approve } = request.body;
    const options: ImportOptions =
      approve === undefined ? {} : { approve: { ...(approve as { reason: string }), problemOf: problemOfItself(request.rack) } };
    return { body: await bringIn(request, values, options, "records-imported") };
  },
});

const bootstrap = defineRoute({
  method: "POST",
  path: "/records/bootstrap",
  id: "bootstrapRecords",
  group: "records",
  summary: "Create and approve the records that are missing, and change no others. For the owner.",
  needs: ["owner"],
  isHeavy: true,
  body: { type: "object", properties: { records }, required: ["records"], additionalProperties: false },
  answers: imported,
  async run(request) {
    const options: ImportOptions = {
      existing: "keep",
      approve: { reason: "Bootstrap", which: "all", problemOf: problemOfItself(request.rack) },
    };
    return { body: await bringIn(request, request.body.records, options, "records-bootstrapped") };
  },
});

/** What a definition refers to may be imported after it. */
function problemOfItself({ definitionProblem }: Rack): DefinitionProblem {
  return (definition) => definitionProblem(definition, { alone: true });
}

/** In parts, so that other requests are served in between, and ends when the client is gone. */
async function bringIn(
  request: Pick<RouteRequest, "rack" | "identity" | "signal">,
  values: readonly unknown[],
  options: ImportOptions,
  kind: string,
): Promise<ImportedRecords> {
  const { rack, identity } = request;
  const store = rack.store.as(identity.actor);
  const guarded: ImportOptions = {
    ...options,
    demand: (schemaName) => demandWritable(schemaName, { isAdmin: identity.roles.has("admin") }),
    check: async (content) => {
      demandFreeName(rack.registry, content);
      await demandRunnable({ problemOf: problemOfItself(rack), kinds: rack.definitionKinds }, content);
      checkSettings(rack, content);
    },
  };
  const total = { created: 0, updated: 0, unchanged: 0, kept: 0, problems: [] as ImportProblem[] };
  for (const [record, value] of values.entries()) {
    if (request.signal.aborted) throw new Problem(503, "SERVER_CLOSING", "The import was interrupted. Send the same records again.");
    const { created, updated, unchanged, kept = 0, problems } = await importRecords(store, [{ place: "", value }], guarded);
    total.created += created;
    total.updated += updated;
    total.unchanged += unchanged;
    total.kept += kept;
    total.problems.push(...problems.map((problem) => ({ record, problem: problem.replace(/^: /, "") })));
  }
  const { problems, ...counts } = total;
  if (total.created + total.updated > 0)
    await rack.audit({ kind, subject: "records", by: identity, body: { ...counts, problems: problems.length } });
  return total;
}

/** Settings of a tool that is here are checked as they are when they are saved. */
function checkSettings({ registry }: Rack, { schema_name, context }: Parameters<NonNullable<ImportOptions["check"]>>[0]): void {
  if (schema_name !== "tool.config.v1") return;
  const tool = registry.get(String(context["tool"]));
  if (tool?.metadata?.configSchema !== undefined) checkToolSettings(tool, (context["config"] ?? {}) as JsonObject);
}

export const recordTransferRoutes: RoutesOf<RecordTransferAnswers> = [exportAll, importThem, bootstrap];
