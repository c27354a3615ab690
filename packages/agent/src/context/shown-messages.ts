import type { ToolResult } from "@toolrack/core";
import type { Message, MessageOrigin, ToolMessage, UserMessage } from "../message.ts";
import type { StoredMessage } from "../sessions.ts";
import { boundOf } from "./cost.ts";

/** What a model is shown of a session: the newest summary and what came after what it stands for. The stored messages stay as they are. */
export interface ShownOptions {
  /** Results up to this message are shown in short. */
  readonly shortenedUpTo: number;
  /** The most characters of any result. */
  readonly maxResult: number;
}

/** Characters that stay of an old result. */
export const shortResult = 400;

export function shownMessages(stored: readonly StoredMessage[], options: ShownOptions): readonly Message[] {
  const { shown } = extended(begun(options), stored);
  return shown;
}

/** What is shown of a list that only grows, and no less than that costs. Each message is looked at once, however many turns there are. */
export function shownSoFar(
  stored: readonly StoredMessage[],
  options: ShownOptions,
): { readonly messages: readonly Message[]; readonly bound: number } {
  let list = lists.get(stored);
  if (list?.options.shortenedUpTo !== options.shortenedUpTo || list.options.maxResult !== options.maxResult) list = begun(options);
  lists.set(stored, extended(list, stored));
  return { messages: [...list.shown], bound: list.bound };
}

interface ShownList {
  readonly options: ShownOptions;
  shown: Message[];
  /** No less than what is shown costs. Not counted where no window limits it. */
  bound: number;
  /** So many stored messages have been looked at. */
  seen: number;
}

const lists = new WeakMap<readonly StoredMessage[], ShownList>();

function begun(options: ShownOptions): ShownList {
  return { options, shown: [], bound: 0, seen: 0 };
}

function extended(list: ShownList, stored: readonly StoredMessage[]): ShownList {
  const { shortenedUpTo, maxResult } = list.options;
  const newest = stored.findLastIndex(({ message }, index) => index >= list.seen && message.role === "summary");
  const summary = stored[newest]?.message;
  if (summary?.role === "summary") Object.assign(list, { shown: [summary], bound: boundOf(summary), seen: 0 });
  const from = summary?.role === "summary" ? summary.upTo : 0;
  for (; list.seen < stored.length; list.seen++) {
    const { seq, message } = stored[list.seen]!;
    if (seq <= from || message.role === "summary") continue;
    const form = shownAs(message, seq <= shortenedUpTo ? shortResult : maxResult);
    list.shown.push(form);
    if (maxResult !== Infinity) list.bound += boundOf(form);
  }
  return list;
}

/** The same value every time, so that it is counted and written once. */
const known = new WeakMap<Message, Map<number, Message>>();

function shownAs(message: Message, limit: number): Message {
  if (message.role !== "tool" && message.role !== "user") return message;
  let forms = known.get(message);
  if (forms === undefined) known.set(message, (forms = new Map()));
  let form = forms.get(limit);
  if (form === undefined) forms.set(limit, (form = message.role === "tool" ? shortened(message, limit) : withOrigin(message)));
  return form;
}

/** Whoever is no person is named in front of the message, by us: a text cannot claim to be from somebody else. */
function withOrigin(message: UserMessage): UserMessage {
  const { from, content } = message;
  if (from.kind === "person" && !claimsOrigin.test(content)) return message;
  return { ...message, content: `[${describeOrigin(from)}]\n${content}` };
}

/** A line that begins as ours do. */
const claimsOrigin = /^[ \t\u00A0\p{Cf}]{0,200}\[[ \t]{0,20}from\b/imu;

function describeOrigin({ kind, id }: MessageOrigin): string {
  if (kind === "person") return "From a person";
  if (kind === "system") return "From the system that runs you, not from a person";
  return `From ${kind === "agent" ? "an agent" : `a ${kind}`}${id === undefined ? "" : ` ${JSON.stringify(id)}`}, not from a person`;
}

function shortened(message: ToolMessage, limit: number): ToolMessage {
  if (message.results.every((result) => lengthOf(result) <= limit)) return message;
  return { ...message, results: message.results.map((result) => (lengthOf(result) <= limit ? result : cut(result, limit))) };
}

function lengthOf(result: ToolResult): number {
  if (!result.ok) return result.error.length;
  return result.content.length + (result.blocks ?? []).reduce((sum, block) => sum + JSON.stringify(block).length, 0);
}

function cut(result: ToolResult, limit: number): ToolResult {
  const note = (text: string): string =>
    `${text.slice(0, limit)}\n[${text.length - limit} more characters were left out here. Call again to see them.]`;
  if (!result.ok) return { ...result, error: note(result.error) };
  const { content, meta } = result;
  const text = content.length <= limit ? `${content}\n[Images and other parts were left out here. Call again to see them.]` : note(content);
  return { ok: true, content: text, meta };
}
