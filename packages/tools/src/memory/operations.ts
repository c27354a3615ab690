import type { CallContext } from "@toolrack/core";
import type { BreadcrumbClient } from "../operations/breadcrumbs.ts";
import type { Embed } from "../operations/embed.ts";
import type { NoteOperations } from "../operations/notes.ts";

/** Where memories are, and how they are compared. */
export interface MemoryOperations {
  readonly notes?: NoteOperations;
  /** The records of a call, seen with its caller's eyes; undefined where there are none. */
  breadcrumbs(context: CallContext): BreadcrumbClient | undefined | Promise<BreadcrumbClient | undefined>;
  /** Absent: words alone decide. */
  readonly embed?: Embed;
}
