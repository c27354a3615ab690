import { isObject } from "@toolrack/json-schema/internal";
import { callsIn, type FoundCall, looksLikeCall } from "./call-shape.ts";
import { endOfJson, mayBeJson, readJson } from "./json-span.ts";
import { readTagged } from "./tagged-call.ts";

export interface FoundCalls {
  readonly calls: readonly FoundCall[];
  /** A call that the reply does not finish: ask the model to continue, or to write it again. */
  readonly unfinished?: { readonly text: string; readonly name?: string };
  /** The text around the calls, trimmed. */
  readonly text: string;
}

export interface FindOptions {
  /** The tools that exist. Given these, only their names are calls. */
  readonly tools?: readonly string[] | undefined;
  /** Whether a name alone on a line and an object below it are a call, as GLM-4 writes them. @default false */
  readonly bareNames?: boolean;
}

/** How often each character may be read, whatever the nesting: hostile texts cannot make the search slow. */
const looksPerCharacter = 200;

/**
 * The tool calls in a reply of free text: objects and lists with "name" or "tool", bare, in fenced blocks, in tags or behind marks, and the
 * text around them. Prose and data that merely have braces are not calls, nor is anything in a <think> block.
 */
export function findToolCalls(text: string, options: FindOptions = {}): FoundCalls {
  const known = options.tools === undefined ? undefined : new Set(options.tools);
  const isKnown = (name: string): boolean => known === undefined || known.has(name);
  const calls: FoundCall[] = [];
  const prose: string[] = [];
  let unfinished: FoundCalls["unfinished"];
  let kept = 0;
  let budget = text.length * looksPerCharacter;

  const take = (found: readonly FoundCall[], from: number, to: number): void => {
    calls.push(...found);
    prose.push(text.slice(kept, from));
    kept = to;
  };
  const breakOff = (from: number): void => {
    const rest = text.slice(from);
    const name =
      /"(?:name|tool)"\s*:\s*"([^"\\]+)"/.exec(rest)?.[1] ??
      /^(?:<tool_call>\s*|\[TOOL_CALLS\]\s*)([\w.-]+)\s*(?:[[\n{]|<arg_key>)/.exec(rest)?.[1];
    unfinished = { text: rest, ...(name !== undefined && { name }) };
    prose.push(text.slice(kept, from));
    kept = text.length;
  };

  const start = /<think>|<tool_call>|<function=|\[TOOL_CALLS\]|<\|python_tag\|>|[[{]/g;
  for (let match = start.exec(text); match !== null && unfinished === undefined && budget > 0; match = start.exec(text)) {
    const at = match.index;
    if (match[0] === "<think>") {
      const end = text.indexOf("</think>", at);
      start.lastIndex = end === -1 ? text.length : end + 8;
      continue;
    }
    if (match[0].length > 1) {
      const tagged = readTagged(text, at, match[0]);
      if (tagged === "unfinished") breakOff(at);
      else if (tagged !== undefined && tagged.calls.every(({ name }) => isKnown(name))) {
        take(tagged.calls, at, tagged.end);
        start.lastIndex = tagged.end;
      }
      continue;
    }
    if (!mayBeJson(text, at)) continue;
    const end = endOfJson(text, at);
    budget -= (end ?? text.length) - at;
    if (end === undefined) {
      const rest = text.slice(at);
      const line = options.bareNames === true ? nameAbove(text, at) : undefined;
      if (looksLikeCall(rest) || (line !== undefined && isKnown(line.name))) breakOff(line?.from ?? at);
      continue;
    }
    const value = readJson(text.slice(at, end));
    if (value === undefined) continue;
    start.lastIndex = end; // what stands inside a value is data
    const line = options.bareNames === true && isObject(value.json) ? nameAbove(text, at) : undefined;
    const found = line !== undefined && isKnown(line.name) ? [{ name: line.name, input: value.json }] : callsIn(value.json);
    if (found.length > 0 && found.every(({ name }) => isKnown(name)))
      take(found, line?.from ?? fenceBefore(text, at), fenceAfter(text, end));
  }
  prose.push(text.slice(kept));
  const around = prose
    .map((part) => part.trim())
    .filter((part) => part !== "" && !/^[;,]$/.test(part))
    .join("\n");
  return { calls, ...(unfinished !== undefined && { unfinished }), text: around };
}

/** The name that fills the line above. */
function nameAbove(text: string, at: number): { readonly name: string; readonly from: number } | undefined {
  const before = text.slice(Math.max(0, at - 200), at);
  const match = /(?:^|\n|<\|assistant\|>)([A-Za-z_][\w.-]*)[ \t]*\n[ \t]*$/.exec(before);
  return match === null ? undefined : { name: match[1]!, from: at - (match[0].length - match[0].indexOf(match[1]!)) };
}

/** The fence around a block goes with the call in it. */
function fenceBefore(text: string, at: number): number {
  return at - (/```[\w-]*[ \t]*\r?\n\s*$/.exec(text.slice(Math.max(0, at - 60), at))?.[0].length ?? 0);
}

function fenceAfter(text: string, end: number): number {
  return end + (/^\s*```/.exec(text.slice(end, end + 60))?.[0].length ?? 0);
}
