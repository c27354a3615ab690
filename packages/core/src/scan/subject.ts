import { escapePointer, isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { type NamesAround, noNames } from "./text/read-sentences.ts";
import { joinSplit } from "./text/join-split.ts";
import { readName, readParts, type TextPart } from "./text/read-parts.ts";
import type { Sentence } from "./text/sentence.ts";

/** What a text is in its tool, or "result". */
export type TextRole =
  | "name"
  | "title"
  | "description"
  | "parameter" // the description of a parameter, or of anything in a schema
  | "property-name"
  | "value" // a default, an enum's item, a constant, an example
  | "comment"
  | "link"
  | "other"
  | "result";

/** One text of a tool, or a result, read. */
export interface ScannedText {
  /** A JSON pointer into the tool; "" for a result. */
  readonly path: string;
  readonly role: TextRole;
  /** The key below which it stands: "default", "description"; the name of the property for "property-name". */
  readonly key: string;
  readonly raw: string;
  /** The text itself, and texts that were hidden in it. */
  readonly parts: readonly TextPart[];
  /** Its first sentence, for which the rest of a long text is not read. */
  readonly opening: Sentence | undefined;
  /** The text stands in the output schema. */
  readonly isOutput: boolean;
  /** Most of what surrounds it is English. */
  readonly isAmongEnglish: boolean;
  /** Whether this is the name of the tool (1), of one of its parameters (2), of a tool beside it (4), or several of these; 0 if it is none. */
  nameKinds(word: string): number;
}

/** A tool as the rules see it. */
export interface ScannedTool {
  readonly name: string;
  readonly tool: JsonObject;
  readonly texts: readonly ScannedText[];
  /** The names of the tools beside it. */
  readonly among: readonly string[];
}

interface FoundText {
  readonly path: string;
  readonly role: TextRole;
  readonly key: string;
  readonly raw: string;
  readonly isOutput: boolean;
}

/** More texts, and more deeply nested ones, than any definition has. What lies beyond is not read, and the caller says so. */
const limits = { texts: 20_000, depth: 100 };

export interface ReadSubject extends ScannedTool {
  /** Texts that are one sentence only together, joined, with the pointers of both halves. */
  readonly joined: readonly { readonly text: ScannedText; readonly paths: readonly string[] }[];
  /** There were more texts than are read. */
  readonly isCut: boolean;
}

/** Reads every text of a definition, whatever its shape. Never throws, and changes nothing. */
export function readScannedTool(value: unknown, among: readonly unknown[] = []): ReadSubject {
  const tool: JsonObject = isObject(value) ? value : { description: typeof value === "string" ? value : "" };
  const inner = isObject(tool["function"]) ? tool["function"] : tool;
  const name = textAt(inner, "name") ?? "";
  const found: FoundText[] = [];
  const parameters = new Set<string>();
  const isCut = collect(tool, found, parameters);
  const others = namesOf(among, value);
  const names: NamesAround = { own: name, parameters, others: new Set(others) };
  let isEnglish: boolean | undefined;
  const texts: readonly ScannedText[] = found.map((text) => new LateText(text, names, () => (isEnglish ??= isMostlyEnglish(texts))));
  const prose = found.filter(({ role }) => role === "description" || role === "parameter" || role === "value");
  const joined = joinSplit(prose).map(({ first, second, joined: raw }) => ({
    text: new LateText({ ...prose[first]!, role: "parameter", raw }, names, () => (isEnglish ??= isMostlyEnglish(texts))),
    paths: [prose[first]!.path, prose[second]!.path],
  }));
  return { name, tool, texts, among: others, isCut, joined };
}

/** No sentence that says what a tool does is longer. */
export const openingLength = 800;

/** A text that is read when a rule first looks at it. */
class LateText implements ScannedText {
  readonly path: string;
  readonly role: TextRole;
  readonly key: string;
  readonly raw: string;
  readonly isOutput: boolean;
  private readonly names: NamesAround;
  private readonly askEnglish: () => boolean;
  private read: readonly TextPart[] | undefined;

  constructor({ path, role, key, raw, isOutput }: FoundText, names: NamesAround, askEnglish: () => boolean) {
    this.path = path;
    this.role = role;
    this.key = key;
    this.raw = raw;
    this.isOutput = isOutput;
    this.names = names;
    this.askEnglish = askEnglish;
  }

  get parts(): readonly TextPart[] {
    const isName = this.role === "name" || this.role === "property-name";
    return (this.read ??= isName ? readName(wordsOfName(this.raw), this.names) : readParts(this.raw, this.names));
  }

  get opening(): Sentence | undefined {
    if (this.read !== undefined) return this.read[0]?.sentences[0];
    return readName(this.raw.slice(0, openingLength), this.names)[0]?.sentences[0];
  }

  get isAmongEnglish(): boolean {
    return this.askEnglish();
  }

  nameKinds(word: string): number {
    const { own, parameters, others } = this.names;
    return (word === own ? 1 : 0) + (parameters.has(word) ? 2 : 0) + (others.has(word) ? 4 : 0);
  }
}

export function readScannedResult(raw: string): ScannedText {
  const parts = readParts(raw, noNames);
  return {
    path: "",
    role: "result",
    key: "",
    raw,
    parts,
    opening: parts[0]?.sentences[0],
    isOutput: false,
    isAmongEnglish: isMostlyEnglish([{ parts }]),
    nameKinds: () => 0,
  };
}

function namesOf(among: readonly unknown[], self: unknown): readonly string[] {
  const names: string[] = [];
  for (const other of among) {
    if (other === self || !isObject(other)) continue;
    const name = textAt(other, "name") ?? (isObject(other["function"]) ? textAt(other["function"], "name") : undefined);
    if (name !== undefined) names.push(name);
  }
  return names;
}

function textAt(value: JsonObject, key: string): string | undefined {
  const found = Object.hasOwn(value, key) ? value[key] : undefined;
  return typeof found === "string" ? found : undefined;
}

/** "readFile_v2" → "read File v2" */
function wordsOfName(name: string): string {
  return name.replaceAll(/[_\-./:]+/g, " ").replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2");
}

function collect(tool: JsonObject, found: FoundText[], parameters: Set<string>): boolean {
  let isCut = false;
  const seen = new Set<object>();
  const visit = (value: unknown, path: string, where: Where, depth: number): void => {
    if (typeof value === "string") {
      if (value.length < 2 || (where.inSchema && !where.isValue && value.length < 40 && plainKeys.has(where.key))) return;
      if (found.length >= limits.texts) isCut = true;
      else found.push({ path, role: roleOf(where), key: where.key, raw: value, isOutput: where.isOutput });
      return;
    }
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    if (depth > limits.depth) {
      isCut = true;
      return;
    }
    seen.add(value);
    if (Array.isArray(value)) {
      const inside = where.inSchema && where.isMap ? { ...where, isMap: false } : where;
      for (let index = 0; index < value.length; index++) visit(value[index], `${path}/${index}`, inside, depth + 1);
      return;
    }
    for (const key of Object.keys(value)) {
      const inside = below(where, key, depth);
      const at = `${path}/${escapePointer(key)}`;
      if (where.isMap && where.key === "properties") {
        parameters.add(key);
        found.push({ path: at, role: "property-name", key, raw: key, isOutput: where.isOutput });
      } else if (!where.inSchema && depth > 0 && key.length > 24) {
        found.push({ path: at, role: "other", key, raw: key, isOutput: where.isOutput });
      }
      visit((value as JsonObject)[key], at, inside, depth + 1);
    }
  };
  visit(tool, "", { key: "", inSchema: false, isMap: false, isValue: false, isOutput: false }, 0);
  return isCut;
}

interface Where {
  readonly key: string;
  readonly inSchema: boolean;
  /** The keys of this object are names, not keywords: those of `properties`. */
  readonly isMap: boolean;
  /** Below a default, an enum, a constant or an example, keys mean nothing. */
  readonly isValue: boolean;
  readonly isOutput: boolean;
}

const schemaKeys = new Set(["inputSchema", "input_schema", "outputSchema", "output_schema", "parameters", "parametersSchema"]);
const mapKeys = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);
/** Their arguments are words of JSON Schema, or names that stand elsewhere, unless they are long. */
const plainKeys = new Set(["type", "format", "required", "$schema", "$ref", "$id", "contentEncoding"]);
const valueKeys = new Set(["default", "enum", "const", "examples", "example"]);

function below(where: Where, key: string, depth: number): Where {
  if (where.isValue) return where;
  if (where.isMap) return { ...where, key, isMap: false };
  if (!where.inSchema) {
    const inSchema = schemaKeys.has(key) && depth <= 1;
    return { key, inSchema, isMap: false, isValue: false, isOutput: key === "outputSchema" || key === "output_schema" };
  }
  return { key, inSchema: true, isMap: mapKeys.has(key), isValue: valueKeys.has(key), isOutput: where.isOutput };
}

function roleOf({ key, inSchema, isValue }: Where): TextRole {
  if (isValue) return "value";
  if (key === "$comment") return "comment";
  if (key === "title") return "title";
  if (inSchema)
    return key === "description" || key === "pattern"
      ? "parameter"
      : key.startsWith("$") || key === "format" || key === "type" || key === "required"
        ? "link"
        : "parameter";
  if (key === "name") return "name";
  if (key === "description" || key === "wholeDescription" || key === "instructions") return "description";
  return key === "src" || key === "url" || key === "uri" || key === "href" ? "link" : "other";
}

/** Whether the texts are English for the most part, apart from what was hidden in them. */
function isMostlyEnglish(texts: readonly { readonly parts: readonly TextPart[] }[]): boolean {
  let [english, foreign] = [0, 0];
  for (const { parts } of texts) {
    for (const sentence of parts[0]?.sentences ?? []) {
      if (sentence.isForeign) foreign += sentence.words.length;
      else english += sentence.words.length;
    }
  }
  return english > foreign;
}
