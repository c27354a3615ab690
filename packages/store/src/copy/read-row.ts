import type { AuditRow } from "../engine/audit.ts";
import type { DefinitionLogRow } from "../engine/definition-log.ts";
import type { Note } from "../engine/notes.ts";
import type { SecretRow } from "../engine/secrets.ts";
import type { SessionInboxRow, SessionMessageRow, SessionRow } from "../engine/sessions.ts";
import type { TicketRow } from "../engine/tickets.ts";
import type { Change, Head } from "../engine/engine.ts";
import type { Breadcrumb } from "../record/breadcrumb.ts";
import { copyJson } from "../record/copy-json.ts";
import { isObject } from "../record/json.ts";
import type { ContentKind, ContentRows } from "./content.ts";

/** Reads a row from parsed JSON: exactly its fields, each of its type. Undefined for anything else. */
export function readRow<Kind extends ContentKind>(kind: Kind, value: unknown): ContentRows[Kind] | undefined {
  return isObject(value) ? readers[kind](value) : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const readers: { readonly [Kind in ContentKind]: (fields: Fields) => ContentRows[Kind] | undefined } = {
  change({ sequence, type, record }): Change | undefined {
    const types: readonly unknown[] = ["created", "updated", "deleted", "expired"];
    if (!isCount(sequence) || !types.includes(type) || !isRecord(record)) return undefined;
    return { sequence, type: type as Change["type"], record };
  },
  head({ position, deleted, expiresAt, readsLeft, record }): Head | undefined {
    if (!isCount(position) || typeof deleted !== "boolean" || !isRecord(record)) return undefined;
    if (!isOptionalCount(expiresAt) || !isOptionalCount(readsLeft)) return undefined;
    return { record, position, deleted, expiresAt, readsLeft };
  },
  audit(fields): AuditRow | undefined {
    const { number, at, owner, kind, agent, principal, subject, callId, ok, code, durationMs, body, previous, hash, chain, keyId } = fields;
    const { place = 0 } = fields; // older back-ups have one chain
    if (!isCount(number) || !isCount(at) || !isCount(place) || !(ok === null || ok === 0 || ok === 1)) return undefined;
    if (!(durationMs === null || (typeof durationMs === "number" && Number.isFinite(durationMs)))) return undefined;
    if (!isTextOrNull(callId) || !isTextOrNull(code)) return undefined;
    const texts = { owner, kind, agent, principal, subject, body, previous, hash, chain, keyId };
    return areTexts(texts) ? { ...texts, number, at, callId, ok, code, durationMs, place } : undefined;
  },
  secret({ owner, name, version, keyId, wrappedKey, sealed, updatedAt }): SecretRow | undefined {
    const texts = { owner, name, keyId, wrappedKey, sealed };
    return areTexts(texts) && isCount(version) && isCount(updatedAt) ? { ...texts, version, updatedAt } : undefined;
  },
  answer({ owner, name, endsAt, body }): Note | undefined {
    const texts = { owner, name, body };
    return areTexts(texts) && isCount(endsAt) ? { ...texts, kind: "answer", holder: "", endsAt } : undefined;
  },
  logged({ index, at, owner, kind, source, tool, body, nodes }): DefinitionLogRow | undefined {
    const texts = { owner, kind, source, tool, body, nodes };
    return areTexts(texts) && isCount(index) && isCount(at) ? { ...texts, index, at } : undefined;
  },
  session(fields): SessionRow | undefined {
    const { owner, id, key, agent, kind, status, usage, parent, label, model, state, result, endedAt } = fields;
    const texts = { owner, id, key, agent, kind, status, usage };
    const optional = { parent, label, model, state, result };
    const { depth, createdAt, touched, last, bytes, fence, inboxLast, inboxCount, inboxBytes } = fields;
    const counts = { depth, createdAt, touched, last, bytes, fence, inboxLast, inboxCount, inboxBytes };
    if (!areTexts(texts) || !areOptionalTexts(optional) || !areCounts(counts) || !isOptionalCount(endedAt)) return undefined;
    if (!isStatus(texts.status) || ![usage, state ?? "{}", result ?? "{}"].every(isJson)) return undefined;
    return { ...texts, status: texts.status, ...optional, ...counts, endedAt, holder: "", leaseEndsAt: 0 };
  },
  message({ owner, session, seq, at, body }): SessionMessageRow | undefined {
    const texts = { owner, session, body };
    return areTexts(texts) && isCount(seq) && isCount(at) && isJson(body) ? { ...texts, seq, at } : undefined;
  },
  inbox({ owner, session, place, content, fromKind, fromId, at, source, taken }): SessionInboxRow | undefined {
    const texts = { owner, session, content, fromKind };
    const optional = { fromId, source };
    if (!areTexts(texts) || !areOptionalTexts(optional) || !isJson(content) || typeof taken !== "boolean") return undefined;
    return isCount(place) && isCount(at) ? { ...texts, ...optional, place, at, taken } : undefined;
  },
  task({ owner, kind, name, group, holder, body, version, createdAt, endsAt, isOpen }): TicketRow | undefined {
    const [texts, counts] = [
      { owner, name, group, holder, body },
      { version, createdAt, endsAt },
    ];
    if (!areTexts(texts) || !areCounts(counts) || !isJson(body) || typeof isOpen !== "boolean" || kind !== "task") return undefined;
    return { ...texts, ...counts, kind, isOpen };
  },
};

/** What the tables and the searches need of a record; the rest is the record's own. */
function isRecord(value: unknown): value is Breadcrumb {
  if (!isObject(value)) return false;
  const { owner, id, schema_name, title, visibility, sensitivity, created_by, updated_at, updated_by, version, tags, context } = value;
  return (
    areTexts({ owner, id, schema_name, title, visibility, sensitivity, created_by, updated_at, updated_by }) &&
    isCount(version) &&
    isContext(context) &&
    Array.isArray(tags) &&
    tags.every((tag) => isText(tag))
  );
}

/** As every record had to be when it was written: no deeper, and of no other values. */
function isContext(value: unknown): boolean {
  try {
    copyJson(value, "The context", Number.MAX_SAFE_INTEGER);
    return true;
  } catch {
    return false;
  }
}

/** No database takes the character 0. */
function isText(value: unknown): value is string {
  return typeof value === "string" && !value.includes("\0");
}

function areTexts<Names extends string>(fields: Readonly<Record<Names, unknown>>): fields is Readonly<Record<Names, string>> {
  return Object.values(fields).every(isText);
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || isText(value);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isOptionalCount(value: unknown): value is number | undefined {
  return value === undefined || isCount(value);
}

function areOptionalTexts<Names extends string>(
  fields: Readonly<Record<Names, unknown>>,
): fields is Readonly<Record<Names, string | undefined>> {
  return Object.values(fields).every((value) => value === undefined || isText(value));
}

function areCounts<Names extends string>(fields: Readonly<Record<Names, unknown>>): fields is Readonly<Record<Names, number>> {
  return Object.values(fields).every(isCount);
}

function isStatus(value: string): value is SessionRow["status"] {
  return ["idle", "running", "waiting", "ended"].includes(value);
}

function isJson(value: unknown): boolean {
  try {
    JSON.parse(value as string);
    return true;
  } catch {
    return false;
  }
}
