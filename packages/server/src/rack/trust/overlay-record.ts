import { createHash } from "node:crypto";
import type { Breadcrumb } from "@toolrack/store";
import type { ToolOverlay } from "../../config/overlay.ts";
import type { AuthorRole } from "../audit/author.ts";
import type { NamedBy } from "./overlay-names.ts";

export const schemaName = "tool.overlay.v1";

/** What is stored of an overlay. That of the file is stored as well, with the fields that were below it. */
export interface OverlayRecord extends SaidOverlay {
  readonly sourceId: string;
  readonly source: string;
  readonly tool: string;
  readonly isFromFile: boolean;
  /** What an admin said before a curator said more: it still holds, and comes back when the curator's is removed. */
  readonly under?: SaidOverlay;
}

/** What one person said. */
export interface SaidOverlay {
  readonly overlay: ToolOverlay;
  readonly below: Readonly<Record<string, string>>;
  readonly by: string;
  /** Absent in records of older versions, which no curator replaces, and in those of the file. */
  readonly byRole?: AuthorRole;
  /** For the name and the groups, which only an admin changes. */
  readonly namedBy?: NamedBy;
  /** Where an admin let it allow more than the file does, as JSON pointers into the overlay. */
  readonly loosens?: readonly string[];
  readonly reason?: string;
}

export function contextOf({ context }: Breadcrumb): OverlayRecord {
  return context as unknown as OverlayRecord;
}

/** One record for each tool of a source; those of the file are kept apart from those of people. */
export function idOf(sourceId: string, tool: string, isFromFile: boolean): string {
  return `overlay-${isFromFile ? "file-" : ""}${createHash("sha256")
    .update(JSON.stringify([sourceId, tool]))
    .digest("hex")
    .slice(0, 40)}`;
}
