import { shellWord } from "@toolrack/core/internal/shell-word";
import { type AnyTool, ToolError } from "@toolrack/core";
import { passOrigin } from "@toolrack/mcp";
import {
  type AuditNote,
  type Breadcrumb,
  isApprovedSeen,
  type SeenUpstream,
  stateOf,
  StoreError,
  toSeenDraft,
  upstreamOf,
} from "@toolrack/store";
import type { Decided } from "./guard-parts.ts";
import { judge, type Verdict } from "./judge.ts";
import type { LedgerDraft } from "./ledger.ts";
import { archived, eventOf, idOf, isLive, type Look, originOf, vanished } from "./look.ts";
import { withApprovedText, withBothSchemas } from "./pinned-tool.ts";
import type { SeenTool } from "./seen.ts";
import { pastTools, toldFlipFlop, toldReappeared, toldRefused, toldSplitView } from "./told.ts";
import type { DefinitionEvent } from "./trust.ts";
import { contextOf, toWaitingDraft, type WaitingContext, waitingIdOf } from "./waiting-record.ts";

/** Decides about the tools of a source that is not ours. What is new and may be served is on record before anybody sees it. */
export async function lockSource(look: Look, shapes: readonly AnyTool[]): Promise<Decided & { readonly kept: ReadonlySet<SeenTool> }> {
  const { ledger, source, seen, trust, log, waits } = look;
  const records = await ledger.recordsOf(source.id);
  const identity = source.identity ?? "";
  const listing = (await look.listings.fetch(look.listing.id))?.context;
  const identities = (listing?.["identities"] ?? []) as readonly string[];
  const isFirstList =
    !identities.includes(identity) &&
    ![...records.values()].some((record) => upstreamOf(record)!.identity === identity && isApprovedSeen(record));
  const isAgreed = isFirstList && look.isAgreed(trust);
  const listed = new Set(seen.map(({ name }) => name));
  const past = pastTools(records.values(), identity, listed);
  const others = look.others(source.id);
  const drafts: LedgerDraft[] = [];
  const waiting: WaitingContext[] = [];
  const settled: string[] = [];
  const events: DefinitionEvent[] = [];
  const prints = new Map<string, string>();
  const replaced = new Map<AnyTool, AnyTool | undefined>();
  const kept = new Set<SeenTool>();
  let isClean = true;

  for (const one of seen) {
    const id = idOf(look, one);
    if (prints.has(id)) {
      log.warn(`The source "${source.id}" lists the tool "${one.tool.name}" more than once. Only the first one is used.`);
      replaced.set(one.shape, undefined);
      isClean = false;
      continue;
    }
    const record = records.get(id);
    const wait = waits.get(waitingIdOf(id));
    const told = await toldOf(one, record, wait);
    const verdict = judge({ seen: one, record, trust, told, isAgreed, others });
    prints.set(id, verdict.print);
    await note(one, record, wait, verdict);
    if (verdict.serve !== "nothing") kept.add(one);
    if (verdict.serve !== "seen") replaced.set(one.shape, servedOf(one, record, verdict));
    if (verdict.serve !== "seen" || verdict.wait !== undefined) isClean = false;
  }

  /** Only of a tool that is new or changed. */
  async function toldOf(one: SeenTool, record: Breadcrumb | undefined, wait: Breadcrumb | undefined): Promise<readonly string[]> {
    const flips = wait === undefined ? 0 : contextOf(wait).flips;
    const reappeared = record !== undefined && stateOf(record) === "archived" ? [toldReappeared] : [];
    const before = [...reappeared, ...(flips > 0 ? [toldFlipFlop(flips)] : [])];
    if (record !== undefined && isApprovedSeen(record)) return before;
    const taken = record === undefined ? await ledger.sourceOf(one.tool.name) : undefined;
    const takenFrom = taken === source.id ? undefined : taken;
    const known = wait && contextOf(wait);
    const refused = known?.refused === true ? [toldRefused] : [];
    // What was told stays true until a person has decided.
    return [...new Set([...(known?.told ?? []), ...past.tell(one, takenFrom), ...before, ...refused])];
  }

  async function note(one: SeenTool, record: Breadcrumb | undefined, wait: Breadcrumb | undefined, verdict: Verdict): Promise<void> {
    const upstream: SeenUpstream = { ...originOf(look, one), print: verdict.print, definition: one.definition };
    if (verdict.write === "pin") {
      const draft = toSeenDraft(one.tool, { ...upstream, approved: true });
      drafts.push({ draft, before: record, approved: pinnedBecause(look, isAgreed) });
      events.push(eventOf(look, upstream, one.tool.name, record === undefined));
      if (wait !== undefined) settled.push(wait.id);
      return;
    }
    const known = wait && contextOf(wait);
    if (verdict.wait === undefined) {
      if (record !== undefined && (!isLive(record) || upstreamOf(record)!.waits !== undefined)) drafts.push(revived(record));
      if (wait === undefined || known!.isWithdrawn === true || known!.digest === verdict.print) return;
      await wentBack(known!);
      return;
    }
    const isSame = known !== undefined && known.isWithdrawn !== true && known.digest === verdict.print;
    if (isSame && known.effect === verdict.wait.effect && record !== undefined && stateOf(record) !== "archived") return;
    const draft = toSeenDraft(one.tool, upstream);
    const { seenAt = look.now(), flips = 0 } = known ?? {};
    const seenNow = { digest: verdict.print, definition: one.definition, seenAt, seenBy: look.server.name, flips };
    waiting.push({ ...verdict.wait, draft, ...seenNow, ...(isSame && known.refused === true && { refused: true }) });
    drafts.push(waitingDraft(one, record, upstream, verdict));
    events.push(eventOf(look, upstream, one.tool.name, record === undefined));
  }

  /** The source sends the approved definition again: here, or only here. */
  async function wentBack(known: WaitingContext): Promise<void> {
    const isOther = known.seenBy !== look.server.name && (await look.liveServers()).includes(known.seenBy);
    if (!isOther) return void waiting.push({ ...known, isWithdrawn: true, flips: known.flips + 1 });
    const told = toldSplitView(look.server.name, known.seenBy);
    if (!known.told.includes(told)) waiting.push({ ...known, told: [...known.told, told] });
  }

  const hasUnread = shapes.length > seen.length;
  const gone = hasUnread && seen.length === 0 ? [] : vanished(look, records);
  drafts.push(...gone.map(archived));
  const audit = [
    ...waiting.filter(isOpen).map((one) => waitsLine(look, one)),
    ...(drafts.some(({ approved }) => approved !== undefined) ? [pinnedLine(look, drafts)] : []),
    ...(gone.length > 0 ? [goneLine(look, gone)] : []),
  ];
  const news = { drafts, waiting: waiting.map(toWaitingDraft), settled, audit, events };
  const isNoted = !isClean && listing !== undefined && listing["digest"] === undefined && identities.includes(identity);
  const context = {
    source: source.id,
    identities: [...new Set([...identities, identity])],
    ...(isClean && { digest: look.listing.digest }),
  };
  const hasNews = drafts.length + waiting.length + settled.length > 0 || !isNoted;
  if (hasNews) {
    try {
      await ledger.write({ ...news, ...(!isNoted && { listing: { id: look.listing.id, context } }) });
    } catch (error) {
      if (!StoreError.is(error) || error.code !== "RECORD_INVALID") throw error;
      throw new ToolError(
        "SOURCE_FAILED",
        `A definition of "${source.id}" cannot be recorded, so nothing of it is served: ${error.message}`,
      );
    }
  }
  for (const one of waiting) {
    await waits.fetch(waitingIdOf(one.draft.id));
    if (isOpen(one)) tell(log, one);
  }
  const served = shapes.flatMap((shape) => (replaced.has(shape) ? (replaced.get(shape) ?? []) : [shape]));
  return { shapes: served, isClean, prints, kept };
}

function isOpen({ isWithdrawn, refused }: WaitingContext): boolean {
  return isWithdrawn !== true && refused !== true;
}

const shown = new WeakMap<AnyTool, { readonly key: string; readonly tool: AnyTool }>();

/** The tool as callers see it; the same value while nothing changes. */
function servedOf(one: SeenTool, record: Breadcrumb | undefined, { serve }: Verdict): AnyTool | undefined {
  if (serve === "nothing" || record === undefined) return undefined;
  const key = `${serve} ${record.id} ${upstreamOf(record)!.print}`;
  const before = shown.get(one.shape);
  if (before?.key === key) return before.tool;
  const tool = serve === "both" ? withBothSchemas(one.tool, record) : withApprovedText(one.tool, record);
  passOrigin(one.tool, tool, upstreamOf(record)!.definition ?? {});
  shown.set(one.shape, { key, tool });
  return tool;
}

/** As it was approved, served again. */
function revived(before: Breadcrumb): LedgerDraft {
  const { id, schema_name, title, tags } = before;
  const { state: _, upstream, ...context } = before.context;
  const { waits: __, ...origin } = upstream as SeenUpstream;
  return { before, draft: { id, schema_name, title, tags, context: { ...context, upstream: origin } }, approved: "As it was approved." };
}

/** What is on record about a tool while its definition waits. */
function waitingDraft(
  { tool }: SeenTool,
  before: Breadcrumb | undefined,
  upstream: SeenUpstream,
  { serve, print, wait }: Verdict,
): LedgerDraft {
  if (before === undefined || !isApprovedSeen(before))
    return wait!.effect === "held"
      ? { before, draft: toSeenDraft(tool, upstream, "draft") }
      : { before, draft: toSeenDraft(tool, upstream), approved: "Served although it waits: trust.enforce is false." };
  const { id, schema_name, title, tags } = before;
  const { state: _, upstream: origin, ...context } = before.context;
  const noted = { ...context, upstream: { ...(origin as SeenUpstream), waits: print } };
  return serve === "nothing"
    ? { before, draft: { id, schema_name, title, tags, context: { ...noted, state: "changed" } } }
    : { before, draft: { id, schema_name, title, tags, context: noted }, approved: "As it was approved; a change waits." };
}

function pinnedBecause({ trust }: Look, isAgreed: boolean): string {
  if (isAgreed) return "A person agreed to the source.";
  return trust.first === "scan" ? "The scanner found nothing to look at." : `The source is configured with trust.first: ${trust.first}.`;
}

function pinnedLine({ source, server }: Look, drafts: readonly LedgerDraft[]): AuditNote {
  const pinned = drafts.filter(({ approved }) => approved !== undefined).map(({ draft }) => draft.context);
  const tools = pinned.slice(0, 100).map(({ name, upstream }) => ({ name, print: (upstream as SeenUpstream).print }));
  return { kind: "definitions-pinned", subject: source.id, agent: "server", body: { server: server.name, count: pinned.length, tools } };
}

function goneLine({ source }: Look, gone: readonly Breadcrumb[]): AuditNote {
  const tools = gone.slice(0, 100).map(({ context }) => context["name"]);
  return { kind: "definitions-vanished", subject: source.id, agent: "server", body: { count: gone.length, tools } };
}

function waitsLine({ source }: Look, one: WaitingContext): AuditNote {
  const { digest, reason, effect, verdict, told, changes } = one;
  const paths = changes.slice(0, 50).map(({ path, kind }) => ({ path, kind }));
  const body = { source: source.id, digest, reason, effect, verdict: verdict ?? null, told, changes: paths };
  return { kind: "definition-waits", subject: String(one.draft.context["name"]), agent: "server", body };
}

function tell(log: Look["log"], { draft, reason, effect, told }: WaitingContext): void {
  const tool = String(draft.context["name"]);
  const fact = reason === "new" ? "is new" : "has changed";
  log.warn(
    `The definition of the tool "${tool}" ${fact} and waits for a person${effects[effect]}. Look at it with: toolrack approve ${shellWord(tool)}`,
    {
      tool,
      source: (draft.context["upstream"] as SeenUpstream).source,
      ...(told.length > 0 && { told: told.join(" ") }),
    },
  );
}

const effects = {
  held: ", so the tool cannot be called",
  "old-text": "; models see the approved text until then",
  "old-definition": "; models see the approved definition until then",
  reported: "; it is served all the same, because trust.enforce is false",
} as const;
