import { isObject } from "@toolrack/json-schema/internal";
import { callsIn, type FoundCall } from "./call-shape.ts";
import { endOfJson, readJson } from "./json-span.ts";

export interface TaggedCalls {
  readonly calls: readonly FoundCall[];
  readonly end: number;
}

/** The calls after a marker. A marker means that a call was intended: if the text ends early the call is unfinished, and an unknown form is not a call. */
export function readTagged(text: string, at: number, mark: string): TaggedCalls | "unfinished" | undefined {
  const from = at + mark.length;
  if (mark === "<tool_call>") return readTag(text, from, "</tool_call>");
  if (mark === "<function=") return readTag(text, at, "</function>");
  return mark === "[TOOL_CALLS]" ? (readNamed(text, from) ?? readObjects(text, from)) : readObjects(text, from);
}

function readTag(text: string, from: number, close: string): TaggedCalls | "unfinished" | undefined {
  const end = text.indexOf(close, from);
  const body = text.slice(from, end === -1 ? text.length : end + (close === "</function>" ? close.length : 0));
  const calls = readBody(body.trim());
  if (calls !== undefined) return { calls, end: end === -1 ? text.length : end + close.length };
  return end === -1 ? "unfinished" : undefined;
}

/** JSON, a name with arguments below it, or a name with arguments in tags of their own. */
function readBody(body: string): readonly FoundCall[] | undefined {
  const value = readJson(body);
  if (value !== undefined) {
    const calls = callsIn(value.json);
    return calls.length > 0 ? calls : undefined;
  }
  return readNameAndJson(body) ?? readArgumentTags(body) ?? readParameterTags(body);
}

function readNameAndJson(body: string): readonly FoundCall[] | undefined {
  const match = /^([\w.-]+)\s*(\{[\s\S]*\})$/.exec(body);
  const value = match === null ? undefined : readJson(match[2]!);
  return value !== undefined && isObject(value.json) ? [{ name: match![1]!, input: value.json }] : undefined;
}

/** name <arg_key>city</arg_key><arg_value>Paris</arg_value> … */
function readArgumentTags(body: string): readonly FoundCall[] | undefined {
  const name = /^([\w.-]+)\s*(?=<arg_key>|$)/.exec(body);
  if (name === null) return undefined;
  const input = readPairs(body.slice(name[0].length), /<arg_key>([\s\S]*?)<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>\s*/y);
  return input === undefined ? undefined : [{ name: name[1]!, input }];
}

/** <function=name><parameter=city>Paris</parameter> … </function> */
function readParameterTags(body: string): readonly FoundCall[] | undefined {
  const frame = /^<function=([\w.-]+)>\s*([\s\S]*?)\s*<\/function>$/.exec(body);
  if (frame === null) return undefined;
  const input = readPairs(frame[2]!, /<parameter=([^>]*)>\n?([\s\S]*?)\n?<\/parameter>\s*/y);
  return input === undefined ? undefined : [{ name: frame[1]!, input }];
}

/** Values are not quoted: valid JSON is read as JSON, everything else as text. */
function readPairs(text: string, pair: RegExp): Record<string, unknown> | undefined {
  const entries: [string, unknown][] = [];
  while (pair.lastIndex < text.length) {
    const match = pair.exec(text);
    if (match === null) return undefined;
    const value = readJson(match[2]!);
    entries.push([match[1]!.trim(), value === undefined ? match[2]! : value.json]);
  }
  return Object.fromEntries(entries);
}

/** One value or several, with ";" or "," between them. */
function readObjects(text: string, from: number): TaggedCalls | "unfinished" | undefined {
  const calls: FoundCall[] = [];
  let end = from;
  for (;;) {
    const start = end + /^[\s;,]*/.exec(text.slice(end, end + 50))![0].length;
    if (text[start] !== "{" && text[start] !== "[") break;
    const close = endOfJson(text, start);
    if (close === undefined) return calls.length > 0 ? { calls, end } : "unfinished";
    const value = readJson(text.slice(start, close));
    const found = value === undefined ? [] : callsIn(value.json);
    if (found.length === 0) break;
    calls.push(...found);
    end = close;
  }
  if (calls.length > 0) return { calls, end };
  return text.slice(from).trim() === "" ? "unfinished" : undefined;
}

/** name[ARGS]{…} or name{…}, each after a marker of its own; the caller finds the next marker. */
function readNamed(text: string, from: number): TaggedCalls | "unfinished" | undefined {
  const head = /^\s*([\w.-]+)\s*(?:\[CALL_ID\][\w-]*)?(?:\[ARGS\])?\s*(?=\{)/.exec(text.slice(from, from + 300));
  if (head === null) return undefined;
  const start = from + head[0].length;
  const end = endOfJson(text, start);
  if (end === undefined) return "unfinished";
  const value = readJson(text.slice(start, end));
  return value !== undefined && isObject(value.json) ? { calls: [{ name: head[1]!, input: value.json }], end } : undefined;
}
