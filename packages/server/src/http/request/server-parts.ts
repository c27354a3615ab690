import type { Metrics } from "../../telemetry/metrics/metrics.ts";
import type { CallFeed } from "../../feed/call-feed.ts";
import type { OwnerSessions } from "../sign-in/owner-sessions.ts";

/** What a running server has beside its rack, for the routes that tell about it. */
export interface ServerParts {
  readonly metrics: Metrics;
  /** The calls of every server on the same store, as they are recorded. */
  readonly callFeed: CallFeed;
  /** How the owner signs in to the console. */
  readonly sessions: OwnerSessions;
  /** Whether the server is about to stop: it still answers, and is not ready for more. */
  isDraining(): boolean;
}
