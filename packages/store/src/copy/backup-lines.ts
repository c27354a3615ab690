import { createHash } from "node:crypto";
import type { AuditEnd, ChainEnds, ChainPlace } from "../engine/audit.ts";
import { StoreError } from "../errors.ts";
import { isObject } from "../record/json.ts";
import type { KeyProvider } from "../secrets/keys.ts";
import {
  allKinds,
  type ContentHeader,
  type ContentKind,
  type ContentPage,
  type CopyProgress,
  type StoreContent,
  totalOf,
} from "./content.ts";
import { readRow } from "./read-row.ts";

export const backupFormat = "toolrack-backup";
/** Increase it when the meaning of a row changes. */
export const backupVersion = 1;
/** Of one line; no record comes near it. */
export const maxLineBytes = 33_554_432;

/** The last line proves that the file is complete, and who could have written it. */
export interface BackupEnd {
  readonly lines: number;
  /** Of everything before the last line, in hexadecimal digits. */
  readonly sha256: string;
  /** The digest under the master key: only who has that key can make it. Absent where there was no key. */
  readonly seal?: BackupSeal;
}

export interface BackupSeal {
  readonly keyId: string;
  readonly sealed: string;
}

/** What binds a seal to its use. */
export const sealAbout = "toolrack backup";

export type BackupPart =
  | { readonly kind: "header"; readonly header: ContentHeader }
  | ContentPage
  | { readonly kind: "end"; readonly end: BackupEnd };

export interface WriteLinesOptions {
  readonly keys: KeyProvider | undefined;
  readonly onProgress?: ((progress: CopyProgress) => void) | undefined;
}

/** A header, a line for each row, and a last line with the digest of all before it. */
export async function* writeLines({ header, pages }: StoreContent, { keys, onProgress }: WriteLinesOptions): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  const total = totalOf(header.counts);
  let lines = 0;
  const toBytes = (value: unknown): Buffer => {
    const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
    if (bytes.length > maxLineBytes)
      throw new StoreError(
        "RECORD_TOO_LARGE",
        `A record takes ${bytes.length} bytes, and a back-up takes at most ${maxLineBytes} for each.`,
      );
    hash.update(bytes);
    lines += 1;
    return bytes;
  };
  yield toBytes({ format: backupFormat, version: backupVersion, ...header });
  for await (const { kind, rows } of pages()) {
    for (const row of rows) yield toBytes({ [kind]: row });
    onProgress?.({ done: lines - 1, total });
  }
  const digest = hash.digest();
  const seal: BackupSeal | undefined = keys && { keyId: keys.keyId, sealed: await keys.wrap(digest, sealAbout) };
  const end: BackupEnd = { lines, sha256: digest.toString("hex"), ...(seal && { seal }) };
  yield Buffer.from(`${JSON.stringify({ end })}\n`);
}

/** Reads the lines of a back-up. Throws BACKUP_INVALID, which names the line, for one that is not whole or not as it was written. */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<BackupPart> {
  const hash = createHash("sha256");
  const order = createOrder();
  let rows: unknown[] = [];
  let kind: ContentKind | undefined;
  let [number, bytesHeld] = [0, 0];
  let isOver = false;
  const toPage = (): ContentPage => {
    const page = { kind, rows } as ContentPage;
    [rows, bytesHeld] = [[], 0];
    return page;
  };
  for await (const line of splitLines(chunks)) {
    number += 1;
    if (isOver) throw invalid(number, "something follows its last line");
    const value = parse(line, number);
    if (number === 1) {
      const header = readHeader(value);
      order.begin(header);
      yield { kind: "header", header };
    } else if (isObject(value) && Object.hasOwn(value, "end")) {
      if (rows.length > 0) yield toPage();
      const end = readEnd(value["end"]);
      if (end === undefined) throw invalid(number, "the last line has another form");
      if (end.lines !== number - 1 || end.sha256 !== hash.digest("hex"))
        throw invalid(number, "the digest does not fit: the file was changed or is damaged");
      order.end(number);
      isOver = true;
      yield { kind: "end", end };
      continue;
    } else {
      const [key, ...more] = isObject(value) ? Object.keys(value) : [];
      const next = allKinds.find((one) => one === key);
      const row = next === undefined || more.length > 0 ? undefined : readRow(next, (value as Record<string, unknown>)[next]);
      if (next === undefined || row === undefined) throw invalid(number, "it is no row of a store");
      if (rows.length > 0 && (next !== kind || rows.length === rowsAtOnce || bytesHeld > bytesAtOnce)) yield toPage();
      kind = next;
      order.next({ kind: next, rows: [row] } as ContentPage, number);
      rows.push(row);
      bytesHeld += line.length;
    }
    hash.update(line).update("\n");
  }
  if (!isOver) throw new StoreError("BACKUP_INVALID", `The back-up breaks off after line ${number}: it is incomplete. Make another one.`);
}

const rowsAtOnce = 100;
const bytesAtOnce = 4_194_304;

export function invalid(number: number, fact: string): StoreError {
  return new StoreError("BACKUP_INVALID", `Line ${number} of the back-up: ${fact}. Nothing was written; take another back-up.`);
}

/** Holds rows against what the header says: their order, their numbers and how many there are. */
function createOrder() {
  const found = Object.fromEntries(allKinds.map((kind) => [kind, 0])) as Record<ContentKind, number>;
  let header: ContentHeader;
  let [kindIndex, last] = [0, 0];
  return {
    begin(read: ContentHeader): void {
      header = read;
    },
    next({ kind, rows: [row] }: ContentPage, number: number): void {
      const at = allKinds.indexOf(kind);
      if (at < kindIndex) throw invalid(number, "rows of this kind ended before");
      if (at > kindIndex) last = kind === "audit" ? header.ends.audit.first.number : kind === "logged" ? -1 : 0;
      kindIndex = at;
      found[kind] += 1;
      if (found[kind] > header.counts[kind]) throw invalid(number, "there are more rows than its first line says");
      const own = numberOf(row!);
      if (own === undefined) return;
      const limits = { audit: header.ends.audit.last.number, logged: header.counts.logged };
      const limit = kind === "audit" || kind === "logged" ? limits[kind] : header.ends.sequence;
      if (own <= last || own > limit || (Object.hasOwn(limits, kind) && own !== last + 1))
        throw invalid(number, "its number is out of order");
      last = own;
    },
    end(number: number): void {
      const short = allKinds.find((kind) => found[kind] !== header.counts[kind]);
      if (short !== undefined)
        throw invalid(number, `there are ${found[short]} rows of "${short}", and the first line says ${header.counts[short]}`);
    },
  };
}

function numberOf(row: ContentPage["rows"][number]): number | undefined {
  if ("sequence" in row) return row.sequence;
  if ("position" in row) return row.position;
  if ("index" in row) return row.index;
  return "number" in row ? row.number : undefined;
}

function parse(line: Buffer, number: number): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(line));
  } catch {
    throw invalid(number, "it is not JSON");
  }
}

function readHeader(value: unknown): ContentHeader {
  if (!isObject(value) || value["format"] !== backupFormat) throw invalid(1, "this is not a back-up of Toolrack");
  if (value["version"] !== backupVersion)
    throw new StoreError(
      "BACKUP_INVALID",
      `The back-up has format ${String(value["version"]).slice(0, 10)}, and this version reads ${backupVersion}. Use a newer Toolrack.`,
    );
  const { createdAt, migrations, ends, counts, running } = value;
  if (typeof createdAt !== "string" || Number.isNaN(Date.parse(createdAt))) throw invalid(1, "createdAt is no time");
  if (!Array.isArray(migrations) || !migrations.every((name) => typeof name === "string"))
    throw invalid(1, "migrations is no list of names");
  const read = { sequence: countOf(ends, "sequence"), changesBegin: countOf(ends, "changesBegin") };
  const audit = isObject(ends) && isObject(ends["audit"]) ? ends["audit"] : {};
  const [first, last] = [endOf(audit["first"]), endOf(audit["last"])];
  const all = allKinds.map((kind) => [kind, countOf(counts, kind) ?? (isLater(kind, counts) ? 0 : undefined)] as const);
  if (read.sequence === undefined || read.changesBegin === undefined || first === undefined || last === undefined)
    throw invalid(1, "ends is wrong");
  const chains = readChains(isObject(ends) ? (ends["chains"] ?? []) : undefined);
  if (chains === undefined) throw invalid(1, "the chains of the audit are wrong");
  if (all.some(([, count]) => count === undefined)) throw invalid(1, "counts is wrong");
  return {
    createdAt: new Date(createdAt).toISOString(),
    migrations,
    ends: { sequence: read.sequence, changesBegin: read.changesBegin, audit: { first, last }, chains },
    counts: Object.fromEntries(all) as ContentHeader["counts"],
    running: typeof running === "number" ? running : 0,
  };
}

/** A kind of rows that older versions did not have. */
function isLater(kind: ContentKind, counts: unknown): boolean {
  return laterKinds.includes(kind) && isObject(counts) && !Object.hasOwn(counts, kind);
}

const laterKinds: readonly ContentKind[] = ["logged", "session", "message", "inbox", "task"];

function countOf(value: unknown, key: string): number | undefined {
  const count = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

function endOf(value: unknown): AuditEnd | undefined {
  const number = countOf(value, "number");
  const hash = isObject(value) ? value["hash"] : undefined;
  return number === undefined || !isHash(hash) ? undefined : { number, hash };
}

/** Older back-ups have none. */
function readChains(value: unknown): readonly ChainEnds[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const chains = value.flatMap((one: unknown): ChainEnds[] => {
    const chain = isObject(one) ? one["chain"] : undefined;
    const [first, last] = isObject(one) ? [placeOf(one["first"]), placeOf(one["last"])] : [];
    return typeof chain !== "string" || chain.includes("\0") || first === undefined || last === undefined ? [] : [{ chain, first, last }];
  });
  return chains.length === value.length ? chains : undefined;
}

function placeOf(value: unknown): ChainPlace | undefined {
  const place = countOf(value, "place");
  const hash = isObject(value) ? value["hash"] : undefined;
  return place === undefined || !isHash(hash) ? undefined : { place, hash };
}

function isHash(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{0,128}$/.test(value);
}

function readEnd(value: unknown): BackupEnd | undefined {
  const lines = countOf(value, "lines");
  if (lines === undefined || !isObject(value) || typeof value["sha256"] !== "string") return undefined;
  const { sha256, seal } = value;
  if (seal === undefined) return { lines, sha256 };
  if (!isObject(seal) || typeof seal["keyId"] !== "string" || typeof seal["sealed"] !== "string") return undefined;
  return { lines, sha256, seal: { keyId: seal["keyId"], sealed: seal["sealed"] } };
}

/** Lines without their ends; one that is too long is refused before it is read whole. */
async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let size = 0;
  let number = 1;
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length;) {
      const at = chunk.indexOf(10, start);
      const piece = chunk.subarray(start, at === -1 ? chunk.length : at);
      size += piece.length;
      if (size > maxLineBytes) throw invalid(number, `it is longer than ${maxLineBytes} bytes`);
      held.push(piece);
      if (at === -1) break;
      yield Buffer.concat(held);
      [held, size] = [[], 0];
      number += 1;
      start = at + 1;
    }
  }
  if (size > 0) throw new StoreError("BACKUP_INVALID", `The back-up breaks off in line ${number}: it is incomplete. Make another one.`);
}
