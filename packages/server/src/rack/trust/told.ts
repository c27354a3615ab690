import { canonicalJson } from "@toolrack/core/internal";
import { type Breadcrumb, type BreadcrumbDraft, isApprovedSeen, type JsonObject, stateOf, upstreamOf } from "@toolrack/store";
import { createNearTexts } from "./near-texts.ts";
import type { SeenTool } from "./seen.ts";

/** What was on record of a source, to tell what a new tool is. */
export interface PastTools {
  /** Sentences about a tool that was not seen before. `takenFrom` is the source whose tool has this name on record. */
  tell(seen: SeenTool, takenFrom: string | undefined): readonly string[];
}

export interface PastOptions {
  /** All of the source, also of what was behind it before. */
  readonly records: Iterable<Breadcrumb>;
  readonly identity: string;
  /** The names that the source lists now. */
  readonly listed: ReadonlySet<string>;
  /** The record with a change of this tool that nobody has approved: it waits, was refused, or was withdrawn by the source. */
  changeOf(record: Breadcrumb): BreadcrumbDraft | undefined;
}

export function pastTools({ records, identity, listed, changeOf }: PastOptions): PastTools {
  /** What a change that nobody approved brought, and the tool that it was for. */
  const changed = new Map<string, string>();
  const elsewhere = new Set<string>();
  const goneByText = new Map<string, string>();
  const goneNearly = createNearTexts();
  let longGone = 0;
  const byShownName = new Map<string, Set<string>>();
  for (const record of records) {
    if (!isApprovedSeen(record)) continue;
    const upstream = upstreamOf(record)!;
    const shown = String(record.context["name"]);
    const change = changeOf(record);
    const approved = new Set(change === undefined ? [] : likeness(record.context));
    for (const key of change === undefined ? [] : likeness(change.context)) if (!approved.has(key)) changed.set(key, upstream.name);
    byShownName.set(shown, (byShownName.get(shown) ?? new Set()).add(upstream.name));
    if (upstream.identity !== identity) elsewhere.add(upstream.name);
    else if (!listed.has(upstream.name)) {
      for (const key of likeness(record.context)) goneByText.set(key, upstream.name);
      if (stateOf(record) !== "archived" || ++longGone <= maxLongGone) goneNearly.add(upstream.name, record.context["description"]);
    }
  }
  return {
    tell(seen, takenFrom) {
      const told: string[] = [];
      if (elsewhere.has(seen.name))
        told.push("Re-pointed: the source starts another program or speaks to another address than when this tool was approved.");
      const keys = goneByText.size + changed.size === 0 ? [] : likeness({ ...seen.tool });
      const same = keys.map((key) => goneByText.get(key)).find((name) => name !== undefined);
      const gone = same ?? goneNearly.find(seen.tool.description);
      const copied = keys.map((key) => changed.get(key)).find((name) => name !== undefined && name !== seen.name);
      if (copied !== undefined)
        told.push(`Copied from "${copied}": this one has the schema or description of a change of that tool, which nobody has approved.`);
      if (gone !== undefined)
        told.push(
          `Renamed from "${gone}": that tool is gone, and this one has ${same === undefined ? "nearly the same description" : "the same schema or description"}.`,
        );
      const other = [...(byShownName.get(seen.tool.name) ?? [])].find((name) => name !== seen.name);
      if (other !== undefined)
        told.push(`Taken over: the name "${seen.tool.name}" was approved for the tool that the source calls "${other}".`);
      if (takenFrom !== undefined) told.push(`Taken over: a tool of this name is on record for the source "${takenFrom}".`);
      return told;
    },
  };
}

/** A source that has given up more tools than this is compared with some of them: it cannot make its lists expensive. */
const maxLongGone = 1_000;

/** What two definitions of one tool share: a description of some length, or a schema with parameters. */
function likeness({ description, inputSchema }: JsonObject): readonly string[] {
  const properties = (inputSchema as JsonObject | undefined)?.["properties"];
  const hasParameters = typeof properties === "object" && properties !== null && Object.keys(properties).length > 0;
  return [
    ...(typeof description === "string" && description.length > 10 ? [`text ${description}`] : []),
    ...(hasParameters ? [`schema ${canonicalJson(inputSchema)}`] : []),
  ];
}

export const toldReappeared = "Vanished and re-appeared: the source did not list this tool for a time.";

export const toldRefused = "Refused before: a person refused an earlier definition of this tool.";

export function toldFlipFlop(times: number): string {
  return `Flip-flop: the source went back to the approved definition and changed it again, ${times === 1 ? "once" : `${times} times`} so far.`;
}

export function toldSplitView(server: string, other: string): string {
  return `Split view: the server "${server}" is shown the approved definition while the server "${other}" is shown this one.`;
}
