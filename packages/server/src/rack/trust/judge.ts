import { type AcceptedFinding, scanTool, type ScanFinding } from "@toolrack/core/scan";
import { type ChangeVerdict, definitionPrint, type DefinitionChange, diffDefinitions, withPinnedWhereAbsent } from "@toolrack/core/trust";
import { type Breadcrumb, isApprovedSeen, type JsonObject, upstreamOf } from "@toolrack/store";
import type { SeenTool } from "./seen.ts";
import type { SourceTrust } from "./source-trust.ts";
import { imitatedBy } from "./shadowing.ts";
import type { WaitingEffect } from "./trust.ts";

/** What is known when a tool is looked at. */
export interface Sight {
  readonly seen: SeenTool;
  /** Its record, if it was seen before. */
  readonly record: Breadcrumb | undefined;
  readonly trust: SourceTrust;
  /** Sentences about where it comes from: renamed, re-pointed, taken over. Such a tool waits even if nothing else is wrong with it. */
  readonly told: readonly string[];
  /** A person agreed to the source, and this is the first list of what they agreed to. */
  readonly isAgreed: boolean;
  /** Findings that a person accepted, bound to their texts: they count as infos. */
  readonly accept: readonly AcceptedFinding[];
  /** The tools of other sources. */
  readonly others: readonly { readonly name: string }[];
}

/** What follows for one tool. */
export interface Verdict {
  readonly print: string;
  /** What the print is of, and what is written where it is pinned or waits: the seen definition, with what it leaves out of the approved one. */
  readonly definition: JsonObject;
  /** What callers get: as the source sends it, as it was approved, or nothing. */
  readonly serve: "seen" | "approved" | "both" | "nothing";
  /** What is written: "pin" the definition as approved; "keep" nothing. */
  readonly write: "pin" | "keep";
  /** Why a person has to look at it. */
  readonly wait?: WaitFacts;
}

export interface WaitFacts {
  readonly reason: "new" | "changed";
  readonly told: readonly string[];
  readonly effect: WaitingEffect;
  readonly verdict?: ChangeVerdict;
  readonly changes: readonly DefinitionChange[];
  readonly findings: readonly ScanFinding[];
  readonly about: readonly string[];
}

/** Decides about a tool of a source that is not our own code. Pure. */
export function judge(sight: Sight): Verdict {
  const { record, seen, trust } = sight;
  // What no client gets can do no harm by its words: it is recorded, and only danger is worth a person's time.
  const look: Sight =
    seen.beside?.isPassedOn === false ? { ...sight, told: [], isAgreed: true, trust: { ...trust, change: "follow" } } : sight;
  return record === undefined || !isApprovedSeen(record) ? firstSight(look) : again(look, record);
}

function firstSight({ seen, trust, told, isAgreed, accept, others }: Sight): Verdict {
  const print = definitionPrint(seen.definition, seen.beside?.print);
  const findings = trust.first === "pin" && told.length === 0 ? [] : scanTool(seen.definition, { among: others, accept });
  const worst = findings[0]?.severity ?? "info";
  const isFine = isAgreed
    ? worst !== "danger"
    : told.length === 0 && (trust.first === "pin" || (trust.first === "scan" && worst === "info"));
  const { definition } = seen;
  if (isFine) return { print, definition, serve: "seen", write: "pin" };
  const wait = { reason: "new", told, changes: [], findings, about: imitatedBy(seen.definition, findings, others) } as const;
  return trust.enforce
    ? { print, definition, serve: "nothing", write: "keep", wait: { ...wait, effect: "held" } }
    : { print, definition, serve: "seen", write: "keep", wait: { ...wait, effect: "reported" } };
}

function again({ seen, trust, told, accept, others }: Sight, record: Breadcrumb): Verdict {
  const upstream = upstreamOf(record)!;
  const approved = upstream.definition ?? approvedForm(record);
  const completed = withPinnedWhereAbsent(approved, seen.definition) as JsonObject;
  const print = definitionPrint(completed, seen.beside?.print);
  const isWhole = definitionPrint(approved, seen.beside?.print) === upstream.print;
  const known = { print, definition: completed };
  if (isWhole && print === upstream.print) return { ...known, serve: completed === seen.definition ? "seen" : "approved", write: "keep" };
  const { changes, verdict } = diffDefinitions(approved, completed, { among: others, accept });
  // What is called is the source's own: under the approved text of another tool or of another request it is not served.
  const isSameTool = changes.every(({ kind }) => kind !== "identity");
  // A person chose the approved text instead of exactly this one.
  if (isWhole && isSameTool && print === upstream.instead) return { ...known, serve: "both", write: "keep" };
  // What is followed is what the source says, also where it says less.
  if (isWhole && trust.change === "follow" && verdict !== "dangerous")
    return { print: definitionPrint(seen.definition, seen.beside?.print), definition: seen.definition, serve: "seen", write: "pin" };
  const findings = scanTool(seen.definition, { among: others, accept });
  const damage = isWhole
    ? []
    : ["The stored definition does not fit its print: it was changed outside of the server, and nothing of it is used."];
  const serve = !isWhole
    ? "nothing"
    : verdict === "compatible"
      ? "approved"
      : trust.change === "keep-old" && isSameTool
        ? "both"
        : "nothing";
  const effect = ({ nothing: "held", approved: "old-text", both: "old-definition" } as const)[serve];
  const about = imitatedBy(seen.definition, findings, others);
  const wait = { reason: "changed", told: [...damage, ...told], verdict, changes, findings, about } as const;
  return trust.enforce
    ? { ...known, serve, write: "keep", wait: { ...wait, effect } }
    : { ...known, serve: "seen", write: "keep", wait: { ...wait, effect: "reported" } };
}

/** Of a record from a time when the source was followed: what the tool said then. */
function approvedForm({ title, context }: Breadcrumb): JsonObject {
  const { upstream: _, state: __, ...form } = context;
  return { ...form, ...(title !== "" && title !== context["name"] && { title }) };
}
