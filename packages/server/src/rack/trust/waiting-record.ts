import type { DefinitionChange } from "@toolrack/core/trust";
import type { Breadcrumb, BreadcrumbDraft, JsonObject, SeenUpstream } from "@toolrack/store";
import type { WaitFacts } from "./judge.ts";
import type { TextKind } from "./noted-texts.ts";
import type { WaitingDefinition } from "./trust.ts";

/** What the record of a waiting definition holds. */
export interface WaitingContext extends WaitFacts {
  /** Absent for a tool. */
  readonly what?: TextKind;
  /** What is written when a person approves it. */
  readonly draft: BreadcrumbDraft & { readonly id: string };
  readonly digest: string;
  readonly definition: JsonObject;
  readonly seenAt: number;
  readonly seenBy: string;
  /** The same server as people know it; absent in records of older versions. */
  readonly seenOn?: string;
  /** How often the source went back to the approved definition. */
  readonly flips: number;
  /** The source has gone back: nothing waits now. */
  readonly isWithdrawn?: boolean;
  readonly refused?: boolean;
}

/** The id of what waits about a tool: one at a time, the newest. */
export function waitingIdOf(recordId: string): string {
  return `definition-${recordId.slice(-24)}`;
}

export function contextOf({ context }: Breadcrumb): WaitingContext {
  return context as unknown as WaitingContext;
}

export function toWaitingDraft(context: WaitingContext): BreadcrumbDraft & { readonly id: string } {
  const { draft } = context;
  const plain = JSON.parse(JSON.stringify({ ...context, changes: context.changes.slice(0, maxChanges).map(cut) })) as JsonObject;
  return {
    id: waitingIdOf(draft.id),
    schema_name: "",
    title: `May the definition of ${String(draft.context["name"])} be used?`.slice(0, 200),
    context: plain,
  };
}

export function toWaiting(record: Breadcrumb): WaitingDefinition {
  const {
    what = "tool",
    draft,
    digest,
    reason,
    told,
    effect,
    verdict,
    changes,
    findings,
    about,
    definition,
    seenAt,
    seenBy,
    seenOn = seenBy,
    refused,
  } = contextOf(record);
  const upstream = draft.context["upstream"] as SeenUpstream;
  return {
    id: record.id,
    kind: "definition",
    what,
    tool: String(draft.context["name"]),
    source: upstream.source,
    name: upstream.name,
    digest,
    reason,
    told,
    effect,
    ...(verdict !== undefined && { verdict }),
    changes,
    findings,
    about,
    definition,
    record: draft.id,
    seenAt,
    seenBy: seenOn,
    ...(refused === true && { refused }),
  };
}

const maxChanges = 100;
const maxLength = 2_000;

/** Long values are in the definition itself. */
function cut(change: DefinitionChange): DefinitionChange {
  return {
    ...change,
    ...(change.before !== undefined && { before: shortOf(change.before) }),
    ...(change.after !== undefined && { after: shortOf(change.after) }),
  };
}

function shortOf(value: unknown): unknown {
  const text = JSON.stringify(value) ?? "";
  return text.length <= maxLength ? value : `${text.slice(0, maxLength)}…`;
}
