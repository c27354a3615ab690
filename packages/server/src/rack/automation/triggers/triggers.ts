import type { Caller } from "@toolrack/core";
import type { Breadcrumb, JsonObject } from "@toolrack/store";
import type { EventType } from "../../../config/automation.ts";
import type { Author } from "../../audit/author.ts";
import type { EventSelector } from "../events/event.ts";
import type { InputMapping } from "../events/mapping.ts";
import type { PausedBy } from "../kept.ts";
import type { Maker } from "../maker.ts";

/** Calls that events make. */
export interface Triggers {
  /** By id. */
  list(): readonly TriggerInfo[];
  get(id: string): TriggerInfo | undefined;
  /** Throws CONFIG_INVALID for a trigger that cannot be. */
  add(trigger: NewTrigger): Promise<TriggerInfo>;
  /** Undefined if there is none. Events that happen while it is paused are not made up for. */
  pause(id: string, by: Author): Promise<TriggerInfo | undefined>;
  resume(id: string, by: Author): Promise<TriggerInfo | undefined>;
  remove(id: string, by: Author): Promise<boolean>;
  /** What it would do with an event now. Nothing is called. Undefined if there is none. */
  test(id: string, event: SampleEvent): Promise<TriggerTest | undefined>;
}

/** An event as a trigger would get it, as far as somebody says it. */
export interface SampleEvent {
  /** @default the first type that the trigger waits for */
  readonly type?: EventType;
  readonly record?: Partial<Pick<Breadcrumb, "schema_name" | "title" | "tags" | "context">>;
  readonly tool?: string;
  readonly agent?: string;
  readonly [member: string]: unknown;
}

export interface TriggerTest {
  /** Whether its selector chooses the event. */
  readonly isChosen: boolean;
  /** What the tool would be called with. */
  readonly input?: JsonObject;
  /** Why nothing would be called. */
  readonly fault?: string;
}

/** Which events call which tool. */
export interface TriggerSpec {
  readonly on: EventSelector;
  readonly tool: string;
  /** @default the event itself is the input */
  readonly input?: InputMapping;
  /** Whether what the agent that it runs as does itself counts. @default false */
  readonly ownEvents?: boolean;
  /** More events in a minute pause it. @default 60 */
  readonly perMinute?: number;
  readonly description?: string;
}

export interface NewTrigger {
  readonly id: string;
  readonly spec: unknown;
  /** Who makes it: its calls have no more rights, and are never those of the owner. */
  readonly caller: Caller;
  readonly by: Author;
}

export interface TriggerInfo {
  readonly id: string;
  readonly spec: TriggerSpec;
  readonly state: "active" | "paused";
  /** Why it is paused. */
  readonly reason?: string;
  readonly pausedBy?: PausedBy;
  /** As whom its calls run. */
  readonly runsAs: Maker;
  readonly madeBy: string;
  readonly madeAt: number;
  readonly origin: string;
  /** The latest event that gave no job on this server, and why. */
  readonly problem?: { readonly event: string; readonly at: number; readonly reason: string };
  /** How many of the events that it chooses called nothing on this server since it started, and the latest of them. */
  readonly skipped?: { readonly count: number; readonly event: string; readonly at: number; readonly reason: string };
}
