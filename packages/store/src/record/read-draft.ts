import { StoreError } from "../errors.ts";
import type { Breadcrumb, BreadcrumbDraft, Content, Grant, Sensitivity, Visibility } from "./breadcrumb.ts";
import { settleContext } from "./context-text.ts";
import { copyJson } from "./copy-json.ts";
import { inOwnNames } from "./definition-names.ts";
import { isObject, jsonEquals } from "./json.ts";
import { maxTitleLength, type RecordLimits } from "./limits.ts";
import { readModelView } from "./model-view.ts";
import { readTags } from "./tags.ts";
import { readTtl } from "./ttl.ts";

/** Reads what an author wrote into content with every default filled in. Throws RECORD_INVALID, with the field and the reason. */
export function readDraft(draft: BreadcrumbDraft | Breadcrumb, limits: RecordLimits): Content {
  if (!isObject(draft)) throw invalid("A record must be an object: { schema_name, title, tags, context }.");
  for (const key of Object.keys(draft)) {
    if (fields.has(key)) continue;
    if (!storeFields.has(key)) throw invalid(`A record has no field "${key}". Put your own data into context.`);
    if (draft.version === undefined)
      throw invalid(`${key} is written by the store. Leave it out, or give the version of the record that you read and want to replace.`);
  }
  const schema_name = readName(draft.schema_name, "schema_name");
  const title = draft.title ?? "";
  if (typeof title !== "string" || title.length > maxTitleLength)
    throw invalid(`title must be a text of at most ${maxTitleLength} characters.`);
  copyJson({ title, semantic_version: draft.semantic_version }, "The record", 65_536);
  const { semantic_version } = draft;
  if (semantic_version !== undefined && typeof semantic_version !== "string") throw invalid("semantic_version must be a text.");
  const model_view =
    draft.model_view === undefined ? undefined : readModelView(copyJson(draft.model_view as never, "model_view", 65_536), "model_view");
  const grants = readGrants(draft.grants);
  const ttl = readTtl(draft.ttl);
  const context = copyJson(draft.context, "context", limits.maxContextBytes);
  return {
    schema_name,
    title,
    tags: readTags(draft.tags ?? []),
    context: settleContext(schema_name === "tool.definition.v1" ? inOwnNames(context) : context),
    visibility: oneOf<Visibility>(draft.visibility ?? defaultVisibility(schema_name), ["private", "team", "public"], "visibility"),
    sensitivity: oneOf<Sensitivity>(draft.sensitivity ?? "low", ["low", "pii", "secret"], "sensitivity"),
    ...(semantic_version !== undefined && { semantic_version }),
    ...(model_view !== undefined && { model_view }),
    ...(ttl !== undefined && { ttl }),
    ...(grants !== undefined && { grants }),
  };
}

/** The configuration of a tool may contain confidential values. */
function defaultVisibility(schemaName: string): Visibility {
  return schemaName === "tool.config.v1" ? "private" : "team";
}

const fields: ReadonlySet<string> = new Set<keyof BreadcrumbDraft>([
  "id",
  "schema_name",
  "title",
  "tags",
  "context",
  "version",
  "semantic_version",
  "model_view",
  "visibility",
  "sensitivity",
  "ttl",
  "grants",
]);

/** What the store adds. */
const storeFields: ReadonlySet<string> = new Set<Exclude<keyof Breadcrumb, keyof BreadcrumbDraft>>([
  "owner",
  "checksum",
  "created_at",
  "created_by",
  "updated_at",
  "updated_by",
  "updated_agent",
  "updated_as",
  "decision",
]);

/** A record that was read may be written back whole; what the store added to it must be as it was. Throws RECORD_INVALID otherwise. */
export function checkStoreFields(draft: BreadcrumbDraft | Breadcrumb, stored: Breadcrumb): void {
  for (const key of storeFields) {
    const given: unknown = Object.hasOwn(draft, key) ? draft[key as keyof typeof draft] : undefined;
    if (given !== undefined && !jsonEquals(given, stored[key as keyof Breadcrumb]))
      throw invalid(`${key} is written by the store and cannot be changed. Leave it out, or as it was read.`);
  }
}

const idPattern = /^[A-Za-z0-9][A-Za-z0-9._:@/+~-]{0,255}$/;
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}$/;

export function readId(id: unknown): string {
  if (typeof id === "string" && idPattern.test(id)) return id;
  throw invalid(`The id ${show(id)} must be 1 to 256 of the characters A-Z a-z 0-9 . _ : @ / + ~ - and begin with a letter or digit.`);
}

/** Owners and schema names. */
export function readName(name: unknown, field: string): string {
  if (typeof name === "string" && namePattern.test(name)) return name;
  throw invalid(`${field} ${show(name)} must be 1 to 128 of the characters A-Z a-z 0-9 . _ : @ - and begin with a letter or digit.`);
}

/** Who reads and writes: a name, or one line of text that says who it is: "token https://login.example.com/ auth0|42". */
export function readAgent(agent: unknown, field: string): string {
  if (typeof agent === "string" && agent.length <= maxAgentLength && agentPattern.test(agent)) return agent;
  throw invalid(`${field} ${show(agent)} must be 1 to ${maxAgentLength} printable characters and begin with a letter or digit.`);
}

const maxAgentLength = 1_024;
// What hides or turns round the text after it is not printable, either; emoji and some scripts need the two that join letters.
const agentPattern = /^[\p{L}\p{N}](?:[\u200c\u200d]|[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}])*$/u;

export function readVersion(version: unknown): number {
  if (typeof version === "number" && Number.isSafeInteger(version) && version >= 1) return version;
  throw invalid(
    `version ${show(version)} must be the whole number of the revision to replace. An author's own text belongs into semantic_version.`,
  );
}

function readGrants(grants: unknown): Readonly<Record<string, Grant>> | undefined {
  if (grants === undefined) return undefined;
  if (!isObject(grants) || Object.keys(grants).length > 100) throw invalid("grants must be an object of at most 100 agents.");
  const read: Record<string, Grant> = {};
  for (const [agent, grant] of Object.entries(grants)) {
    read[readAgent(agent, "The agent in grants")] = oneOf<Grant>(grant, ["read", "write"], `grants.${agent}`);
  }
  return Object.freeze(read);
}

function oneOf<Value extends string>(value: unknown, allowed: readonly Value[], field: string): Value {
  if (allowed.includes(value as Value)) return value as Value;
  throw invalid(`${field} must be one of ${allowed.join(", ")}, not ${show(value)}.`);
}

function show(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value.slice(0, 80)) : `(${typeof value})`;
}

function invalid(message: string): StoreError {
  return new StoreError("RECORD_INVALID", message);
}
