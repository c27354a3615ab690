import { ToolError } from "@toolrack/core";

/** The position of a reader: the number of the last change of a record, and of the last recorded call. */
export interface FeedPosition {
  readonly change: number;
  readonly call: number;
}

/** { change: 12, call: 40 } → "12.40" */
export function toEventId({ change, call }: FeedPosition): string {
  return `${change}.${call}`;
}

export function readEventId(id: string): FeedPosition {
  const parts = /^(\d{1,15})\.(\d{1,15})$/.exec(id);
  if (parts !== null) return { change: Number(parts[1]), call: Number(parts[2]) };
  throw new ToolError("INPUT_INVALID", `"${id.slice(0, 40)}" is not the id of an event. Ids look like "12.40"; leave it out to begin now.`);
}
