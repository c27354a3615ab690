import { shellWord } from "@toolrack/core/internal/shell-word";
import type { ToolLimits, ToolSource } from "@toolrack/core";
import { type Breadcrumb, StoreError } from "@toolrack/store";
import type { ToolOverlay } from "../../config/overlay.ts";
import { type Author, type AuthorRole, roleOf } from "../audit/author.ts";
import { loosenedBy, mergeOverlays } from "./overlay-merge.ts";
import { type Names, unconfirmedNames } from "./overlay-names.ts";
import { sourceIdentity } from "./overlay-origins.ts";
import { contextOf, type OverlayRecord, type SaidOverlay } from "./overlay-record.ts";

/** What the configuration says of a tool, and what is stored of that. */
export interface FileOverlay {
  readonly overlay: ToolOverlay;
  readonly origin: string;
  readonly record?: Breadcrumb | undefined;
}

/** The overlay of a tool: what the file, an admin and a curator say, in this order. Each of them only tightens what is said before, or an admin let it loosen that. */
export interface ChosenOverlay {
  /** All of it together. */
  readonly overlay: ToolOverlay;
  /** The last that says something. */
  readonly origin: string;
  /** Of a person, else what is stored of that of the file. */
  readonly record?: Breadcrumb | undefined;
  readonly file: FileOverlay | undefined;
  /** Where it allows what the file does not, as JSON pointers. */
  readonly loosens: readonly string[];
  /** Where the record would allow what is said before: there it has no effect. */
  readonly ignored: readonly string[];
  /** The name and the groups that no admin stands for. */
  readonly unconfirmed: Names;
}

export function layOver(file: FileOverlay | undefined, record: Breadcrumb | undefined, limits: ToolLimits): ChosenOverlay | undefined {
  if (record === undefined) return file && { ...file, file, loosens: [], ignored: [], unconfirmed: {} };
  const said = contextOf(record);
  const base = laid(file, said.under, limits);
  const overlay = lay(base, said, limits);
  const loosened = loosenedBy(base, overlay, limits);
  return {
    overlay,
    origin: `record ${record.id} v${record.version}`,
    record,
    file,
    loosens: loosenedBy(file?.overlay ?? {}, overlay, limits),
    ignored: whereLoose(base, said.overlay, limits).filter((pointer) => !loosened.includes(pointer)),
    unconfirmed: mergeNames(said.under && unconfirmedIn(said.under, file?.overlay), unconfirmedIn(said, base)),
  };
}

function unconfirmedIn({ overlay, namedBy }: SaidOverlay, base: ToolOverlay | undefined): Names {
  return unconfirmedNames({ ...overlay, namedBy }, base);
}

function mergeNames(under: Names = {}, over: Names): Names {
  const groups = [...(under.groups ?? []), ...(over.groups ?? [])];
  return { ...under, ...over, ...(groups.length > 0 && { groups }) };
}

/** What two people said, as one of them who is an admin says it. */
export function asOne(record: OverlayRecord): OverlayRecord {
  const { under, ...said } = record;
  if (under === undefined) return said;
  const overlay = mergeOverlays(under.overlay, said.overlay, { mayLoosen: said.loosens ?? [] });
  return { ...said, overlay, ...(under.loosens && { loosens: under.loosens }) };
}

/** What somebody with this role may only tighten: the file, and for a curator what an admin said. */
export function baseFor(
  role: AuthorRole,
  file: FileOverlay | undefined,
  record: Breadcrumb | undefined,
  limits: ToolLimits,
): { readonly overlay: ToolOverlay; readonly under: SaidOverlay | undefined } {
  const under = role === "admin" || record === undefined ? undefined : heldFor(record);
  return { overlay: laid(file, under, limits), under };
}

/** Where this overlay allows what `base` does not, as JSON pointers. */
export function whereLoose(base: ToolOverlay, over: ToolOverlay, limits: ToolLimits): readonly string[] {
  return loosenedBy(base, mergeOverlays(base, over, { mayLoosen: "everything", limits }), limits);
}

/** What a curator can neither replace nor remove. */
function heldFor(record: Breadcrumb): SaidOverlay | undefined {
  const { under, overlay, below, by, byRole, namedBy, loosens, reason } = contextOf(record);
  if (byRole === "curator") return under;
  return {
    overlay,
    below,
    by,
    ...(byRole !== undefined && { byRole }),
    ...(namedBy !== undefined && { namedBy }),
    ...(loosens !== undefined && { loosens }),
    ...(reason !== undefined && { reason }),
  };
}

/** What somebody said, over the file. */
export function laid(file: FileOverlay | undefined, said: SaidOverlay | undefined, limits: ToolLimits): ToolOverlay {
  return lay(file?.overlay ?? {}, said, limits);
}

function lay(base: ToolOverlay, said: SaidOverlay | undefined, limits: ToolLimits): ToolOverlay {
  return said === undefined ? base : mergeOverlays(base, said.overlay, { mayLoosen: said.loosens ?? [], limits });
}

/** The refusal of somebody other than an admin. */
export function onlyAdmin(tool: string, loosens: readonly string[], said: string | undefined): StoreError {
  return new StoreError(
    "FORBIDDEN",
    `This overlay of "${tool}" would allow what ${said ?? "the configuration"} does not: ${loosens.join(", ")}. Only an admin may set that. Leave it out, or make it tighter.`,
  );
}

/** Throws FORBIDDEN where somebody other than an admin would let what an admin said hold for another server or program than it was said of. */
export function demandAdminForSource(source: ToolSource, record: Breadcrumb | undefined, by: Author): void {
  const held = record && heldFor(record);
  if (roleOf(by) === "admin" || held === undefined || contextOf(record!).source === sourceIdentity(source)) return;
  const { tool } = contextOf(record!);
  throw new StoreError(
    "FORBIDDEN",
    `What ${held.by} said of "${tool}" was said of another server or program than "${source.id}" is now. Only an admin lets it hold for this one: toolrack overlay confirm ${shellWord(tool)}`,
  );
}
