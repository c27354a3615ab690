import { shellWord } from "@toolrack/core/internal/shell-word";
import type { AuditNote, Breadcrumb, SeenUpstream } from "@toolrack/store";
import type { LedgerDraft } from "./ledger.ts";
import type { Look } from "./look.ts";
import type { WaitingContext } from "./waiting-record.ts";

/** The lines of the audit about one batch of a list. */
export function linesOf(
  look: Look,
  {
    drafts,
    waiting,
    gone,
  }: { readonly drafts: readonly LedgerDraft[]; readonly waiting: readonly WaitingContext[]; readonly gone: readonly Breadcrumb[] },
): readonly AuditNote[] {
  return [
    ...waiting.filter(isOpen).map((one) => waitsLine(look, one)),
    ...(drafts.some(({ approved }) => approved !== undefined) ? [pinnedLine(look, drafts)] : []),
    ...(gone.length > 0 ? [goneLine(look, gone)] : []),
  ];
}

export function isOpen({ isWithdrawn, refused }: WaitingContext): boolean {
  return isWithdrawn !== true && refused !== true;
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

/** Tells the operator what waits. */
export function tell(log: Look["log"], { draft, what, reason, effect, told }: WaitingContext): void {
  const tool = String(draft.context["name"]);
  const fact = reason === "new" ? "is new" : "has changed";
  log.warn(
    `The definition of the ${what ?? "tool"} "${tool}" ${fact} and waits for a person${what !== undefined && effect === "held" ? ", so no client gets it" : effects[effect]}. Look at it with: toolrack approve ${shellWord(tool)}`,
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
