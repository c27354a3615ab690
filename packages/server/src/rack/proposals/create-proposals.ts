import { createHash, randomUUID } from "node:crypto";
import { type Caller, ToolError } from "@toolrack/core";
import { type Breadcrumb, canonicalJson, type JsonObject, StoreError } from "@toolrack/store";
import type { SourceConfig } from "../../config/config.ts";
import { toShownSource } from "../../config/shown-source.ts";
import type { WriteAudit } from "../audit/audit.ts";
import type { Settings, Sources } from "../rack.ts";
import type { RecordFeed } from "../store/records.ts";
import { demandProposable } from "./proposable.ts";
import type { ProposedChange, Proposals, WaitingProposal } from "./proposals.ts";

export interface ProposalsOptions {
  readonly feed: RecordFeed;
  readonly settings: Pick<Settings, "get" | "preview" | "setAll">;
  readonly sources: Pick<Sources, "faultOf" | "startFaultOf">;
  readonly audit: WriteAudit;
  now(): number;
}

/** Of one principal, of all, and how long one waits. What a person has to read is short. */
const limits = { perCaller: 20, total: 200, waitMs: 7 * 86_400_000, chars: 20_000 } as const;

interface Stored {
  readonly changes: Readonly<Record<string, unknown>>;
  readonly note?: string;
  readonly caller: Caller;
  readonly askedAt: number;
  readonly expiresAt: number;
  /** The settings that it was made over. */
  readonly base: string;
}

/** Proposals, as records: any server shows and settles them, and the one that removes the record applies it. */
export function createProposals({ feed, settings, sources, audit, now }: ProposalsOptions): Proposals {
  const records = feed.of("toolrack.proposal.v1");
  const storedOf = ({ context }: Breadcrumb): Stored => context as unknown as Stored;
  const isOpen = (record: Breadcrumb): boolean => storedOf(record).expiresAt > now();

  const baseOf = (changes: Stored["changes"]): string =>
    digestOf(Object.keys(changes).map((key) => [key, settings.get(key)?.value ?? null]));

  function changeOf([key, after]: readonly [string, unknown]): ProposedChange {
    const before = settings.get(key)?.value ?? undefined;
    const shown = key.startsWith("sources.") && before !== undefined ? toShownSource(before as SourceConfig) : before;
    return { key, ...(shown !== undefined && { before: shown }), after };
  }

  function toWaiting(record: Breadcrumb): WaitingProposal {
    const { changes, note, caller, askedAt, expiresAt, base } = storedOf(record);
    return {
      id: record.id,
      kind: "proposal",
      tool: "gateway",
      ...(note !== undefined && { note }),
      changes: Object.entries(changes).map(changeOf),
      caller,
      askedAt,
      expiresAt,
      digest: digestOf([changes, base]),
    };
  }

  function demandRoom(caller: Caller): void {
    const open = [...records.values()].filter(isOpen);
    const own = open.filter((record) => whoIs(storedOf(record).caller) === whoIs(caller)).length;
    if (own >= limits.perCaller || open.length >= limits.total)
      throw new ToolError("RATE_LIMITED", `${own} proposals of "${whoIs(caller)}" wait for a person. Wait until they are answered.`);
  }

  function demandValid(changes: Stored["changes"]): void {
    for (const [key, value] of Object.entries(changes)) demandProposable(key, value);
    if (canonicalJson(changes as JsonObject).length > limits.chars)
      throw new ToolError(
        "CONFIG_INVALID",
        `A proposal has at most ${limits.chars} characters, so that a person reads all of it. Propose less.`,
      );
    settings.preview(changes);
    for (const [key, value] of Object.entries(changes)) {
      if (!key.startsWith("sources.") || value === null) continue;
      const id = key.slice("sources.".length);
      const fault = sources.faultOf(id, value as SourceConfig) ?? sources.startFaultOf(id, value as SourceConfig);
      if (fault !== undefined) throw new ToolError("CONFIG_INVALID", `The source "${id}" cannot be used: ${fault}`);
    }
  }

  return {
    async propose({ changes, note, caller }) {
      demandValid(changes);
      demandRoom(caller);
      const askedAt = now();
      const stored = {
        changes,
        ...(note !== undefined && { note }),
        caller,
        askedAt,
        expiresAt: askedAt + limits.waitMs,
        base: baseOf(changes),
      };
      const record = await records.create({
        id: `proposal-${randomUUID()}`,
        title: `May ${caller.agent ?? "somebody"} change ${Object.keys(changes).join(", ")}?`.slice(0, 200),
        context: JSON.parse(JSON.stringify(stored)) as JsonObject,
        ttl: { afterMs: limits.waitMs },
        visibility: "private",
        sensitivity: "pii",
      });
      if (record === undefined) throw new ToolError("NAME_TAKEN", "The proposal could not be stored. Call again.");
      await audit({ kind: "proposal-made", subject: record.id, by: signedBy(caller), body: { keys: Object.keys(changes) } });
      return toWaiting(record);
    },
    waiting: () =>
      [...records.values()]
        .filter(isOpen)
        .map(toWaiting)
        .toSorted((a, b) => a.askedAt - b.askedAt || (a.id < b.id ? -1 : 1)),
    async decide(id, { approved, digest, by }) {
      const record = await records.fetch(id);
      if (record === undefined || !isOpen(record)) return undefined;
      const waiting = toWaiting(record);
      if (waiting.digest !== digest) throw changed("The proposal is another than the one that you looked at. Look at it again.");
      const { changes, base } = storedOf(record);
      if (approved && base !== baseOf(changes))
        throw changed("These settings have changed since the proposal was made. Deny it, and let the agent propose again.");
      if (approved) demandValid(changes);
      if (!(await records.remove(id, record.version))) return undefined;
      if (approved) await settings.setAll(changes, by);
      await audit({
        kind: approved ? "proposal-accepted" : "proposal-refused",
        subject: id,
        by,
        body: { keys: Object.keys(changes), digest },
      });
      return waiting;
    },
  };
}

function digestOf(value: unknown): string {
  const text = canonicalJson(JSON.parse(JSON.stringify(value)) as JsonObject);
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

function whoIs({ principal, agent }: Caller): string {
  return principal ?? agent ?? "somebody";
}

function signedBy({ agent = "", principal = "" }: Caller): { readonly agent: string; readonly principal: string } {
  return { agent, principal };
}

function changed(fact: string): StoreError {
  return new StoreError("STATE_INVALID", fact);
}
