import type { AnyTool, ToolSource } from "@toolrack/core";
import type { GuardParts } from "./guard-parts.ts";
import { retried } from "./ledger.ts";
import { hashOf, readSeen, type SeenTool } from "./seen.ts";
import type { SourceTrust } from "./source-trust.ts";

/** A source on its way into the registry. */
export interface GuardedSource {
  readonly source: ToolSource;
  trust(): SourceTrust;
  /** Decides again about what was listed last. */
  lookAgain(): void;
  /** The tools that are served, by the name that models know. */
  served(): ReadonlyMap<string, ServedTool>;
  /** The print of what was seen last for a record. */
  printOf(recordId: string): string | undefined;
}

/** A tool as its source lists it, with the definition that models see instead. */
export interface ServedTool extends SeenTool {
  readonly shown: SeenTool["definition"];
}

/** The source with what may be served of it. Nothing is read from the store while a source lists what it listed before. */
export function createGuard(source: ToolSource, parts: GuardParts): GuardedSource {
  const { listings, later, trustOf } = parts;
  let notOurs: SourceTrust | undefined;
  /** A source that is no longer in the settings, and still lists, stays what it was. */
  const trust = (): SourceTrust => {
    const now = trustOf(source.id);
    if (now.isConfigured) notOurs = now;
    return now.isConfigured ? now : (notOurs ?? now);
  };
  trust();
  const listingId = `listing-${hashOf(source.id).slice(0, 24)}`;
  let listed: readonly AnyTool[] | undefined;
  let isAsked = true;
  /** The digest of the list of which everything is served. */
  let clean: string | undefined;
  let served: ReadonlyMap<string, ServedTool> = new Map();
  let prints: ReadonlyMap<string, string> = new Map();
  let announce: (() => void) | undefined;
  /** How many lists are being read. */
  let lists = 0;
  /** Whether something was decided since the last look began. */
  let isStale = false;

  async function decide(shapes: readonly AnyTool[]): Promise<readonly AnyTool[]> {
    const how = trust();
    // Stored definitions are records already, and a person approved each.
    if (source.id === storedTools) return shapes;
    const seen = shapes.flatMap((shape) => readSeen(shape) ?? []);
    const digest = digestOf(source, how, seen);
    const note = (kept: readonly AnyTool[]): readonly AnyTool[] => {
      const names = new Set(kept);
      served = new Map(seen.filter(({ shape }) => names.has(shape)).map((one) => [one.tool.name, { ...one, shown: one.definition }]));
      return kept;
    };
    if (digest === clean) return note(shapes);
    if (listings.get(listingId)?.context["digest"] === digest) {
      clean = digest;
      return note(shapes);
    }
    const look = { ...parts, source, trust: how, seen, listing: { id: listingId, digest } };
    if (how.isOwn) {
      later(async () => {
        const { followSource } = await import("./follow-source.ts");
        await retried(() => followSource(look));
        clean = digest;
      });
      return note(shapes);
    }
    const { lockSource } = await import("./lock-source.ts");
    const decided = await retried(() => lockSource(look, shapes));
    if (decided.isClean) clean = digest;
    prints = decided.prints;
    served = new Map([...decided.kept].map(([one, shown]) => [one.tool.name, { ...one, shown }]));
    return decided.shapes;
  }

  /** What is decided about a definition while others are looked at counts, too. */
  async function decideUntilSettled(shapes: readonly AnyTool[]): Promise<readonly AnyTool[]> {
    for (let times = 1; ; times++) {
      isStale = false;
      const decided = await decide(shapes);
      if (!isStale) return decided;
      clean = undefined;
      if (times < maxTimes) continue;
      announce?.();
      return decided;
    }
  }

  return {
    trust,
    served: () => served,
    printOf: (recordId) => prints.get(recordId),
    // By the contract of `watch`, the list is asked for before `announce` returns. If it is asked for later, the source is asked, too: what is
    // decided about is never older than what the source listed last.
    lookAgain() {
      clean = undefined;
      isStale = true;
      if (lists > 0) return;
      isAsked = false;
      try {
        announce?.();
      } finally {
        isAsked = true;
      }
    },
    source: {
      id: source.id,
      ...(source.identity !== undefined && { identity: source.identity }),
      async list(options) {
        lists += 1;
        try {
          if (isAsked || listed === undefined) listed = await source.list(options);
          // What is no list is reported by the registry.
          return Array.isArray(listed) ? await decideUntilSettled(listed) : listed;
        } finally {
          lists -= 1;
        }
      },
      ...(source.listFor && { listFor: (caller) => source.listFor!(caller).filter((shape) => mayServeOne(shape)) }),
      watch(onChange) {
        announce = onChange;
        const stop = source.watch?.(onChange);
        return () => {
          announce = undefined;
          stop?.();
        };
      },
      close() {
        parts.onClosed(source);
        return source.close?.();
      },
    },
  };

  /** Tools for one caller alone: of a source that is not ours, only those that everybody was shown with the same text. */
  function mayServeOne(shape: AnyTool): boolean {
    if (trust().isOwn || !trust().enforce) return true;
    const one = readSeen(shape);
    const known = one && served.get(one.tool.name);
    return known !== undefined && known.text === one!.text && known.shown === known.definition;
  }
}

/** Others may go on deciding; then the list is read again. */
const maxTimes = 5;

/** The source of stored definitions. */
const storedTools = "records";

/** Of everything that the source says, and of how it is treated. */
function digestOf({ identity = "" }: ToolSource, { isOwn, first, change, enforce }: SourceTrust, seen: readonly SeenTool[]): string {
  const texts = seen.map(({ tool, name, text }) => `${name}\n${tool.name}\n${tool.version ?? ""}\n${text}`);
  return hashOf(JSON.stringify([identity, isOwn, first, change, enforce, texts]));
}
