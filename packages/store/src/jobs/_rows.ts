import { randomBytes } from "node:crypto";
import type { JobRow } from "../engine/jobs.ts";
import { StoreError } from "../errors.ts";
import type { JsonObject } from "../record/breadcrumb.ts";
import type { Job, JobDraft, JobError } from "./job-queue.ts";

/** A new row for a draft. Throws RECORD_INVALID or RECORD_TOO_LARGE for one that cannot be stored. */
export function toRow(owner: string, draft: JobDraft, now: number, dueAt: number): JobRow {
  const { kind, caller, subject, payload, key, origin = "call", tries = 1, delaysMs = defaultDelaysMs } = draft;
  for (const [name, text] of Object.entries({ kind, caller, subject, origin, key: key ?? "-" })) checkText(name, text);
  if (!Number.isSafeInteger(tries) || tries < 1 || tries > 100)
    throw new StoreError("RECORD_INVALID", `A job has ${tries} tries. Give it a whole number from 1 to 100.`);
  if (delaysMs.length === 0 || delaysMs.length > 100 || !delaysMs.every((delay) => Number.isFinite(delay) && delay >= 0))
    throw new StoreError("RECORD_INVALID", "delaysMs of a job has to be 1 to 100 numbers of milliseconds.");
  if (!Number.isFinite(dueAt) || dueAt < 0 || dueAt > latestTime)
    throw new StoreError("RECORD_INVALID", "The time at which a job is due has to be milliseconds since 1970, up to the year 9999.");
  return {
    owner,
    id: newId(now),
    kind,
    caller,
    subject,
    key,
    origin,
    tries,
    delays: JSON.stringify(delaysMs),
    payload: toText(payload),
    createdAt: now,
    state: "waiting",
    dueAt,
    startedAt: undefined,
    endedAt: undefined,
    attempt: 0,
    failed: 0,
    lostBy: [],
    holder: "",
    beat: 0,
    cancelling: false,
    progress: undefined,
    result: undefined,
    error: undefined,
  };
}

export function toJob(row: JobRow): Job {
  const { id, kind, caller, subject, key, origin, tries, createdAt, state, dueAt, startedAt, endedAt, attempt, failed, lostBy } = row;
  return {
    id,
    kind,
    caller,
    subject,
    key,
    origin,
    tries,
    createdAt,
    state,
    dueAt,
    startedAt,
    endedAt,
    attempt,
    failed,
    lost: lostBy.length,
    delaysMs: JSON.parse(row.delays) as readonly number[],
    payload: JSON.parse(row.payload) as JsonObject,
    holder: row.holder === "" ? undefined : row.holder,
    isCancelling: row.cancelling && row.state === "running",
    progress: fromText(row.progress),
    result: fromText(row.result),
    error: fromText(row.error) as JobError | undefined,
  };
}

/** JSON of at most 1 MiB. */
export function toText(value: JsonObject): string {
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) > maxBytes)
    throw new StoreError("RECORD_TOO_LARGE", `What a job stores has ${Buffer.byteLength(text)} bytes; at most ${maxBytes} are allowed.`);
  return text;
}

/** The delay after so many failed attempts, with up to a fifth added by chance, so that jobs that failed together do not return together. */
export function delayAfter(failed: number, delaysMs: readonly number[], random: () => number): number {
  const delay = delaysMs[Math.min(failed, delaysMs.length) - 1]!;
  return delay * (1 + random() / 5);
}

/** Milliseconds, then a count, so that ids sort in the order in which a process gave them; then 96 random bits. */
function newId(now: number): string {
  count = (count + 1) % maxCount;
  return Math.floor(now).toString(36).padStart(9, "0") + count.toString(36).padStart(4, "0") + randomBytes(12).toString("hex");
}

function checkText(name: string, text: unknown): void {
  if (typeof text === "string" && text !== "" && text.length <= maxText && !text.includes("\0") && Buffer.from(text).toString() === text)
    return;
  throw new StoreError("RECORD_INVALID", `"${name}" of a job has to be a text of 1 to ${maxText} characters, without the character 0.`);
}

function fromText(text: string | undefined): JsonObject | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as JsonObject);
}

let count = 0;
const maxCount = 36 ** 4;
const maxText = 1_000;
const maxBytes = 1_048_576;
const latestTime = Date.UTC(9_999, 0);
const defaultDelaysMs: readonly number[] = [30_000, 60_000, 300_000, 900_000, 3_600_000];
