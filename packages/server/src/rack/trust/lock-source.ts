import { type AnyTool, ToolError } from "@toolrack/core";
import { shownServer } from "../cluster/server-name.ts";
import { inBatches } from "./batches.ts";
import { type Breadcrumb, isApprovedSeen, type JsonObject, type SeenUpstream, stateOf, StoreError, upstreamOf } from "@toolrack/store";
import type { Decided } from "./guard-parts.ts";
import { judge, type Verdict } from "./judge.ts";
import type { LedgerDraft, LedgerWrite } from "./ledger.ts";
import { firstListOf } from "./listing.ts";
import { draftOf, pinnedBecause, revived, waitingDraft, withKept } from "./lock-drafts.ts";
import { isOpen, linesOf, tell } from "./lock-lines.ts";
import { archived, eventOf, idOf, isLive, type Look, originOf, vanished } from "./look.ts";
import type { SeenTool } from "./seen.ts";
import { servedOf } from "./shown-tool.ts";
import { pastTools, toldFlipFlop, toldReappeared, toldRefused, toldSplitView } from "./told.ts";
import type { DefinitionEvent } from "./trust.ts";
import { contextOf, toWaitingDraft, type WaitingContext, waitingIdOf } from "./waiting-record.ts";

/**
 * Decides about the tools of a source that is not ours. What is new and may be served is on record before anybody sees it: batch by batch, each
 * with its lines of the audit and its entries of the log, and nothing is handed on before the last one is written.
 */
export async function lockSource(look: Look, shapes: readonly AnyTool[]): Promise<Locked> {
  const { ledger, source, seen, trust, log, waits } = look;
  const records = await ledger.recordsOf(source.id);
  const identity = source.identity ?? "";
  const listing = await firstListOf(look, records);
  const isAgreed = listing.isFirst && look.isAgreed(trust);
  const past = pastTools({
    records: records.values(),
    identity,
    listed: new Set(seen.map(({ name }) => name)),
    changeOf({ id }) {
      const wait = waits.get(waitingIdOf(id));
      return wait && contextOf(wait).draft;
    },
  });
  const others = look.others(source.id);
  const accept = look.accepted();
  const prints = new Map<string, string>();
  const replaced = new Map<AnyTool, AnyTool | undefined>();
  const kept = new Map<SeenTool, JsonObject>();
  let isClean = true;

  for await (const { items, isLast } of inBatches(seen)) await look.alone(() => recordBatch(items, isLast));
  const served = shapes.flatMap((shape) => (replaced.has(shape) ? (replaced.get(shape) ?? []) : [shape]));
  return { shapes: served, isClean, prints, kept };

  async function recordBatch(items: readonly SeenTool[], isLast: boolean): Promise<void> {
    const news = await decideBatch(items);
    const gone = isLast ? goneOf() : [];
    const drafts = [...news.drafts, ...gone.map(archived)];
    news.waiting.push(...gone.flatMap(withdrawn));
    const noted = isLast ? listing.end(isClean) : listing.begin(isAgreed);
    if (drafts.length + news.waiting.length + news.settled.length > 0 || noted !== undefined) {
      const audit = linesOf(look, { drafts, waiting: news.waiting, gone });
      const waiting = news.waiting.map(toWaitingDraft);
      await write({ drafts, waiting, settled: news.settled, audit, events: news.events, ...(noted && { listing: noted }) });
    }
    for (const one of news.waiting) {
      await waits.fetch(waitingIdOf(one.draft.id));
      if (isOpen(one)) tell(log, one);
    }
  }

  async function decideBatch(batch: readonly SeenTool[]): Promise<News> {
    const news: News = { drafts: [], waiting: [], settled: [], events: [] };
    const unknown = batch.filter((one) => !records.has(idOf(look, one))).map(({ tool }) => tool.name);
    const takenFrom = await ledger.sourcesOf(unknown);
    for (const one of batch) {
      const id = idOf(look, one);
      if (prints.has(id)) {
        log.warn(`The source "${source.id}" lists the tool "${one.tool.name}" more than once. Only the first one is used.`);
        replaced.set(one.shape, undefined);
        isClean = false;
        continue;
      }
      const record = records.get(id);
      const wait = waits.get(waitingIdOf(id));
      const told = toldOf(one, record, wait, takenFrom.get(one.tool.name));
      const verdict = judge({ seen: one, record, trust, told, isAgreed, accept, others });
      prints.set(id, verdict.print);
      const goneBack = note(news, one, record, wait, verdict);
      if (goneBack !== undefined) news.waiting.push(...(await wentBack(goneBack)));
      if (verdict.serve === "seen") kept.set(one, one.definition);
      else if (verdict.serve !== "nothing") kept.set(one, upstreamOf(record!)!.definition ?? {});
      if (verdict.serve !== "seen") replaced.set(one.shape, servedOf(one, record, verdict));
      if (verdict.serve !== "seen" || verdict.wait !== undefined) isClean = false;
    }
    return news;
  }

  /** Only of a tool that is new or changed. */
  function toldOf(
    one: SeenTool,
    record: Breadcrumb | undefined,
    wait: Breadcrumb | undefined,
    taken: string | undefined,
  ): readonly string[] {
    const flips = wait === undefined ? 0 : contextOf(wait).flips;
    const reappeared = record !== undefined && stateOf(record) === "archived" ? [toldReappeared] : [];
    const before = [...reappeared, ...(flips > 0 ? [toldFlipFlop(flips)] : [])];
    if (record !== undefined && isApprovedSeen(record)) return before;
    const known = wait && contextOf(wait);
    const refused = known?.refused === true ? [toldRefused] : [];
    const takenFrom = record !== undefined || taken === source.id ? undefined : taken;
    // What was told stays true until a person has decided.
    const ofPast = one.beside?.kind === "instructions" ? [] : past.tell(one, takenFrom);
    return [...new Set([...(known?.told ?? []), ...ofPast, ...before, ...refused])];
  }

  /** What waited so far, where the source has gone back to what was approved. */
  function note(
    news: News,
    one: SeenTool,
    record: Breadcrumb | undefined,
    wait: Breadcrumb | undefined,
    verdict: Verdict,
  ): WaitingContext | undefined {
    const isPinned = verdict.write === "pin";
    const seenHere = { ...originOf(look, one), print: verdict.print, definition: verdict.definition };
    const upstream: SeenUpstream = isPinned ? Object.assign(seenHere, { approved: true as const }) : seenHere;
    if (isPinned) {
      const draft = draftOf(look, one, upstream);
      news.drafts.push({ draft, before: record, approved: pinnedBecause(look, isAgreed) });
      news.events.push(eventOf(look, upstream, one.tool.name, record === undefined));
      if (wait !== undefined) news.settled.push(wait.id);
      return undefined;
    }
    const known = wait && contextOf(wait);
    if (verdict.wait === undefined) {
      if (record !== undefined && (!isLive(record) || upstreamOf(record)!.waits !== undefined)) news.drafts.push(revived(record));
      if (wait === undefined || known!.isWithdrawn === true || known!.digest === verdict.print) return undefined;
      return known;
    }
    const isSame = known !== undefined && known.isWithdrawn !== true && known.digest === verdict.print;
    if (isSame && known.effect === verdict.wait.effect && record !== undefined && stateOf(record) !== "archived") return undefined;
    const draft = withKept(draftOf(look, one, upstream), record, verdict);
    const { seenAt = look.now(), flips = 0 } = known ?? {};
    const seenNow = {
      digest: verdict.print,
      definition: verdict.definition,
      seenAt,
      seenBy: look.server.name,
      seenOn: shownServer(look.server.name),
      flips,
    };
    const what = one.beside === undefined ? {} : { what: one.beside.kind };
    news.waiting.push({ ...verdict.wait, ...what, draft, ...seenNow, ...(isSame && known.refused === true && { refused: true }) });
    news.drafts.push(waitingDraft(look, one, record, upstream, verdict));
    news.events.push(eventOf(look, upstream, one.tool.name, record === undefined));
    return undefined;
  }

  /** The source sends the approved definition again: here, or only here. */
  async function wentBack(known: WaitingContext): Promise<readonly WaitingContext[]> {
    const isOther = known.seenBy !== look.server.name && (await look.liveServers()).includes(known.seenBy);
    if (!isOther) return [{ ...known, isWithdrawn: true, flips: known.flips + 1 }];
    const told = toldSplitView(shownServer(look.server.name), known.seenOn ?? known.seenBy);
    return known.told.includes(told) ? [] : [{ ...known, told: [...known.told, told] }];
  }

  /** A list of which nothing could be read says nothing about what is gone. */
  function goneOf(): readonly Breadcrumb[] {
    const hasUnread = shapes.length > seen.length;
    return hasUnread && seen.length === 0 ? [] : vanished(look, records);
  }

  /** Nothing is left to decide about what the source lists no longer; if it comes back, it waits again. */
  function withdrawn({ id }: Breadcrumb): readonly WaitingContext[] {
    const wait = waits.get(waitingIdOf(id));
    return wait === undefined || !isOpen(contextOf(wait)) ? [] : [{ ...contextOf(wait), isWithdrawn: true }];
  }

  async function write(news: LedgerWrite): Promise<void> {
    try {
      await ledger.write(news);
    } catch (error) {
      if (!StoreError.is(error) || error.code !== "RECORD_INVALID") throw error;
      throw new ToolError(
        "SOURCE_FAILED",
        `A definition of "${source.id}" cannot be recorded, so nothing of it is served: ${error.message}`,
      );
    }
  }
}

interface Locked extends Decided {
  /** What is served, with the definition that models see. */
  readonly kept: ReadonlyMap<SeenTool, JsonObject>;
}

/** What one batch of a list brings. */
interface News {
  readonly drafts: LedgerDraft[];
  readonly waiting: WaitingContext[];
  readonly settled: string[];
  readonly events: DefinitionEvent[];
}
