import { canonicalJson } from "@toolrack/json-schema";
import { escapePointer, isObject, type JsonObject } from "@toolrack/json-schema/internal";
import type { AcceptedFinding } from "../scan/finding.ts";
import { scanTool } from "../scan/scan.ts";
import { type AddChange, addCompared, type ChangeKind, type DefinitionChange } from "./change.ts";
import { diffRequest } from "./diff-request.ts";
import { diffSchema, ownValue } from "./diff-schema.ts";
import { diffText } from "./diff-text.ts";
import { pinnedForm, schemaFields } from "./print.ts";

export interface DefinitionDiff {
  readonly changes: readonly DefinitionChange[];
  readonly verdict: ChangeVerdict;
}

/**
 * - `same`: equal in the pinned form.
 * - `compatible`: only the wording changed.
 * - `review`: a person has to look at it.
 * - `dangerous`: the new definition has danger in it that the old one had not.
 */
export type ChangeVerdict = "same" | "compatible" | "review" | "dangerous";

export interface DiffOptions {
  /** The tools that are offered beside it, for the scanner. */
  readonly among?: readonly unknown[];
  /** Findings that a person accepted: they are no poison. */
  readonly accept?: readonly AcceptedFinding[];
}

/** Says what changed between two definitions of a tool, or two texts such as a server's instructions, and how bad that is. Pure. */
export function diffDefinitions(before: unknown, after: unknown, options: DiffOptions = {}): DefinitionDiff {
  const [old, now] = [pinnedForm(before), pinnedForm(after)];
  if (canonicalJson(old) === canonicalJson(now)) return { changes: [], verdict: "same" };
  const changes: DefinitionChange[] = [];
  const add: AddChange = (path, kind, message, was, is) => {
    changes.push({ path, kind, message, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) });
  };
  if (isObject(old) && isObject(now)) diffFields(old, now, "", add);
  else if (typeof old === "string" && typeof now === "string") diffText(old, now, "", add);
  else add("", "behaviour", "The definition changed.", old, now);
  findPoison(before, after, options, add);
  return { changes, verdict: verdictOf(changes) };
}

function diffFields(old: JsonObject, now: JsonObject, path: string, add: AddChange): void {
  for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
    const [was, is] = [ownValue(old, key), ownValue(now, key)];
    if (canonicalJson(was) === canonicalJson(is) && (was === undefined) === (is === undefined)) continue;
    const at = `${path}/${escapePointer(key)}`;
    addCompared({ path: at, key, was, is }, add, (tell) => diffField(key, was, is, at, tell));
  }
}

function diffField(key: string, was: unknown, is: unknown, path: string, add: AddChange): void {
  if (key === "name" || key === "origin" || key === "server") return add(path, "identity", identityMessage(key, was, is), was, is);
  if (key === "request") return diffRequest(was, is, path, add);
  if (key === "outputSchema" || key === "output_schema") return diffOutput(was, is, path, add);
  if (schemaFields.has(key)) return diffSchema(was ?? {}, is ?? {}, path, add);
  if (key === "function" && isObject(was) && isObject(is)) return diffFields(was, is, path, add);
  if (key === "annotations" && isObject(was ?? {}) && isObject(is ?? {}))
    return diffAnnotations((was ?? {}) as JsonObject, (is ?? {}) as JsonObject, path, add);
  if ((typeof was === "string" || was === undefined) && (typeof is === "string" || is === undefined) && !decisive.has(key))
    return diffText(was ?? "", is ?? "", path, add);
  add(path, "behaviour", `"${key}" changed.`, was, is);
}

/** Texts that are no wording: rules and choices depend on them. */
const decisive: ReadonlySet<string> = new Set(["version", "category", "optionality", "pluginId"]);

function identityMessage(key: string, was: unknown, is: unknown): string {
  if (key === "name") return `The tool was called ${JSON.stringify(was)} and is called ${JSON.stringify(is)}.`;
  return "The tool comes from somewhere else.";
}

/** What a tool answers decides what happens next: whatever is not wording there changes its behaviour. */
function diffOutput(was: unknown, is: unknown, path: string, add: AddChange): void {
  if (was === undefined || is === undefined)
    return add(path, "behaviour", was === undefined ? "The output is described now." : "The output is no longer described.", was, is);
  diffSchema(was, is, path, (at, kind, message, before, after) =>
    add(at, kind === "wording" ? "wording" : "behaviour", message, before, after),
  );
}

function diffAnnotations(was: JsonObject, is: JsonObject, path: string, add: AddChange): void {
  for (const key of new Set([...Object.keys(was), ...Object.keys(is)])) {
    const [before, after] = [ownValue(was, key), ownValue(is, key)];
    if (canonicalJson(before) === canonicalJson(after) && (before === undefined) === (after === undefined)) continue;
    const at = `${path}/${escapePointer(key)}`;
    const change = after === undefined ? "is gone" : before === undefined ? "is new" : "changed";
    if (key !== "title") add(at, "behaviour", `The annotation "${key}" ${change}.`, before, after);
    else
      addCompared({ path: at, key, was: before, is: after }, add, (tell) =>
        diffText(typeof before === "string" ? before : "", typeof after === "string" ? after : "", at, tell),
      );
  }
}

/** Danger that the old definition had not, wherever it stood: a text that was moved about is no news. */
function findPoison(before: unknown, after: unknown, { among = [], accept = [] }: DiffOptions, add: AddChange): void {
  const scan = (definition: unknown): ReturnType<typeof scanTool> =>
    scanTool(definition, { among, accept }).filter(({ severity }) => severity === "danger");
  const found = scan(after);
  if (found.length === 0) return;
  const known = new Set(scan(before).map(({ rule, evidence }) => `${rule}\n${evidence}`));
  for (const { rule, path, message, evidence } of found)
    if (!known.has(`${rule}\n${evidence}`)) add(path, "poison", `${rule}: ${message}`, undefined, evidence);
}

function verdictOf(changes: readonly DefinitionChange[]): ChangeVerdict {
  const kinds = new Set<ChangeKind>(changes.map(({ kind }) => kind));
  if (kinds.has("poison")) return "dangerous";
  return [...kinds].every((kind) => kind === "wording") ? "compatible" : "review";
}
