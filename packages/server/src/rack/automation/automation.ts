import type { Endpoints } from "./hooks/endpoints.ts";
import type { Receivers } from "./hooks/receivers.ts";
import type { Schedules } from "./schedules/schedules.ts";
import type { Triggers } from "./triggers/triggers.ts";

/** What runs by itself: at times, after events, on requests of other systems; and what is told to other systems. */
export interface Automation {
  readonly schedules: Schedules;
  readonly triggers: Triggers;
  /** Webhooks that are sent. */
  readonly endpoints: Endpoints;
  /** Webhooks that are taken. */
  readonly receivers: Receivers;
}
