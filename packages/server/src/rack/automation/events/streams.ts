import { shellWord } from "@toolrack/core/internal/shell-word";
import type { Breadcrumb, BreadcrumbStore, Change, JsonObject } from "@toolrack/store";
import { approvalSchema } from "../../approvals/approvals.ts";
import type { CallFeed, FedCall } from "../../calls/call-feed.ts";
import type { ShownResult } from "../../calls/user-channel.ts";
import { agentNameOf, storeAgentOf } from "../../access/store-agent.ts";
import { depthOf } from "../call-jobs.ts";
import type { StoredEvent, StreamName } from "./event.ts";

/** One ordered, stored source of events. */
export interface EventStream {
  /** The number of the newest event. */
  last(): Promise<number>;
  /** Every event after a number, as it happens, until the signal. A number without an event that anybody can wait for has none. */
  after(number: number, signal: AbortSignal): AsyncIterable<{ readonly number: number; readonly events: readonly StoredEvent[] }>;
}

export interface StreamsOptions {
  /** The records of people and agents. */
  readonly store: BreadcrumbStore;
  /** The server's own records. */
  readonly inner: BreadcrumbStore;
  readonly callFeed: CallFeed;
}

export function createStreams({ store, inner, callFeed }: StreamsOptions): Readonly<Record<StreamName, EventStream>> {
  return {
    records: {
      last: () => store.sequence(),
      async *after(since, signal) {
        for await (const change of store.changes({ since, signal })) yield { number: change.sequence, events: ofRecord(change) };
      },
    },
    approvals: {
      last: () => inner.sequence(),
      async *after(since, signal) {
        const selector = { schema_name: approvalSchema };
        for await (const change of inner.changes({ since, signal, selector }))
          yield { number: change.sequence, events: ofApproval(change) };
      },
    },
    calls: {
      last: () => callFeed.last(),
      async *after(since, signal) {
        for await (const call of callFeed.after(since, signal)) {
          const result = await callFeed.forUser(call, signal);
          const end = ofCall(call);
          yield { number: call.number, events: result === undefined ? [end] : [end, ofResult(result, end)] };
        }
      },
    },
  };
}

function ofRecord({ sequence, type, record }: Change): readonly StoredEvent[] {
  const event: StoredEvent = {
    id: `records.${sequence}`,
    type: `record-${type}`,
    stream: "records",
    number: sequence,
    at: Date.parse(record.updated_at),
    data: { sequence, record: shown(record) },
    record,
    author: record.updated_by,
    actor: record.updated_agent ?? record.updated_by,
  };
  const missing = missingConfiguration({ sequence, type, record });
  return missing === undefined ? [event] : [event, missing];
}

/** A secret is kept by name only; what is private stays here, and a receiver asks for it with its own rights. */
function shown(record: Breadcrumb): JsonObject {
  const { id, schema_name, title, tags, version, created_at, created_by, updated_at, updated_by, visibility, sensitivity } = record;
  const about = { id, schema_name, title, tags, version, created_at, created_by, updated_at, updated_by, visibility, sensitivity };
  return sensitivity === "low" ? { ...about, context: record.context } : { ...about, isContextLeftOut: true };
}

function missingConfiguration({ sequence, type, record }: Pick<Change, "sequence" | "type" | "record">): StoredEvent | undefined {
  const { secret, tools, state } = record.context;
  if (record.schema_name !== "tool.config.request.v1" || state !== "open" || (type !== "created" && type !== "updated")) return undefined;
  return {
    id: `configuration.${sequence}`,
    type: "configuration-missing",
    stream: "records",
    number: sequence,
    at: Date.parse(record.updated_at),
    data: { secret, tools, title: record.title, next: `Set it with: toolrack secrets set ${shellWord(String(secret))}` },
  };
}

function ofApproval({ sequence, type, record }: Change): readonly StoredEvent[] {
  const { state, tool, message, caller, askedAt, expiresAt } = record.context;
  if (type !== "created" || state !== "waiting") return [];
  const agent = (caller as { readonly agent?: string } | undefined)?.agent;
  return [
    {
      id: `approvals.${sequence}`,
      type: "approval-waiting",
      stream: "approvals",
      number: sequence,
      at: Date.parse(record.updated_at),
      // Arguments may hold anything, and are looked at here.
      data: { approval: record.id, tool, message, agent, askedAt, expiresAt, next: "Answer it with: toolrack approvals" },
    },
  ];
}

function ofResult(result: ShownResult, end: StoredEvent): StoredEvent {
  return { ...end, id: `results.${end.number}`, type: "result-for-user", at: result.at, data: { ...result } };
}

function ofCall({ number, callId, tool, ok, code, durationMs, startedAt, caller, parentCallId }: FedCall): StoredEvent {
  const { agent } = caller;
  const depth = depthOf(caller);
  return {
    id: `calls.${number}`,
    type: "call-end",
    stream: "calls",
    number,
    at: startedAt + durationMs,
    data: {
      callId,
      tool,
      ok,
      ...(code !== undefined && { code }),
      durationMs,
      startedAt,
      ...(agent !== undefined && { agent }),
      ...(parentCallId !== undefined && { parentCallId }),
    },
    tool,
    ...(agent !== undefined && { agent }),
    author: storeAgentOf(caller),
    actor: agentNameOf(caller),
    ...(depth !== undefined && { depth }),
  };
}
