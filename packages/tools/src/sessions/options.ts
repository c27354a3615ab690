import type { OpenSessions } from "./host.ts";
import type { Redact } from "./redact.ts";

export interface SessionsToolsOptions {
  /** The sessions of a call, seen with its caller's eyes: `createMemorySessionsHost`, or those of a server. */
  readonly open: OpenSessions;
  /** Removes secrets whose values are known, in addition to those that can be told by their form. @default none is known */
  readonly redact?: Redact;
  /** For times such as "active in the last 10 minutes". @default the time of the machine */
  readonly now?: () => number;
}

/** The same with every option filled in, as the tools get it. */
export interface SessionsParts {
  readonly open: OpenSessions;
  readonly redact: Redact;
  readonly now: () => number;
}
