import type { ToolDefinition } from "@toolrack/core";

/** What an overlay is above. */
export interface Overlaid {
  readonly sourceId: string;
  /** The name that the tool has without the overlay. */
  readonly listedAs: string;
}

const overlaid = new WeakMap<object, Overlaid>();

export function noteOverlaid(tool: ToolDefinition, below: Overlaid): void {
  overlaid.set(tool, below);
}

/** Undefined for a tool without an overlay. */
export function overlaidOf(tool: object): Overlaid | undefined {
  return overlaid.get(tool);
}
