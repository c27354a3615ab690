import type { JsonObject } from "@toolrack/json-schema/internal";
import { members, own, ownList, ownObject } from "../document/json.ts";
import type { References } from "../document/references.ts";
import type { SpecVersion } from "../document/version.ts";
import { OperationFault, OperationLimit } from "../fault.ts";
import type { OperationLink } from "../operation.ts";
import type { Located } from "../schema/context.ts";
import { readLinks } from "./links.ts";
import { byPreference, isJson } from "./media-types.ts";
import type { RawOperation } from "./raw-operations.ts";

export interface ReadAnswers {
  /** The schema of the first success that answers with JSON: 200, 201, other 2xx, 2XX. */
  readonly schema: Located | undefined;
  /** The media types of all successes, JSON first. */
  readonly accept: readonly string[];
  /** What can be called with a part of the answer, as the document says. */
  readonly links: readonly OperationLink[];
}

/** More than any response has: each operation that shares one has its own list. */
const maxTypes = 100;

/** What an operation answers when it succeeds. A broken reference to a response costs its schema alone. */
export function readAnswers(
  raw: RawOperation,
  root: JsonObject,
  version: SpecVersion,
  references: References,
  warn: (message: string) => void,
): ReadAnswers {
  const types: string[] = [];
  const links: OperationLink[] = [];
  let schema: Located | undefined;
  for (const [, given] of successes(own(raw.value, "responses"))) {
    try {
      const { value, scope } = references.follow(given, raw.scope);
      const content = version === "2.0" ? swaggerContent(value, raw, root) : members(ownObject(value, "content"));
      if (content.length > maxTypes) throw new OperationFault(`It has more than ${maxTypes} media types.`);
      types.push(...content.map(([type]) => type));
      const json = byPreference(
        content.filter(([type]) => isJson(type)).map(([type]) => type),
        [],
      )[0];
      const found = json === undefined ? undefined : own(content.find(([type]) => type === json)![1], "schema");
      if (found !== undefined) schema ??= { schema: found, scope };
      links.push(...readLinks(value, scope, references));
    } catch (error) {
      if (!(error instanceof OperationFault) || error instanceof OperationLimit) throw error;
      warn(`A response is left out: ${error.fact}`);
    }
  }
  const named = byPreference([...new Set(types)], []).filter((type) => !type.includes("*"));
  const whole = named.filter((type) => !streaming.test(type));
  return { schema, accept: whole.length > 0 ? whole : named, links };
}

/** An API that can answer as a whole is not asked for a stream. */
const streaming =
  /^(?:text\/event-stream|application\/(?:x-)?ndjson|application\/jsonl|application\/json-seq|multipart\/x-mixed-replace)\b/i;

function successes(responses: unknown): readonly (readonly [string, unknown])[] {
  const rank = (status: string): number => (status === "200" ? 0 : status === "201" ? 1 : /^2\d\d$/.test(status) ? 2 : 3);
  return members(responses)
    .filter(([status]) => /^2(?:\d\d|XX)$/i.test(status) && status !== "204" && status !== "205")
    .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

function swaggerContent(response: unknown, raw: RawOperation, root: JsonObject): readonly (readonly [string, unknown])[] {
  const produces = ownList(raw.value, "produces").length > 0 ? ownList(raw.value, "produces") : ownList(root, "produces");
  const types = produces.filter((type) => typeof type === "string");
  const schema = own(response, "schema");
  if (schema === undefined || own(schema, "type") === "file") return types.map((type) => [type, {}] as const);
  return (types.length === 0 ? ["application/json"] : types).map((type) => [type, { schema }] as const);
}
