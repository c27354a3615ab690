import type { Progress } from "./context.ts";
import type { CallMeta, ToolResult } from "./result.ts";

/** What reading a handler's value needs from its call. */
export interface ReturningCall {
  readonly signal: AbortSignal;
  progress(update: Progress): void;
  meta(): CallMeta;
  /** The result whose text is its data as JSON: neither is larger than the other. */
  asJson?: ToolResult | undefined;
  /** Told the error that a handler returned, or that its stream threw. */
  noteThrown?(error: unknown): void;
}
