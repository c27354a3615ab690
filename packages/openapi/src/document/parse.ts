import { ToolError } from "@toolrack/core";
import { describeValue, isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { LineCounter, parseDocument as parseYaml } from "yaml";
import { findDuplicateKeys } from "./duplicate-keys.ts";
import { findDuplicateYamlKeys } from "./yaml-keys.ts";

export interface ParsedDocument {
  readonly root: JsonObject;
  /** What the text says in two ways, such as a key that occurs twice. */
  readonly warnings: readonly string[];
}

/** What a text may have at most, in characters: YAML takes about a second for each megabyte. */
export const textLimits = { json: 67_108_864, yaml: 16_777_216 } as const;

/**
 * Reads a document from its text, JSON or YAML, or takes the object that was read elsewhere. JSON is tried first, because it is read a hundred
 * times faster. Throws one ToolError for whatever is no document.
 */
export function parseDocument(document: unknown, what = "The OpenAPI document"): ParsedDocument {
  if (isObject(document)) return { root: document, warnings: [] };
  if (typeof document !== "string") throw invalid(what, `must be a text or an object, not ${describeValue(document)}`);
  const text = document.charCodeAt(0) === 0xfeff ? document.slice(1) : document;
  const parsed = /^\s*[{[]/.test(text) ? parseJson(text, what) : undefined;
  const { root, warnings } = parsed ?? readYaml(text, what);
  if (isObject(root)) return { root, warnings };
  throw invalid(what, text.trim() === "" ? "is empty" : 'is not an object with "openapi" or "swagger"');
}

interface Read {
  readonly root: unknown;
  readonly warnings: readonly string[];
}

/** Undefined for a text that is no JSON: a mapping of YAML may begin with a brace, too. */
function parseJson(text: string, what: string): Read | undefined {
  limit(text, textLimits.json, what);
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch (error) {
    if (!/^\s*\{\s*"/.test(text)) return undefined;
    const at = Number(/position (\d+)/.exec((error as Error).message)?.[1] ?? text.length);
    const line = text.slice(0, at).split("\n").length;
    throw invalid(what, `is not valid JSON at line ${line}, character ${at} of ${text.length}: it may be cut off`);
  }
  return { root, warnings: findDuplicateKeys(text, root) };
}

function readYaml(text: string, what: string): Read {
  limit(text, textLimits.yaml, what);
  const lines = new LineCounter();
  try {
    const read = parseYaml(text, {
      version: "1.2",
      schema: "core",
      merge: true,
      uniqueKeys: false,
      lineCounter: lines,
      prettyErrors: false,
    });
    const [fatal] = read.errors;
    if (fatal !== undefined) {
      const { line, col } = lines.linePos(fatal.pos[0]);
      throw invalid(what, `is not valid YAML at line ${line}, column ${col} (${fatal.code.toLowerCase().replaceAll("_", " ")})`);
    }
    return { root: read.toJS({ maxAliasCount: 100 }), warnings: findDuplicateYamlKeys(read.contents, lines) };
  } catch (error) {
    if (ToolError.is(error)) throw error;
    // No message quotes the text: a wrong file may hold a secret.
    const isBomb = error instanceof ReferenceError;
    const fact = error instanceof RangeError ? "is nested too deeply" : isBomb ? "repeats too much by aliases" : "cannot be read as YAML";
    throw invalid(what, fact, error);
  }
}

function limit(text: string, most: number, what: string): void {
  if (text.length <= most) return;
  const numbers = `${text.length.toLocaleString("en")} characters, and at most ${most.toLocaleString("en")}`;
  throw invalid(what, `has ${numbers} are read. Take out what is not needed, or convert YAML to JSON`);
}

function invalid(what: string, fact: string, cause?: unknown): ToolError {
  return new ToolError("DEFINITION_INVALID", `${what} ${fact.replace(/\.$/, "")}.`, cause === undefined ? undefined : { cause });
}
