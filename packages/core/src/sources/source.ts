import type { Caller } from "../tool/context.ts";
import type { AnyTool } from "../tool/shapes.ts";
import type { AbortSignal } from "../util/abort-signal.ts";

/**
 * Where tools come from: code, plugins, stored records, MCP servers …
 * Contract: `list` answers the whole list as it is now, in a stable order, with each tool that did not change as the same object;
 * a failing `list` is a thrown error or a rejected promise, never a short list, and an aborted one settles; `watch` reports
 * that the list may have changed, and nothing after the returned function was called.
 */
export interface ToolSource {
  /** Shown as the origin of each tool; unique within a registry. */
  readonly id: string;
  /** Identifies what is behind the id, such as the program or the address. If it changes, earlier approvals are no longer valid. */
  readonly identity?: string;
  list(options: { readonly signal: AbortSignal }): readonly AnyTool[] | Promise<readonly AnyTool[]>;
  /** Tools that exist for some callers only: those of a channel, for instance. Returns at once; called again when anything changed. */
  listFor?(caller: Caller): readonly AnyTool[];
  /**
   * A registry calls `list` before `onChange` returns, or, while it is reading the list, once more after that. A source around another one has
   * to hold that, too: it calls the inner `list` before anything that waits.
   */
  watch?(onChange: () => void): () => void;
  close?(): void | Promise<void>;
}

/** How a source is doing; its tools stay as they last were while it fails. */
export interface SourceStatus {
  readonly id: string;
  readonly state: "ready" | "failed";
  /** The names of the tools in the registry that come from this source. */
  readonly tools: readonly string[];
  /** Why `list` failed last. */
  readonly error?: string;
  /** One line for each tool that was left out alone, or shown otherwise than the source has it, with the reason. */
  readonly problems: readonly string[];
  /** When the list was read last, in milliseconds since 1970. */
  readonly readAt?: number;
  /** Of a source that failed: when it is read again, in milliseconds since 1970. */
  readonly retryAt?: number;
}
