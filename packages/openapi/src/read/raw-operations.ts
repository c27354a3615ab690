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

/** An operation that cannot be read at all, with what filters look at. */
export interface UnreadOperation extends Pick<RawOperation, "operation" | "method" | "path" | "operationId" | "tags"> {
  readonly reason: string;
}

export interface RawOperations {
  readonly operations: readonly RawOperation[];
  readonly refused: readonly UnreadOperation[];
}

/** Longer than any path that a server reads; names, messages and patterns stay short with it. */
const maxPath = 2_000;

/** More than anyone gives an operation: filters and tools look at each one, and paths may share a list of any length by reference. */
const maxTags = 100;

/** The same for methods beside those of HTTP. */
const maxMethods = 100;

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;

/** Every operation below `paths`; callbacks and webhooks are requests to us, so they are none. */
export function listOperations(root: JsonObject, version: SpecVersion, references: References): RawOperations {
  const operations: RawOperation[] = [];
  const refused: UnreadOperation[] = [];
  const seen = new Set<string>();
  const keys = version === "3.2" ? [...methods, "query"] : methods;

  function add(written: string, path: string, item: JsonObject, found: unknown, scope: DocumentScope): void {
    const method = toMethod(written);
    const operation = `${method} ${path}`;
    const facts = { operation, method, path, operationId: ownText(found, "operationId"), tags: tagsOf(found) };
    const refuse = (fact: string, next?: string): void => void refused.push({ ...facts, reason: new OperationFault(fact, next).message });
    if (seen.has(operation)) return refuse("The document has this operation twice: the first one counts.", "Take the other one out of it.");
    seen.add(operation);
    if (!isObject(found)) return refuse("It is not an object.", "Describe it, or take it out of the document.");
    if (ownList(found, "tags").length > maxTags)
      return refuse(`It has more than ${maxTags} tags.`, "Shorten the list, or exclude the operation.");
    if (!/^[A-Z0-9!#$%&'*+.^_`|~-]{1,40}$/i.test(method) || method === "CONNECT" || method === "TRACE")
      return refuse(`${method.slice(0, 40)} is a method that is never sent.`, "Exclude the operation.");
    operations.push({ ...facts, item, value: found, scope });
  }

  /** The operations of a path that cannot be read, as far as they are known; else one entry for all of them. */
  function refusePath(path: string, given: unknown, { message }: OperationFault): void {
    const shown = path.slice(0, maxPath);
    const known = [...methodsIn(given, keys)];
    for (const [method, found] of known.length === 0 ? ([["*", given]] as const) : known) {
      refused.push({
        operation: `${method} ${shown}`,
        method,
        path: shown,
        operationId: ownText(found, "operationId"),
        tags: tagsOf(found),
        reason: message,
      });
    }
  }

  for (const [path, given] of members(own(root, "paths"))) {
    if (path.startsWith("x-") || given === null || given === undefined) continue;
    try {
      if (path.length > maxPath)
        throw new OperationFault(`The path has more than ${maxPath.toLocaleString("en")} characters.`, "Shorten it, or exclude the path.");
      references.work.begin();
      const { item, scope } = readItem(given, keys, references);
      const others = version === "3.2" ? ownObject(item, "additionalOperations") : undefined;
      if (others !== undefined && Object.keys(others).length > maxMethods)
        throw new OperationFault(`The path has more than ${maxMethods} additionalOperations.`, "Shorten the list, or exclude the path.");
      for (const [method, found] of methodsIn(item, keys)) add(method, path, item, found, scope);
      for (const [method, value] of members(others)) add(method, path, item, value, scope);
    } catch (error) {
      if (!(error instanceof OperationFault)) throw error;
      refusePath(path, given, error);
    }
  }
  return { operations, refused };
}

const known: ReadonlySet<string> = new Set([...methods, "query", "connect"]);

function tagsOf(operation: unknown): readonly string[] {
  return ownList(operation, "tags")
    .slice(0, maxTags)
    .filter((tag) => typeof tag === "string");
}

/** "delete" is sent as DELETE, so it is one for filters, annotations and names, too. Others are sent as they are written. */
function toMethod(written: string): string {
  return known.has(written.toLowerCase()) ? written.toUpperCase() : written;
}

/** The operations of a path item, also those whose method is written in capitals. */
function* methodsIn(item: unknown, keys: readonly string[]): Generator<readonly [string, unknown]> {
  for (const method of keys)
    for (const key of [method, method.toUpperCase()]) if (own(item, key) !== undefined) yield [method.toUpperCase(), own(item, key)];
}

/** What is read of a path item beside its methods. */
const itemKeys = ["parameters", "servers", "additionalOperations"];

/** A path item may refer to another one, and say more beside that. Many may refer to the same one: only what is read of it is copied. */
function readItem(given: unknown, methods: readonly string[], references: References): { item: JsonObject; scope: DocumentScope } {
  if (!isObject(given)) throw new OperationFault("The path is not an object.", "Mend the document, or exclude the path.");
  if (ownText(given, "$ref") === undefined) return { item: given, scope: references.main };
  const { value, scope } = references.follow(given, references.main);
  if (!isObject(value)) throw new OperationFault("The path refers to something that is not an object.");
  const item: JsonObject = {};
  for (const key of [...itemKeys, ...methods.flatMap((method) => [method, method.toUpperCase()])]) {
    const found = own(Object.hasOwn(given, key) ? given : value, key);
    if (found !== undefined) item[key] = found;
  }
  return { item, scope };
}
