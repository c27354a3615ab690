import type { Logger, ToolSource } from "@toolrack/core";
import type { AcceptedFinding } from "@toolrack/core/scan";
import { type Breadcrumb, type BreadcrumbStore, isApprovedSeen, type SeenUpstream, upstreamOf } from "@toolrack/store";
import type { TrustConfig } from "../../config/config.ts";
import type { ConfiguredSource } from "../settings/settings.ts";
import type { RecordFeed } from "../store/records.ts";
import { bulkOf } from "./bulk.ts";
import type { Decisions } from "./decisions.ts";
import { registryIdOf } from "../sources/create-source.ts";
import { createGuard, type GuardedSource } from "./guard.ts";
import { createLedger, retried } from "./ledger.ts";
import { idOf } from "./look.ts";
import { listingSchema, waitingSchema } from "./schemas.ts";
import { type SourceTrust, sourceTrustOf } from "./source-trust.ts";
import type { LogDefinitions, Trust, WaitingDefinition } from "./trust.ts";
import { contextOf, toWaiting, type WaitingContext } from "./waiting-record.ts";

export interface TrustOptions {
  readonly store: BreadcrumbStore;
  readonly feed: RecordFeed;
  readonly log: Logger;
  /** This server, by its present name. */
  readonly server: { readonly name: string };
  /** The names of all servers on the store that are alive. */
  liveServers(): Promise<readonly string[]>;
  sources(): readonly ConfiguredSource[];
  config(): TrustConfig | undefined;
  /** Findings that a person accepted. */
  accepted(): readonly AcceptedFinding[];
  readonly logDefinitions?: LogDefinitions;
  /** Whether every live server has the configuration of this one. */
  agrees(): Promise<boolean>;
  now(): number;
}

export function createTrust(options: TrustOptions): Trust {
  const { store, feed, log, server, now } = options;
  const ledger = createLedger({ store, log, logDefinitions: options.logDefinitions });
  const waits = feed.of(waitingSchema);
  const listings = feed.of(listingSchema);
  const agreements = feed.of("toolrack.source-pin.v1");
  const guarded = new Map<string, GuardedSource>();
  const trustOf = (id: string): SourceTrust => guarded.get(id)?.trust() ?? settledTrustOf(id);
  const settledTrustOf = (id: string): SourceTrust => sourceTrustOf(id, { sources: options.sources(), trust: options.config() });

  /** Work on the ledger that nobody waits for. */
  let work: Promise<void> = Promise.resolve();
  const later = (task: () => Promise<void>): void => {
    work = work.then(task).catch((error: unknown) => log.warn("Definitions of tools could not be recorded.", { error: String(error) }));
  };

  let turn: Promise<unknown> = Promise.resolve();
  const alone = <Result>(task: () => Promise<Result>): Promise<Result> => {
    const done = turn.then(task);
    turn = done.catch(() => undefined);
    return done;
  };

  const settingsKey = (): string => JSON.stringify([options.accepted(), options.config() ?? null]);
  let settings = settingsKey();

  const guardParts = {
    ledger,
    log,
    server,
    now,
    waits,
    listings,
    later,
    alone,
    trustOf: settledTrustOf,
    liveServers: options.liveServers,
    accepted: options.accepted,
    // A source that needs an approval is started only as it was approved, so what is listed is what a person agreed to.
    isAgreed: ({ configId, needsApproval }: SourceTrust) =>
      needsApproval && agreements.get(`source-pin-${configId}`)?.context["byPerson"] === true,
    others(source: string): readonly { readonly name: string }[] {
      const names = new Set<string>();
      for (const [id, { served }] of guarded)
        if (id !== source) for (const { name, tool, beside } of served().values()) if (beside === undefined) names.add(name).add(tool.name);
      return [...names].map((name) => ({ name }));
    },
    onClosed(source: ToolSource): void {
      if (guarded.get(source.id)?.source.id === source.id) guarded.delete(source.id);
    },
  };

  const lookAgain = (id?: string): void => {
    for (const [source, one] of guarded) if ((id === undefined || id === source) && !one.trust().isOwn) one.lookAgain();
  };
  waits.subscribe((_, record) => lookAgain(record && toWaiting(record).source));
  listings.subscribe((_, record) => {
    if (record === undefined) lookAgain();
    else if (record.context["digest"] === undefined && record.context["unfinished"] === undefined)
      lookAgain(String(record.context["source"]));
  });

  /** A source that is configured stays, also while it cannot be reached; of modules, packs and plugins, what was loaded. */
  const isKept = (id: string): boolean =>
    !id.includes(":") ||
    guarded.has(id) ||
    options.sources().some(({ id: name, source }) => source.enabled !== false && registryIdOf(name, source) === id);

  const isWaiting = (record: Breadcrumb): boolean => contextOf(record).isWithdrawn !== true && contextOf(record).refused !== true;
  const byAge = (a: WaitingDefinition, b: WaitingDefinition): number => a.seenAt - b.seenAt || (a.id < b.id ? -1 : 1);
  const waiting = (): readonly WaitingDefinition[] => [...waits.values()].filter(isWaiting).map(toWaiting).sort(byAge);
  const printOf = (recordId: string): string | undefined =>
    [...guarded.values()].map((source) => source.printOf(recordId)).find((print) => print !== undefined);
  const findHeld = (isMeant: (context: WaitingContext) => boolean): WaitingDefinition | undefined => {
    for (const record of waits.values()) {
      const context = contextOf(record);
      if (context.effect === "held" && context.what === undefined && context.isWithdrawn !== true && isMeant(context))
        return toWaiting(record);
    }
    return undefined;
  };
  /** Loaded when somebody decides. */
  const decisions = async (): Promise<Decisions> =>
    (await import("./decisions.ts")).createDecisions({ ledger, waits, trustOf, waiting, printOf });

  return {
    guard(source: ToolSource) {
      const one = createGuard(source, guardParts);
      guarded.set(source.id, one);
      return one.source;
    },
    waiting,
    get: (id) => waiting().find((one) => one.id === id),
    bulkOf: (source) => bulkOf(source, waiting()),
    decide: async (id, decision) => (await decisions()).decide(id, decision),
    approveSource: async (source, decision) => (await decisions()).approveSource(source, decision),
    restore: async (...given) => (await decisions()).restore(...given),
    held: (tool) => findHeld(({ draft }) => draft.context["name"] === tool),
    heldAt: ({ sourceId, tool }) =>
      findHeld(({ draft }) => {
        const { source, name } = draft.context["upstream"] as SeenUpstream;
        return source === sourceId && name === tool;
      }),
    recordIdOf(tool) {
      for (const { served, source, trust } of guarded.values()) {
        const seen = served().get(tool);
        if (seen !== undefined) return idOf({ source, trust: trust() }, seen);
      }
      return undefined;
    },
    async knownOf(source) {
      const records = [...(await ledger.recordsOf(source)).values()];
      return records.flatMap((record) =>
        record.schema_name === "tool.definition.v1" && isApprovedSeen(record)
          ? [{ name: String(record.context["name"]), at: upstreamOf(record)!.name }]
          : [],
      );
    },
    isAsSeen({ handler }) {
      for (const { served } of guarded.values())
        for (const { tool, shown, definition } of served().values()) if (tool.handler === handler) return shown === definition;
      return false;
    },
    async findings(tool, { withUnapproved = false } = {}) {
      const { findingsOf } = await import("./tool-findings.ts");
      const own = [...guarded.values()].find(({ served }) => served().has(tool));
      const others = own === undefined ? [] : guardParts.others(own.source.id);
      const served = own?.served().get(tool);
      return findingsOf({ served, tool, others, accept: options.accepted(), waiting: waiting(), withUnapproved });
    },
    accepted: options.accepted,
    apply() {
      const now = settingsKey();
      if (now === settings) return;
      settings = now;
      lookAgain();
    },
    archiveRemoved() {
      later(async () => {
        const removed = [...listings.values()].filter(({ context }) => context["isRemoved"] !== true && !isKept(String(context["source"])));
        // Another server may have what this one has not.
        if (removed.length === 0 || !(await options.agrees())) return;
        const { archiveSource } = await import("./removed-source.ts");
        for (const listing of removed) await retried(() => archiveSource({ ledger, waits }, listing));
      });
    },
    settled: () => work,
    async close() {
      await work;
    },
  };
}
