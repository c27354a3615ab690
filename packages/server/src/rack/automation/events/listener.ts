import type { EventType } from "../../../config/automation.ts";
import type { Positions, StoredEvent } from "./event.ts";

/** Something that waits for events: triggers, webhooks. */
export interface EventListener {
  /** The types that it waits for now, each with where it begins. */
  wanted(): readonly { readonly types: readonly EventType[]; readonly since: Positions }[];
  /** Called when that changed. */
  subscribe(listener: () => void): () => void;
  take(event: StoredEvent): Promise<void>;
}
