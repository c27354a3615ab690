import {
  type Breadcrumb,
  type Change,
  type FoundBreadcrumb,
  isSeen,
  type ModelView,
  type RecordedDecision,
  type Ttl,
  type WriteResult,
} from "@toolrack/store";
import { Problem } from "../../http/reply/problem.ts";
import type { RouteAnswer, RouteRequest, SchemaOf } from "../../http/route.ts";
import { type FieldsOf, listOf, objectOf } from "../_answers.ts";

const text = { type: "string" } as const;

/** The last decision about a definition. */
export const decisionSchema: SchemaOf<RecordedDecision> = {
  ...objectOf<RecordedDecision>(
    {
      decision: { enum: ["approved", "rejected", "deprecated", "archived"] },
      hash: text,
      by: text,
      at: text,
      reason: text,
      deprecated: objectOf<NonNullable<RecordedDecision["deprecated"]>>({ since: text, successor: text }, ["successor"]),
    },
    ["deprecated"],
  ),
  description: "The last decision about the definition, valid for the content with this hash.",
};

/** What models see of a record. */
const modelViewSchema: SchemaOf<ModelView> = {
  type: "object",
  description: "What models see of the context.",
  properties: {
    include: { type: "array", items: text },
    exclude: { type: "array", items: text },
    transform: {
      type: "object",
      additionalProperties: {
        anyOf: [
          { type: "object", properties: { template: text }, required: ["template"], additionalProperties: false },
          { type: "object", properties: { extract: text }, required: ["extract"], additionalProperties: false },
          { type: "object", properties: { literal: {} }, required: ["literal"], additionalProperties: false },
        ],
      },
    },
    mode: { enum: ["merge", "replace"] },
  },
  additionalProperties: false,
};

const foundFields: FieldsOf<FoundBreadcrumb> = {
  owner: text,
  id: text,
  schema_name: text,
  title: text,
  tags: listOf(text),
  context: { type: "object", additionalProperties: true },
  version: { type: "integer" },
  semantic_version: text,
  model_view: modelViewSchema,
  checksum: text,
  created_at: text,
  created_by: text,
  updated_at: text,
  updated_by: text,
  updated_agent: { ...text, description: "The name of the agent at its sign-in, if that is not updated_by." },
  updated_as: { enum: ["curator", "emitter"] },
  decision: decisionSchema,
  visibility: { enum: ["private", "team", "public"] },
  sensitivity: { enum: ["low", "pii", "secret"] },
  ttl: objectOf<Ttl>({ at: text, afterMs: { type: "number" }, reads: { type: "integer" } }, ["at", "afterMs", "reads"]),
  grants: { type: "object", additionalProperties: { enum: ["read", "write"] } },
};
const foundOptional = ["semantic_version", "model_view", "updated_agent", "decision", "ttl", "grants"] as const;

/** A record as the API shows it. */
export const recordSchema: SchemaOf<Breadcrumb> = objectOf<Breadcrumb>(foundFields, foundOptional);

/** A record in a search; `context` is present if the search asked for it. */
export const foundRecordSchema: SchemaOf<FoundBreadcrumb> = objectOf<FoundBreadcrumb>(foundFields, [...foundOptional, "context"]);

/** One change of a record, with its number in the order of the commits. */
export const changeSchema: SchemaOf<Change> = objectOf<Change>({
  sequence: { type: "integer" },
  type: { enum: ["created", "updated", "deleted", "expired"] },
  record: recordSchema,
});

/** "3" as an ETag, with the quotes that it needs. */
export function etagOf({ version }: Pick<Breadcrumb, "version">): string {
  return `"${version}"`;
}

/** The version in If-Match; undefined without the header, or for *. */
export function readIfMatch(header: string | undefined): number | undefined {
  if (header === undefined || header === "*") return undefined;
  const version = /^"(\d{1,15})"$/.exec(header)?.[1];
  if (version === undefined)
    throw new Problem(400, "REQUEST_INVALID", 'If-Match must be the ETag of a record, for instance "3" with its quotes, or *.');
  return Number(version);
}

/** A record that was written. */
export interface WrittenRecord extends Breadcrumb {
  /** Why nothing on this server could run the definition of a tool. It is stored, and cannot be approved here. */
  readonly problem?: string;
}

export const writtenSchema: SchemaOf<WrittenRecord> = objectOf<WrittenRecord>(
  {
    ...foundFields,
    problem: { ...text, description: "Why nothing on this server could run the definition. It is stored, and cannot be approved here." },
  },
  [...foundOptional, "problem"],
);

export async function answerWritten(
  { rack }: Pick<RouteRequest, "rack">,
  record: Breadcrumb,
  status = 200,
): Promise<RouteAnswer<WrittenRecord>> {
  const isDefinition = record.schema_name === "tool.definition.v1" && !isSeen(record);
  const problem = isDefinition ? await rack.definitionProblem(record, { alone: true }) : undefined;
  return { status, body: { ...record, ...(problem !== undefined && { problem }) }, headers: { etag: etagOf(record) } };
}

/** The written record; throws a problem if it was not written. */
export function mustBeWritten(result: WriteResult): Breadcrumb {
  if (result.ok) return result.record;
  if (result.code === "not-found") throw new Problem(404, "NOT_FOUND", result.message);
  if (result.code === "taken") throw new Problem(409, "ALREADY_THERE", result.message);
  throw new Problem(412, "VERSION_CONFLICT", result.message, {
    ...(result.currentVersion !== undefined && { headers: { etag: `"${result.currentVersion}"` } }),
  });
}

export function notFound(what: string): Problem {
  return new Problem(404, "NOT_FOUND", `There is no ${what}.`);
}
