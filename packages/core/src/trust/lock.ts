import { canonicalJson } from "@toolrack/json-schema";
import { isObject } from "@toolrack/json-schema/internal";
import { ToolError } from "../errors.ts";
import type { DefinitionChange } from "./change.ts";
import { type ChangeVerdict, diffDefinitions } from "./diff.ts";
import { definitionPrint, pinnedForm } from "./print.ts";

/** What a repository relies on: each source, and each of its tools as it was when somebody looked. The content of `toolrack.lock`. */
export interface ToolLock {
  readonly format: "toolrack.lock.v1";
  readonly sources: Readonly<Record<string, LockedSource>>;
}

export interface LockedSource {
  /** What the source starts or talks to, without credentials and without paths of one machine. */
  readonly from: Readonly<Record<string, unknown>>;
  /** By the names that the tools have at the source. */
  readonly tools: Readonly<Record<string, LockedTool>>;
}

export interface LockedTool {
  readonly print: string;
  /** In the pinned form: a print alone could not say what changed. */
  readonly definition: unknown;
}

/** One difference between a lock and what is there now. */
export interface LockChange {
  readonly source: string;
  /** Absent where the source itself differs. */
  readonly tool?: string;
  readonly what: "source-added" | "source-removed" | "source-changed" | "tool-added" | "tool-removed" | "tool-changed";
  /** Of a changed tool; anything else has to be looked at. */
  readonly verdict: ChangeVerdict;
  readonly changes: readonly DefinitionChange[];
}

/** Makes a lock from definitions; sources and tools are sorted, so that the same tools give the same text. */
export function createLock(
  sources: readonly { readonly id: string; readonly from: LockedSource["from"]; readonly tools: ReadonlyMap<string, unknown> }[],
): ToolLock {
  const locked = sources.map(({ id, from, tools }): [string, LockedSource] => {
    const entries = [...tools].map(([name, definition]): [string, LockedTool] => [
      name,
      { print: definitionPrint(definition), definition: pinnedForm(definition) },
    ]);
    return [id, { from, tools: sorted(entries) }];
  });
  return { format: "toolrack.lock.v1", sources: sorted(locked) };
}

/** The text of the file: indented, so that a review shows what changed, and with every key in its place. */
export function lockText(lock: ToolLock): string {
  return `${JSON.stringify(JSON.parse(canonicalJson(lock as never)), undefined, 2)}\n`;
}

/** Reads the text of a lock. Throws CONFIG_INVALID for anything else, also for a print that is not of its definition. */
export function readLock(text: string): ToolLock {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrong("it is not JSON");
  }
  if (!isObject(value) || value["format"] !== "toolrack.lock.v1" || !isObject(value["sources"]))
    throw wrong('it has no "format": "toolrack.lock.v1" with its sources');
  for (const [id, source] of Object.entries(value["sources"])) {
    if (!isObject(source) || !isObject(source["from"]) || !isObject(source["tools"])) throw wrong(`the source "${id}" has another form`);
    for (const [name, tool] of Object.entries(source["tools"])) {
      if (!isObject(tool) || tool["print"] !== definitionPrint(tool["definition"]))
        throw wrong(`the print of "${name}" of "${id}" is not that of its definition: the file was edited`);
    }
  }
  return value as unknown as ToolLock;
}

/** What differs between two locks, in the order of sources and tools; nothing where all is as it was. */
export function diffLocks(before: ToolLock, after: ToolLock): readonly LockChange[] {
  const found: LockChange[] = [];
  const whole = (source: string, what: LockChange["what"], tool?: string): LockChange => ({
    source,
    ...(tool !== undefined && { tool }),
    what,
    verdict: "review",
    changes: [],
  });
  for (const [id, old, now] of pairs(before.sources, after.sources)) {
    if (old === undefined || now === undefined) {
      found.push(whole(id, old === undefined ? "source-added" : "source-removed"));
      continue;
    }
    const moved = diffDefinitions({ origin: old.from }, { origin: now.from });
    if (moved.verdict !== "same") found.push({ source: id, what: "source-changed", ...moved });
    for (const [tool, was, is] of pairs(old.tools, now.tools)) {
      if (was === undefined || is === undefined) found.push(whole(id, was === undefined ? "tool-added" : "tool-removed", tool));
      else if (was.print !== is.print)
        found.push({ source: id, tool, what: "tool-changed", ...diffDefinitions(was.definition, is.definition) });
    }
  }
  return found;
}

function pairs<Value>(
  before: Readonly<Record<string, Value>>,
  after: Readonly<Record<string, Value>>,
): readonly (readonly [string, Value | undefined, Value | undefined])[] {
  const own = (object: Readonly<Record<string, Value>>, key: string): Value | undefined =>
    Object.hasOwn(object, key) ? object[key] : undefined;
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .sort()
    .map((key) => [key, own(before, key), own(after, key)] as const);
}

function sorted<Value>(entries: readonly (readonly [string, Value])[]): Readonly<Record<string, Value>> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

function wrong(fact: string): ToolError {
  return new ToolError("CONFIG_INVALID", `toolrack.lock cannot be read: ${fact}. Write it anew with: toolrack lock`);
}
