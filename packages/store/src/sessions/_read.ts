import { StoreError } from "../errors.ts";
import { isWellFormed } from "../record/copy-json.ts";
import { isObject } from "../record/json.ts";
import type { SessionMarks } from "../engine/sessions.ts";
import type { MessageOrigin, NewSession, SessionKind, SessionPatch, SessionResult, SessionStatus } from "./session-store.ts";

// What comes from outside, read before anything is written. All of it throws RECORD_INVALID, RECORD_TOO_LARGE or QUERY_INVALID.

export const maxMessageBytes = 4_194_304;
const maxStateBytes = 1_048_576;
const maxDepth = 1_000;

const kinds: ReadonlySet<string> = new Set<SessionKind>(["main", "group", "cron", "hook", "node", "subagent", "other"]);
const origins: ReadonlySet<string> = new Set<MessageOrigin["kind"]>(["person", "session", "schedule", "webhook", "agent", "system"]);
const statuses: ReadonlySet<string> = new Set<SessionStatus>(["idle", "running", "waiting"]);

export function checkNewSession({ key, agent, kind, parent, depth = 0 }: NewSession): void {
  readText("key", key);
  readText("agent", agent);
  if (parent !== undefined) readText("parent", parent);
  if (!kinds.has(kind)) throw invalid(`The kind of a session is one of ${[...kinds].join(", ")}, not ${shown(kind)}.`);
  if (!Number.isSafeInteger(depth) || depth < 0 || depth > maxDepth)
    throw invalid(`The depth of a session is a whole number from 0 to ${maxDepth}, not ${shown(depth)}.`);
}

export function readPatch(patch: SessionPatch): Partial<Pick<SessionMarks, "status" | "model" | "label" | "usage" | "state">> {
  const { status, model, label, usage, state } = patch;
  if (status !== undefined && !statuses.has(status))
    throw invalid(`The status of a session is changed to one of ${[...statuses].join(", ")}, not ${shown(status)}. To end it, call end().`);
  return {
    ...(status !== undefined && { status }),
    ...(model !== undefined && { model: readText("model", model) }),
    ...(label !== undefined && { label: readText("label", label) }),
    ...(usage !== undefined && { usage: readUsage(usage) }),
    ...(state !== undefined && { state: readState(state) }),
  };
}

/** The message as JSON. */
export function readMessage(message: unknown): string {
  const role: unknown = isObject(message) ? message["role"] : undefined;
  if (typeof role !== "string" || role === "") throw invalid('A message of a session is an object with a text "role".');
  return sized(toJson(message, "A message"), "A message", maxMessageBytes);
}

/** What a message of an inbox is once it is taken. */
export function userMessage(content: string, from: MessageOrigin): string {
  return sized(JSON.stringify({ role: "user", content, from }), "A message", maxMessageBytes);
}

export function checkContent(content: unknown): asserts content is string {
  if (typeof content !== "string") throw invalid("The content of a message in an inbox is a text.");
}

export function readOrigin(from: unknown): MessageOrigin {
  const { kind, id } = isObject(from) ? from : {};
  if (typeof kind !== "string" || !origins.has(kind))
    throw invalid(`A message is from one of ${[...origins].join(", ")}, not ${shown(kind)}.`);
  return { kind: kind as MessageOrigin["kind"], ...(id !== undefined && { id: readText("from.id", id) }) };
}

export function readResult(result: unknown): SessionResult & { readonly toParent: string | false } {
  const { text, status, toParent = text } = isObject(result) ? result : {};
  if (typeof text !== "string") throw invalid('The result of a session has a "text".');
  if (typeof toParent !== "string" && toParent !== false) throw invalid("What a parent is told of a session is a text, or false.");
  return { text, status: readText("status", status), toParent };
}

export function readText(name: string, text: unknown): string {
  if (typeof text === "string" && text !== "" && text.length <= maxText && !controls.test(text) && isWellFormed(text)) return text;
  throw invalid(`"${name}" of a session has to be a text of 1 to ${maxText} characters without control characters, not ${shown(text)}.`);
}

export function readTtl(ttlMs: unknown): number {
  if (typeof ttlMs === "number" && Number.isSafeInteger(ttlMs) && ttlMs >= 1) return ttlMs;
  throw query(`A lease on a session lasts a whole number of milliseconds, at least 1; ${shown(ttlMs)} is none.`);
}

/** A whole number from `lowest` on; what is above `highest` is taken as that. */
export function readCount(name: string, value: unknown, lowest: number, highest: number): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= lowest) return Math.min(value, highest);
  throw query(`"${name}" has to be a whole number of at least ${lowest}, not ${shown(value)}.`);
}

/** Milliseconds since 1970, whole. */
export function readTime(name: string, value: unknown): number {
  if (typeof value === "number" && value >= 0 && value <= latestTime) return Math.floor(value);
  throw query(`"${name}" has to be milliseconds since 1970, up to the year 9999, not ${shown(value)}.`);
}

/** Whether a database could hold it: what it cannot hold, it has not. */
export function isStorable(text: unknown): text is string {
  return typeof text === "string" && !text.includes("\0") && isWellFormed(text);
}

function readUsage(usage: object): string {
  const fields = Object.entries(usage).filter(([, value]) => value !== undefined) as [string, unknown][];
  const wrong = fields.find(([, value]) => typeof value !== "number" || !Number.isFinite(value) || value < 0);
  if (wrong !== undefined) throw invalid(`"usage.${wrong[0]}" of a session has to be a number of at least 0, not ${shown(wrong[1])}.`);
  const missing = ["inputTokens", "outputTokens", "turns", "calls"].find((name) => !Object.hasOwn(usage, name));
  if (missing !== undefined) throw invalid(`"usage" of a session has no "${missing}". Give all of its counts.`);
  return JSON.stringify(Object.fromEntries(fields));
}

function readState(state: unknown): string {
  if (!isObject(state)) throw invalid('"state" of a session has to be an object.');
  return sized(toJson(state, '"state" of a session'), '"state" of a session', maxStateBytes);
}

function toJson(value: unknown, what: string): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    throw invalid(`${what} cannot be written as JSON: ${(error as Error).message.split("\n", 1)[0]}.`);
  }
}

function sized(text: string, what: string, most: number): string {
  const bytes = Buffer.byteLength(text);
  if (bytes <= most) return text;
  throw new StoreError("RECORD_TOO_LARGE", `${what} has ${bytes} bytes as JSON; at most ${most} are stored. Shorten it.`);
}

function shown(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value.slice(0, 60)) : String(value);
}

function invalid(message: string): StoreError {
  return new StoreError("RECORD_INVALID", message);
}

function query(message: string): StoreError {
  return new StoreError("QUERY_INVALID", message);
}

const maxText = 512;
const latestTime = Date.UTC(9_999, 0);
const controls = /\p{Cc}/u;
