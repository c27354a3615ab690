import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { ChainPlan, ProgramState } from "@toolrack/code";
import { type Caller, ToolError } from "@toolrack/core";
import type { Breadcrumb, BreadcrumbDraft, BreadcrumbStore, JsonObject } from "@toolrack/store";
import { createMessageSealer } from "../mcp/sealed-messages.ts";
import type { LabelsByPlace } from "./given-labels.ts";
import type { ProgramOutcome } from "./programs.ts";

export const runSchema = "code.run.v1";

/** The owner of the records of programs. Not the server's own: those are all kept in memory, and programs that wait cost none. */
const programsActor = { owner: "toolrack-programs", agent: "server", roles: ["curator"] } as const;

/** "waiting" while anything is left to do, also while it runs again. */
export type RunStatus = "waiting" | "ended" | "failed" | "cancelled";

/** A program that waited at least once. */
export interface StoredRun {
  readonly id: string;
  /** Of the record. */
  readonly version: number;
  readonly status: RunStatus;
  /** The server that runs it, or ran it last. */
  readonly server: string;
  /** The call that runs it, or ran it last. */
  readonly callId: string;
  readonly startedAt: number;
  readonly updatedAt: number;
  readonly content: RunContent;
}

/** What is sealed: nobody but a server of this store reads it, and what was changed is refused. */
export interface RunContent {
  /** How it was called: the tool, its input, its definition then. */
  readonly tool: string;
  readonly input: unknown;
  readonly definition?: string;
  readonly caller: Caller;
  readonly parent?: { readonly callId: string; readonly depth: number };
  /** What was known of that input, by JSON Pointer. */
  readonly labels?: LabelsByPlace;
  readonly source: string;
  /** The chain that the source was made of. */
  readonly chain?: ChainPlan;
  /** The only tools that it may call. */
  readonly allowed?: readonly string[];
  /** Without the names of tools, which are found anew. Absent after its end. */
  readonly state?: ProgramState;
  readonly pending: readonly PendingRecord[];
  readonly outcome?: ProgramOutcome;
  readonly error?: { readonly code: string; readonly message: string };
}

/** A call that was made, or is about to be made. */
export interface PendingRecord {
  /** Its number in the program. */
  readonly number: string;
  /** How often it was tried, with this time: every attempt is a call of its own. */
  readonly attempt: number;
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly labels: LabelsByPlace;
  /** Where they come from. */
  readonly origins?: LabelsByPlace;
  readonly line: number;
  /** Of the tool when the call was made. */
  readonly definition?: string;
  /** The server that makes it. */
  readonly server: string;
  /** The question to a person that it waits for. */
  readonly approval?: string;
}

type RunHead = Omit<StoredRun, "content">;

export type ListedRun = Omit<StoredRun, "content"> & { readonly content: RunContent | undefined };

export interface RunRecords {
  /** Undefined: there is none. Throws if it was changed by somebody else than a server. */
  get(id: string): Promise<StoredRun | undefined>;
  /** In the order of their beginning. Those that were changed by somebody else have no content. */
  list(query: { readonly server?: string; readonly isOpen?: boolean }): Promise<readonly ListedRun[]>;
  /** Creates it, or replaces exactly this version; undefined if another server was faster. Returns the new version. */
  write(run: Omit<StoredRun, "version">, version: number | undefined, tx?: BreadcrumbStore): Promise<number | undefined>;
}

export interface RunRecordsOptions {
  readonly store: BreadcrumbStore;
  readonly sharedKey: Uint8Array;
  /** How long an ended program is kept. */
  readonly keepMs: number;
}

export function createRunRecords({ store, sharedKey, keepMs }: RunRecordsOptions): RunRecords {
  const records = store.as(programsActor);
  const sealer = createMessageSealer(sharedKey);

  function seal(head: RunHead, content: RunContent): string {
    const packed = deflateRawSync(JSON.stringify(content)).toString("base64");
    const sealed = sealer.seal(placeOf(head), packed);
    if (sealed.length > maxSealed)
      throw new ToolError(
        "RESULT_TOO_LARGE",
        `The program holds too much data to be stored while it waits (${Math.ceil(sealed.length / 1_024)} kB; at most ${maxSealed / 1_024}). Keep only what is needed after the call in variables.`,
      );
    return sealed;
  }

  function open(head: RunHead, sealed: unknown): RunContent | undefined {
    const packed = sealer.open(placeOf(head), String(sealed));
    return packed === undefined ? undefined : (JSON.parse(inflateRawSync(Buffer.from(packed, "base64")).toString("utf8")) as RunContent);
  }

  return {
    async get(id) {
      const record = await records.get(id);
      if (record?.schema_name !== runSchema) return undefined;
      const head = headOf(record);
      const content = open(head, record.context["sealed"]);
      if (content === undefined) throw new ToolError("OUTCOME_UNKNOWN", changedText(id));
      return { ...head, content };
    },
    async list({ server, isOpen }) {
      const allTags = [
        ...(server === undefined ? [] : [`server:${server}`]),
        ...(isOpen === undefined ? [] : [isOpen ? "program:open" : "program:ended"]),
      ];
      const listed: ListedRun[] = [];
      for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
        const page = await records.search({ schema_name: runSchema, includeContext: true, limit: 500, allTags, ...(cursor && { cursor }) });
        for (const { context, ...record } of page.records) {
          if (context === undefined) continue;
          const head = headOf({ ...record, context });
          const content = open(head, context["sealed"]);
          // Without their states: there may be thousands.
          listed.push({ ...head, content: content && withoutState(content) });
        }
        cursor = page.cursor;
      }
      return listed;
    },
    async write({ id, status, server, callId, startedAt, updatedAt, content }, version, tx) {
      const isOpen = status === "waiting";
      const head = { id, version: (version ?? 0) + 1, status, server, callId, startedAt, updatedAt };
      const draft: BreadcrumbDraft = {
        id,
        schema_name: runSchema,
        title: `A program of ${content.caller.agent ?? "somebody"}`.slice(0, 200),
        tags: [isOpen ? "program:open" : "program:ended", ...(isOpen ? [`server:${server}`] : [])],
        context: { status, server, callId, startedAt, updatedAt, sealed: seal(head, content) },
        visibility: "private",
        sensitivity: "pii",
        ...(version !== undefined && { version }),
        ...(!isOpen && { ttl: { afterMs: keepMs } }),
      };
      const written = await (tx === undefined ? records : tx.as(programsActor)).put(draft);
      return written.ok ? written.record.version : undefined;
    },
  };
}

/** What is left of a program that ended. */
export function withoutState(content: RunContent): RunContent {
  const { state: _, ...rest } = content;
  return rest;
}

/** What is readable of a record belongs to what is sealed: neither can be changed, nor put back, without the other. */
function placeOf({ id, version, status, server, callId, startedAt, updatedAt }: RunHead): string {
  return JSON.stringify([id, version, status, server, callId, startedAt, updatedAt]);
}

const maxSealed = 900 * 1_024;

export function changedText(id: string): string {
  return `The stored program "${id}" was changed by somebody else than this server, or sealed with another key, and does not go on. Run it again.`;
}

function headOf({ id, version, context }: Pick<Breadcrumb, "id" | "version"> & { readonly context: JsonObject }): RunHead {
  const { status, server, callId, startedAt, updatedAt } = context as unknown as StoredRun;
  return {
    id,
    version,
    status,
    server: String(server),
    callId: String(callId),
    startedAt: Number(startedAt),
    updatedAt: Number(updatedAt),
  };
}

/** The record of the program that a call runs. */
export function runIdOf(callId: string): string {
  return `program-${callId}`;
}
