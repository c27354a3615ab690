import { ToolError } from "@toolrack/core";
import { describeValue, isObject, type JsonObject } from "@toolrack/json-schema/internal";
import * as yaml from "yaml";
import { isDeeper } from "./depth.ts";
import { findDuplicateKeys } from "./duplicate-keys.ts";
import { readLimits } from "./read-limits.ts";
import { readYamlProgram, type TextRead } from "./yaml-program.ts";

export interface ParsedDocument {
  readonly root: JsonObject;
  /** What the text says in two ways, such as a key that occurs twice. */
  readonly warnings: readonly string[];
}

/** What a text may have at most, in characters. */
export const textLimits = { json: 67_108_864, yaml: 16_777_216 } as const;

/** YAML takes about a second for each megabyte: a text with more characters is read in a thread, by those who can wait. */
const longYaml = 100_000;

const theDocument = "The OpenAPI document";

/**
 * Reads a document from its text, JSON or YAML, or takes the object that was read elsewhere. JSON is tried first, because it is read a hundred
 * times faster. Throws one ToolError for whatever is no document.
 */
export function parseDocument(document: unknown, what: string = theDocument): ParsedDocument {
  const begun = begin(document, what);
  return "text" in begun ? toParsed(readYamlProgram(yaml, begun.text, readLimits), begun.text, what) : begun;
}

/** The same, without holding up the event loop for a long YAML text. */
export async function parseDocumentAside(document: unknown, signal?: AbortSignal): Promise<ParsedDocument> {
  const begun = begin(document, theDocument);
  if (!("text" in begun)) return begun;
  const { text } = begun;
  if (text.length <= longYaml) return toParsed(readYamlProgram(yaml, text, readLimits), text, theDocument);
  const { readYamlInThread } = await import("./yaml-thread.ts");
  return toParsed(await readYamlInThread(text, signal), text, theDocument);
}

/** The document, or its text if that is YAML. */
function begin(document: unknown, what: string): ParsedDocument | { readonly text: string } {
  if (ArrayBuffer.isView(document) || document instanceof ArrayBuffer)
    throw invalid(what, "is bytes, not a text. Decode it first, as UTF-8");
  if (isObject(document)) return { root: document, warnings: [] };
  if (typeof document !== "string") throw invalid(what, `must be a text or an object, not ${describeValue(document)}`);
  const text = document.charCodeAt(0) === 0xfeff ? document.slice(1) : document;
  const parsed = /^\s*[{[]/.test(text) ? parseJson(text, what) : undefined;
  if (parsed !== undefined) return toParsed(parsed, text, what);
  limit(text, textLimits.yaml, what);
  return { text };
}

function toParsed(read: TextRead, text: string, what: string): ParsedDocument {
  if ("fact" in read) throw invalid(what, read.fact);
  const { root, warnings } = read;
  if (isObject(root)) return { root, warnings };
  throw invalid(what, text.trim() === "" ? "is empty" : 'is not an object with "openapi" or "swagger"');
}

/** Undefined for a text that is no JSON: a mapping of YAML may begin with a brace, too. */
function parseJson(text: string, what: string): TextRead | undefined {
  limit(text, textLimits.json, what);
  const isMeant = /^\s*\{\s*"/.test(text);
  if (isDeeper(text, readLimits.levels)) return isMeant ? { fact: readLimits.tooDeep } : undefined;
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch (error) {
    if (!isMeant) return undefined;
    const at = Number(/position (\d+)/.exec((error as Error).message)?.[1] ?? text.length);
    const line = text.slice(0, at).split("\n").length;
    return { fact: `is not valid JSON at line ${line}, character ${at} of ${text.length}: it may be cut off` };
  }
  return { root, warnings: findDuplicateKeys(text, root) };
}

function limit(text: string, most: number, what: string): void {
  if (text.length <= most) return;
  const numbers = `${text.length.toLocaleString("en")} characters, and at most ${most.toLocaleString("en")}`;
  throw invalid(what, `has ${numbers} are read. Take out what is not needed, or convert YAML to JSON`);
}

const nextStep = "Give the whole text of an OpenAPI or Swagger document, as JSON or YAML";

/** A fact may have its own next step behind it, as a second sentence. */
function invalid(what: string, fact: string): ToolError {
  return new ToolError("DEFINITION_INVALID", `${what} ${fact}${fact.includes(". ") ? "" : `. ${nextStep}`}.`);
}
