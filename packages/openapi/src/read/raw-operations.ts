import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { members, own, ownList, ownObject, ownText } from "../document/json.ts";
import type { DocumentScope, References } from "../document/references.ts";
import type { SpecVersion } from "../document/version.ts";
import { OperationFault } from "../fault.ts";

/** An operation as it stands in the document. */
export interface RawOperation {
  /** "GET /pets" */
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly operationId: string | undefined;
  readonly tags: readonly string[];
  readonly item: JsonObject;
  readonly value: JsonObject;
  readonly scope: DocumentScope;
}

export interface RawOperations {
  readonly operations: readonly RawOperation[];
  readonly refused: readonly { readonly operation: string; readonly reason: string }[];
}

/** Longer than any path that a server reads; names, messages and patterns stay short with it. */
const maxPath = 2_000;

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;

/** Every operation below `paths`; callbacks and webhooks are requests to us, so they are none. */
export function listOperations(root: JsonObject, version: SpecVersion, references: References): RawOperations {
  const operations: RawOperation[] = [];
  const refused: { operation: string; reason: string }[] = [];
  const seen = new Set<string>();

  function add(method: string, path: string, item: JsonObject, found: unknown, scope: DocumentScope): void {
    const operation = `${method} ${path}`;
    const refuse = (reason: string): void => void refused.push({ operation, reason });
    if (seen.has(operation)) return refuse("The document has this operation twice.");
    seen.add(operation);
    if (!isObject(found)) return refuse("It is not an object. Describe it, or take it out of the document.");
    if (!/^[A-Z0-9!#$%&'*+.^_`|~-]{1,40}$/i.test(method) || method === "CONNECT" || method === "TRACE")
      return refuse(`${method.slice(0, 40)} is a method that is never sent. Exclude the operation.`);
    const tags = ownList(found, "tags").filter((tag) => typeof tag === "string");
    operations.push({ operation, method, path, operationId: ownText(found, "operationId"), tags, item, value: found, scope });
  }

  for (const [path, given] of members(own(root, "paths"))) {
    if (path.startsWith("x-") || given === null || given === undefined) continue;
    try {
      if (path.length > maxPath) throw new OperationFault(`The path has more than ${maxPath.toLocaleString("en")} characters. Shorten it.`);
      references.work.begin();
      const { item, scope } = readItem(given, references);
      for (const method of version === "3.2" ? [...methods, "query"] : methods) {
        const key = [method, method.toUpperCase()].find((one) => own(item, one) !== undefined);
        if (key !== undefined) add(method.toUpperCase(), path, item, item[key], scope);
      }
      if (version === "3.2")
        for (const [method, value] of members(ownObject(item, "additionalOperations"))) add(method, path, item, value, scope);
    } catch (error) {
      if (!(error instanceof OperationFault)) throw error;
      refused.push({ operation: `* ${path.slice(0, maxPath)}`, reason: error.message });
    }
  }
  return { operations, refused };
}

/** A path item may refer to another one, and say more beside that. */
function readItem(given: unknown, references: References): { item: JsonObject; scope: DocumentScope } {
  if (!isObject(given)) throw new OperationFault("The path is not an object.");
  if (ownText(given, "$ref") === undefined) return { item: given, scope: references.main };
  const { value, scope } = references.follow(given, references.main);
  if (!isObject(value)) throw new OperationFault("The path refers to something that is not an object.");
  const { $ref: _, ...beside } = given;
  return { item: { ...value, ...beside }, scope };
}
