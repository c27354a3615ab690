import type { JsonSchema } from "@toolrack/json-schema";
import type { Breadcrumb, WriteResult } from "@toolrack/store";
import { Problem } from "../../http/reply/problem.ts";
import type { RouteAnswer } from "../../http/route.ts";

/** A record as the API shows it. `context` is left out where a search was not asked for it. */
export const recordSchema = {
  type: "object",
  properties: {
    owner: { type: "string" },
    id: { type: "string" },
    schema_name: { type: "string" },
    title: { type: "string" },
    tags: { type: "array", items: { type: "string" } },
    context: { type: "object", additionalProperties: true },
    version: { type: "integer" },
    semantic_version: { type: "string" },
    checksum: { type: "string" },
    created_at: { type: "string" },
    created_by: { type: "string" },
    updated_at: { type: "string" },
    updated_by: { type: "string" },
    updated_agent: { type: "string", description: "The name of the agent at its sign-in, where that is not updated_by." },
    updated_as: { enum: ["curator", "emitter"] },
    decision: {
      type: "object",
      description: "The last decision about a definition. It counts while the definition's content has this hash.",
      properties: {
        decision: { enum: ["approved", "rejected", "deprecated", "archived"] },
        hash: { type: "string" },
        by: { type: "string" },
        at: { type: "string" },
        reason: { type: "string" },
        deprecated: {
          type: "object",
          properties: { since: { type: "string" }, successor: { type: "string" } },
          required: ["since"],
          additionalProperties: false,
        },
      },
      required: ["decision", "hash", "by", "at", "reason"],
      additionalProperties: false,
    },
    visibility: { enum: ["private", "team", "public"] },
    sensitivity: { enum: ["low", "pii", "secret"] },
    ttl: {
      type: "object",
      properties: { at: { type: "string" }, afterMs: { type: "number" }, reads: { type: "integer" } },
      additionalProperties: false,
    },
    grants: { type: "object", additionalProperties: { enum: ["read", "write"] } },
  },
  required: [
    "id",
    "schema_name",
    "title",
    "tags",
    "version",
    "checksum",
    "created_at",
    "created_by",
    "updated_at",
    "updated_by",
    "visibility",
    "sensitivity",
  ],
  additionalProperties: false,
} as const;

/** One change of a record, with its number in the order of the commits. */
export const changeSchema: JsonSchema = {
  type: "object",
  properties: { sequence: { type: "integer" }, type: { enum: ["created", "updated", "deleted", "expired"] }, record: recordSchema },
  required: ["sequence", "type", "record"],
  additionalProperties: false,
};

/** "3" as an ETag, with the quotes that it needs. */
export function etagOf({ version }: Pick<Breadcrumb, "version">): string {
  return `"${version}"`;
}

/** The version in If-Match; undefined where there is none, or any will do. */
export function readIfMatch(header: string | undefined): number | undefined {
  if (header === undefined || header === "*") return undefined;
  const version = /^"(\d{1,15})"$/.exec(header)?.[1];
  if (version === undefined)
    throw new Problem(400, "REQUEST_INVALID", 'If-Match must be the ETag of a record, for instance "3" with its quotes, or *.');
  return Number(version);
}

/** A written record, or the problem that kept it from being written. */
export function toWritten(result: WriteResult, status = 200): RouteAnswer {
  const record = mustBeWritten(result);
  return { status, body: record, headers: { etag: etagOf(record) } };
}

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
