import type { CallContext } from "@toolrack/core";

/**
 * Where canvases are kept and shown to people.
 * Contract: a caller sees and changes its own canvases alone. What is given is a whole document of `toCanvasDocument`, which loads nothing and runs
 * nothing; whoever shows it puts it into a frame with `sandbox`, and with nothing allowed.
 */
export interface CanvasHost {
  /** Creates or replaces it. Throws RATE_LIMITED where the caller has as many as it may have. */
  put(context: CallContext, canvas: NewCanvas): Promise<Canvas>;
  get(context: CallContext, id: string): Promise<Canvas | undefined>;
  /** The newest first. */
  list(context: CallContext): Promise<readonly CanvasInfo[]>;
  /** False if there is none. */
  remove(context: CallContext, id: string): Promise<boolean>;
}

export interface NewCanvas {
  readonly id: string;
  readonly title: string;
  readonly document: string;
}

export interface CanvasInfo {
  readonly id: string;
  readonly title: string;
  /** ISO 8601. */
  readonly updatedAt: string;
}

export interface Canvas extends CanvasInfo {
  readonly document: string;
}
