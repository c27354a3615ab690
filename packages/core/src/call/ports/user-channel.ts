import type { Caller } from "../../tool/context.ts";
import type { ToolSuccess } from "../../tool/result.ts";

/** A result that is for the person. */
export interface ResultForUser {
  readonly callId: string;
  readonly tool: string;
  /** For whom the call was made: its agent, session and sender say to whom the result is shown. */
  readonly caller: Caller;
  readonly result: ToolSuccess;
}

/** Shows results to the person, past the model. */
export interface UserChannel {
  /** Called once the call is recorded. If it throws or rejects, the model is told that the result was not shown, and the log why. */
  show(shown: ResultForUser): void | Promise<void>;
}
