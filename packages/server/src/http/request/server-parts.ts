import type { Metrics } from "../../telemetry/metrics/metrics.ts";
import type { CallFeed } from "../../rack/calls/call-feed.ts";
import type { AgentSessions } from "../sign-in/agent-sessions.ts";
import type { OwnerSessions } from "../sign-in/owner-sessions.ts";

/** Parts of a running server in addition to its rack, for routes that report about it. */
export interface ServerParts {
  readonly metrics: Metrics;
  /** The calls of every server on the same store, as they are recorded. */
  readonly callFeed: CallFeed;
  /** How the owner signs in to the console. */
  readonly sessions: OwnerSessions;
  readonly agentSessions: AgentSessions;
  /** What shows that this is the server that announced itself on this machine; undefined if it did not. */
  prove(challenge: string): string | undefined;
  /** Whether the server is about to stop: it still answers, but is not ready. */
  isDraining(): boolean;
}
