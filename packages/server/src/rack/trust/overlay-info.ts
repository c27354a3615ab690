import type { AnyTool } from "@toolrack/core";
import { type Breadcrumb } from "@toolrack/store";
import type { ToolOverlay } from "../../config/overlay.ts";
import { fieldsBelow } from "./overlay-apply.ts";
import type { ToolOrigin } from "./overlay-origins.ts";
import { contextOf } from "./overlay-record.ts";

/** An overlay, as operators see it. */
export interface OverlayInfo extends ToolOrigin {
  readonly sourceId: string;
  /** The name here. */
  readonly shownAs: string;
  /** What holds: the record together with the file, and with what an admin said before. */
  readonly overlay: ToolOverlay;
  /** "toolrack.config.yaml:12", or "record overlay-… v3". */
  readonly origin: string;
  /** The line of the configuration file that the record is laid over. */
  readonly over?: string;
  /** Where it allows what the file, or what was said before, does not, as JSON pointers into the overlay: "/parameters/path/value". */
  readonly loosens: readonly string[];
  /** "unfit": it cannot be applied, so the tool is not served. "unused": its source does not list the tool now. */
  readonly state: "applied" | "stale" | "unfit" | "unused";
  /** Fields of the original that changed after the overlay was made, as JSON pointers. */
  readonly stale: readonly string[];
  readonly problem?: string;
  /** Its name and groups do not count for `allow`, because no admin made or confirmed it. */
  readonly unconfirmed?: true;
  readonly by?: string;
  readonly at?: string;
  readonly reason?: string;
}

/** The fields below an overlay that changed after it was made; those below what an admin said before as well. */
export function staleIn(shape: AnyTool, record: Breadcrumb | undefined): readonly string[] {
  if (record === undefined) return [];
  const { under, ...last } = contextOf(record);
  return [last, under].flatMap((said) => {
    const now = said === undefined ? {} : fieldsBelow(shape, said.overlay);
    return Object.keys(now).filter((pointer) => said!.below[pointer] !== now[pointer]);
  });
}

/** Of a record whose source does not list the tool now. */
export function unusedInfo(record: Breadcrumb): OverlayInfo {
  const { sourceId, source, tool, overlay, by, loosens = [] } = contextOf(record);
  const origin = `record ${record.id} v${record.version}`;
  const shownAs = overlay.name ?? tool;
  return { sourceId, source, tool, shownAs, overlay, origin, loosens, state: "unused", stale: [], by, at: record.updated_at };
}
