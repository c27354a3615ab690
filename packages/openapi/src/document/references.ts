import { ToolError } from "@toolrack/core";
import { isObject, unescapePointer } from "@toolrack/json-schema/internal";
import { OperationFault, OperationLimit } from "../fault.ts";
import { own, ownText } from "./json.ts";
import { parseDocument } from "./parse.ts";

/** One loaded document: references inside of it are resolved against its own place. */
export interface DocumentScope {
  /** "" for the document that is read, else the key under which it was given. */
  readonly id: string;
  readonly root: unknown;
  /** What relative references are resolved against, if that is known. */
  readonly base: string | undefined;
}

/** What a reference leads to. `id` is the same for all spellings of one place. */
export interface Target {
  readonly id: string;
  readonly value: unknown;
  readonly scope: DocumentScope;
  /** The last part of the pointer: "Pet". */
  readonly name: string;
}

export interface References {
  readonly main: DocumentScope;
  /** What all that is read for one operation takes. */
  readonly work: Work;
  /** The place that a reference names; throws an OperationFault if there is none. Nothing is ever fetched. */
  target(reference: string, scope: DocumentScope): Target;
  /** Follows `$ref` until something else is found: for parameters, bodies, responses and path items. */
  follow(value: unknown, scope: DocumentScope): { readonly value: unknown; readonly scope: DocumentScope };
}

/**
 * The steps of reading one operation, which are limited: schemas that refer to each other can ask for more of them than anyone could wait for, while
 * each part of the document is small.
 */
export interface Work {
  /** Another operation begins. */
  begin(): void;
  /** Throws an OperationLimit if there are not as many steps left. */
  spend(steps: number): void;
  /**
   * The same for entries of a list that the operation gets a copy of: together, all operations of the document have a limited number of them. References
   * and schemas that are written out again could make any number of copies of one list.
   */
  copy(entries: number): void;
}

export interface ReferenceOptions {
  readonly url?: string | undefined;
  readonly documents?: Readonly<Record<string, unknown>> | undefined;
}

const maxHops = 100;
const maxSteps = 1_000_000;
const maxCopies = 5_000_000;
/** Longer than any pointer into a document; each one is taken apart as often as it is met. */
const maxReference = 2_000;

export function createReferences(root: unknown, { url, documents = {} }: ReferenceOptions): References {
  const main: DocumentScope = { id: "", root, base: url };
  const scopes = new Map<string, DocumentScope | OperationFault>();
  const work = createWork();
  const anchors = new Map<DocumentScope, ReadonlyMap<string, unknown>>();

  function findAnchor(scope: DocumentScope, anchor: string): unknown {
    let known = anchors.get(scope);
    if (known === undefined) anchors.set(scope, (known = anchorsIn(scope.root)));
    return known.get(anchor);
  }

  function scopeOf(file: string, from: DocumentScope): DocumentScope {
    if (file === "") return from;
    const resolved = from.base !== undefined && URL.canParse(file, from.base) ? new URL(file, from.base).href : relative(file, from.id);
    if (resolved === url) return main;
    const key = [resolved, file, file.replace(/^\.\//, "")].find((one) => Object.hasOwn(documents, one));
    if (key === undefined) {
      const shown = file.slice(0, 200);
      throw new OperationFault(
        `It refers to "${shown}", which is outside of the document, and nothing is fetched while reading.`,
        `Load it and give it as documents: { "${shown}": … }, or exclude the operation.`,
      );
    }
    let known = scopes.get(key);
    if (known === undefined) scopes.set(key, (known = load(key, resolved)));
    if (known instanceof OperationFault) throw known;
    return known;
  }

  /** A document that cannot be read costs those operations that refer to it. */
  function load(key: string, resolved: string): DocumentScope | OperationFault {
    try {
      const { root: loaded } = parseDocument(documents[key], `The document "${key}"`);
      return { id: key, root: loaded, base: URL.canParse(resolved) ? resolved : undefined };
    } catch (error) {
      if (!ToolError.is(error)) throw error;
      return new OperationFault(error.message, "Mend that document, or exclude the operation.");
    }
  }

  function target(reference: string, from: DocumentScope): Target {
    if (reference.length > maxReference)
      throw new OperationFault(
        `A reference in it has more than ${maxReference.toLocaleString("en")} characters.`,
        "Shorten it, or exclude the operation.",
      );
    work.spend(1);
    const at = reference.indexOf("#");
    const file = at < 0 ? reference : reference.slice(0, at);
    const fragment = at < 0 ? "" : decode(reference.slice(at + 1));
    const scope = scopeOf(file, from);
    const parts = fragment === "" ? [] : fragment.split("/").slice(1).map(unescapePointer);
    let value = scope.root;
    if (fragment !== "" && !fragment.startsWith("/")) value = findAnchor(scope, fragment);
    else for (const part of parts) value = own(value, part);
    if (value === undefined) throw new OperationFault(`It refers to "${reference.slice(0, 200)}", which the document does not have.`);
    return { id: `${scope.id}#${fragment}`, value, scope, name: parts.at(-1) ?? (fragment || "root") };
  }

  function follow(value: unknown, from: DocumentScope): { value: unknown; scope: DocumentScope } {
    let found = { value, scope: from };
    const seen = new Set<string>();
    for (;;) {
      const reference = isObject(found.value) ? ownText(found.value, "$ref") : undefined;
      if (reference === undefined) return found;
      const next = target(reference, found.scope);
      if (seen.has(next.id)) throw new OperationFault(`"${reference.slice(0, 200)}" refers to itself, with nothing else in it.`);
      seen.add(next.id);
      if (seen.size > maxHops)
        throw new OperationFault(`"${reference.slice(0, 200)}" is behind more than ${maxHops} references that only lead to another.`);
      found = { value: next.value, scope: next.scope };
    }
  }

  return { main, work, target, follow };
}

function createWork(): Work {
  let left = maxSteps;
  let copies = 0;

  function spend(steps: number): void {
    left -= steps;
    if (left < 0)
      throw new OperationLimit(
        `Its schemas take more than ${maxSteps.toLocaleString("en")} steps to read.`,
        "Simplify how they refer to each other, or exclude the operation.",
      );
  }

  return {
    begin: () => void (left = maxSteps),
    spend,
    copy(entries) {
      spend(entries);
      if (copies + entries > maxCopies)
        throw new OperationLimit(
          `It does not fit: the lists of all operations may have ${maxCopies.toLocaleString("en")} entries together.`,
          "Shorten the lists that they share, or include fewer operations.",
        );
      copies += entries;
    },
  };
}

/** "./b.yaml" in "schemas/a.yaml" → "schemas/b.yaml": for documents that were given by their file names. */
function relative(file: string, from: string): string {
  const base = `file:///${from}`;
  if (URL.canParse(file) || !from.includes("/") || !URL.canParse(file, base)) return file;
  return new URL(file, base).pathname.slice(1);
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function anchorsIn(root: unknown): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  const waiting: unknown[] = [root];
  const seen = new Set<unknown>();
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    const anchor = ownText(value, "$anchor");
    if (anchor !== undefined && !found.has(anchor)) found.set(anchor, value);
    for (const inner of Object.values(value)) if (typeof inner === "object" && inner !== null) waiting.push(inner);
  }
  return found;
}
