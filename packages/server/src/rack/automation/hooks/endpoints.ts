import type { Job } from "@toolrack/store";
import type { Author } from "../../audit/author.ts";
import type { EventSelector } from "../events/event.ts";
import type { PausedBy } from "../kept.ts";

/** The kind of the jobs that send. */
export const deliveryKind = "delivery";

/** Webhooks that this server sends: events, signed, to a URL. */
export interface Endpoints {
  /** By id. */
  list(): Promise<readonly EndpointInfo[]>;
  get(id: string): Promise<EndpointInfo | undefined>;
  /** Throws CONFIG_INVALID for one that cannot be. The secret is shown only now. */
  add(id: string, spec: unknown, by: Author): Promise<EndpointInfo & { readonly secret: string }>;
  /** Undefined if there is none. Events that happen while it is paused are not sent later. */
  pause(id: string, by: Author): Promise<EndpointInfo | undefined>;
  /** Also after its receiver answered 410. */
  resume(id: string, by: Author): Promise<EndpointInfo | undefined>;
  /** A new secret; until `overlapMs` are over, messages are signed with the old one as well. */
  rotate(id: string, overlapMs: number, by: Author): Promise<(EndpointInfo & { readonly secret: string }) | undefined>;
  /** Sends an event of the type "test". Returns the id of the delivery. */
  test(id: string, by: Author): Promise<{ readonly delivery: string } | undefined>;
  remove(id: string, by: Author): Promise<boolean>;
  /** The newest first. */
  deliveries(
    id: string,
    query: { readonly state?: Job["state"]; readonly after?: string; readonly limit?: number },
  ): Promise<readonly DeliveryInfo[]>;
  /** Sends a dead one again, with the same id. Undefined if there is none. */
  replay(id: string, delivery: string, by: Author): Promise<DeliveryInfo | undefined>;
}

export interface EndpointSpec {
  readonly url: string;
  readonly on: EventSelector;
  readonly description?: string;
}

/** "disabled": its receiver answered that it is gone. */
export type EndpointState = "active" | "paused" | "disabled";

export interface EndpointInfo {
  readonly id: string;
  readonly spec: EndpointSpec;
  readonly state: EndpointState;
  readonly reason?: string;
  readonly pausedBy?: PausedBy;
  readonly madeBy: string;
  readonly madeAt: number;
  readonly origin: string;
  /** The names of its secrets, with the end of those that were replaced. */
  readonly secrets: readonly { readonly name: string; readonly until?: number }[];
  readonly health: EndpointHealth;
}

/** Of its latest hundred deliveries. */
export interface EndpointHealth {
  readonly state: "unused" | "healthy" | "failing";
  readonly delivered: number;
  readonly waiting: number;
  readonly dead: number;
  readonly lastDeliveredAt?: number;
  readonly lastError?: string;
}

export interface DeliveryInfo {
  readonly id: string;
  readonly endpoint: string;
  /** What the receiver knows it by: `webhook-id`. */
  readonly messageId: string;
  readonly type: string;
  readonly state: Job["state"];
  readonly attempt: number;
  readonly createdAt: number;
  /** When it is tried next, while it waits. */
  readonly dueAt: number;
  readonly endedAt?: number;
  /** The status that the receiver answered. */
  readonly status?: number;
  readonly error?: string;
}
