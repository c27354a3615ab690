import type { Caller } from "@toolrack/core";
import type { RequestGuard } from "@toolrack/core/internal";
import type { ServerInfo } from "../../wire/protocol.ts";
import type { ClientRequests } from "../questions/client-requests.ts";
import type { Changes } from "../changes/changes.ts";
import type { Methods } from "../methods.ts";
import type { Results } from "../results.ts";
import type { Sessions } from "./sessions/sessions.ts";
import type { StreamIds } from "./streams/stream-ids.ts";
import type { Streams } from "./streams/streams.ts";

/** What the handlers of both eras share. */
export interface HttpParts {
  readonly methods: Methods;
  readonly results: Results;
  readonly changes: Changes;
  /** Absent: legacy clients get no session, and features that need one are not offered. */
  readonly sessions: Sessions | undefined;
  readonly clientRequests: ClientRequests;
  readonly streams: Streams;
  readonly streamIds: StreamIds;
  readonly guard: RequestGuard;
  /** How many JSON values a message may have. */
  readonly maxBodyValues: number;
  readonly serverInfo: ServerInfo;
  readonly instructionsFor: (caller: Caller) => string | undefined;
}
