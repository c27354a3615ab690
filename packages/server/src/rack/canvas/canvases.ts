import type { Caller } from "@toolrack/core";

/** Pages that agents show to people. */
export interface Canvases {
  /** The newest first. */
  list(): readonly ShownCanvas[];
  get(id: string): ShownCanvas | undefined;
  /** False if there is none. */
  remove(id: string): Promise<boolean>;
}

export interface ShownCanvas {
  /** Among the canvases of all callers. */
  readonly id: string;
  /** As its maker names it. */
  readonly name: string;
  readonly title: string;
  readonly caller: Caller;
  readonly updatedAt: number;
  /** A whole document for the `srcdoc` of a frame with an empty `sandbox`: it loads nothing and runs nothing. */
  readonly document: string;
}
