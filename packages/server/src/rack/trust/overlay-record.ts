import { createHash } from "node:crypto";
import type { Breadcrumb } from "@toolrack/store";
import type { ToolOverlay } from "../../config/overlay.ts";
import type { AuthorRole } from "../audit/author.ts";
import type { NamedBy } from "./overlay-names.ts";

export const schemaName = "tool.overlay.v1";

/** What is stored of an overlay. That of the file is stored as well, with the fields that were below it. */
export interface OverlayRecord {
  readonly sourceId: string;
  readonly source: string;
  readonly tool: string;
  readonly isFromFile: boolean;
  readonly overlay: ToolOverlay;
  readonly below: Readonly<Record<string, string>>;
  readonly by: string;
  /** Absent in records of older versions, which count as those of a curator, and in those of the file. */
  readonly byRole?: AuthorRole;
  /** For the name and the groups, which only an admin changes. */
  readonly namedBy?: NamedBy;
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
