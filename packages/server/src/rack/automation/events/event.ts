import { ToolError } from "@toolrack/core";
import { type Breadcrumb, type JsonObject, meetsSearch, type Selector, StoreError } from "@toolrack/store";
import { type EventType, eventTypes } from "../../../config/automation.ts";

/** Each has numbers of its own. */
export const streamNames = ["records", "approvals", "calls"] as const;
export type StreamName = (typeof streamNames)[number];
export type Positions = Readonly<Record<StreamName, number>>;

const ofRecord = ["sequence", "record"];

/** The members of the data of each event: what a mapping can name, and a receiver gets. */
export const eventMembers: Readonly<Record<EventType, readonly string[]>> = {
  "record-created": ofRecord,
  "record-updated": ofRecord,
  "record-deleted": ofRecord,
  "record-expired": ofRecord,
  "call-end": ["callId", "tool", "ok", "code", "durationMs", "startedAt", "agent", "parentCallId"],
  "result-for-user": ["callId", "tool", "for", "at", "output", "blocks"],
  "approval-waiting": ["approval", "tool", "message", "agent", "askedAt", "expiresAt", "next"],
  "configuration-missing": ["secret", "tools", "title", "next"],
};

/** Something that happened. The same on every server of the store. */
export interface StoredEvent {
  /** "records.120" */
  readonly id: string;
  readonly type: EventType;
  readonly stream: StreamName;
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** What a tool or a receiver gets. */
  readonly data: JsonObject;
  readonly record?: Breadcrumb;
  /** For the end of a call. */
  readonly tool?: string;
  readonly agent?: string;
  /** Who did it, as the store names agents. */
  readonly author?: string;
  /** The agent that did it: for an admin that acts as another agent, that other one. */
  readonly actor?: string;
  /** How many jobs led to it, if that is known. */
  readonly depth?: number;
}

/** Which events are meant; every part that is given must hold. The parts for records are those of every selector. */
export interface EventSelector extends Selector {
  readonly types?: readonly EventType[];
  /** Only ends of calls of this tool. */
  readonly tool?: string;
  /** Only ends of calls of this agent. */
  readonly agent?: string;
}

/** Throws CONFIG_INVALID for a selector that could match nothing, or that means everything. */
export function checkSelector(noun: string, id: string, selector: EventSelector): void {
  const wrong = (fact: string): ToolError => new ToolError("CONFIG_INVALID", `The ${noun} "${id}" is wrong: ${fact}`);
  const { types, tool, agent, ...records } = selector;
  const choosesRecords = Object.keys(records).length > 0;
  const choosesCalls = tool !== undefined || agent !== undefined;
  if (types === undefined && !choosesRecords && !choosesCalls) throw wrong(`Say which events it is for: "types", "tool" or "schema_name".`);
  if (choosesRecords && choosesCalls)
    throw wrong("tool and agent choose ends of calls, and the other parts choose records. Make two of it.");
  try {
    if (choosesRecords) meetsSearch(sampleRecord, records);
  } catch (error) {
    throw StoreError.is(error) ? wrong(error.message) : error;
  }
  if (typesOf(selector).length === 0) throw wrong("No event has one of its types and all of its other parts.");
}

/** The types that a selector can match. */
export function typesOf({ types, tool, agent, ...records }: EventSelector): readonly EventType[] {
  const isRecords = Object.keys(records).length > 0;
  const isCalls = tool !== undefined || agent !== undefined;
  return eventTypes.filter((type) => {
    if (!isNamed(types, type)) return false;
    if (isCalls) return isOfCall(type);
    if (isRecords) return type.startsWith("record-");
    return true;
  });
}

export function streamOf(type: EventType): StreamName {
  return isOfCall(type) ? "calls" : type === "approval-waiting" ? "approvals" : "records";
}

export function matches(selector: EventSelector, event: StoredEvent): boolean {
  const { types, tool, agent, ...records } = selector;
  if (!isNamed(types, event.type)) return false;
  if (tool !== undefined && event.tool !== tool) return false;
  if (agent !== undefined && (!isOfCall(event.type) || event.agent !== agent)) return false;
  if (Object.keys(records).length === 0) return true;
  return event.type.startsWith("record-") && event.record !== undefined && meetsSearch(event.record, records);
}

function isOfCall(type: EventType): boolean {
  return type === "call-end" || type === "result-for-user";
}

/** Without types, all of them are meant but the one that holds what tools returned: that has to be named. */
function isNamed(types: readonly EventType[] | undefined, type: EventType): boolean {
  return types === undefined ? type !== "result-for-user" : types.includes(type);
}

/** To find out whether a selector can be read, and what it chooses. */
export const sampleRecord: Breadcrumb = {
  owner: "sample",
  id: "sample",
  schema_name: "sample.v1",
  title: "",
  tags: [],
  context: {},
  version: 1,
  checksum: "",
  created_at: "1970-01-01T00:00:00.000Z",
  created_by: "sample",
  updated_at: "1970-01-01T00:00:00.000Z",
  updated_by: "sample",
  updated_as: "emitter",
  visibility: "private",
  sensitivity: "low",
};
