import type { Caller, Registry } from "@toolrack/core";
import { metaToolNames } from "@toolrack/core/search";
import { runCodeName } from "../../rack/programs/run-code.ts";
import type { WaitingDefinition } from "../../rack/trust/trust.ts";
import { unlistedNote } from "../../rack/access/unlisted-note.ts";

export interface CallerInstructionsOptions {
  readonly registry: Pick<Registry, "view">;
  /** The same, with the tools that this endpoint lists. */
  readonly listed: Pick<Registry, "view">;
  /** The bundle that both are narrowed to. */
  readonly bundle?: string | undefined;
  readonly caller: Caller;
  /** Definitions that wait for a person, of all sources. */
  readonly waiting?: readonly Pick<WaitingDefinition, "tool" | "what" | "source" | "effect">[];
}

/** For the model: what this caller may use, what waits for a person, and how to find the right tool. */
export function callerInstructions({ registry, listed, bundle, caller, waiting = [] }: CallerInstructionsOptions): string {
  const { tools, decision, decisionAbout } = registry.view(caller);
  const held = waiting.filter(({ tool, what, effect }) => what === "tool" && effect === "held" && decisionAbout({ name: tool }).allowed);
  const names = tools.map(({ name }) => name);
  const own = names.filter((name) => !metaToolNames.includes(name));
  const who = caller.principal === "anonymous" ? "You have not signed in" : `You act as the agent "${caller.agent ?? "unknown"}"`;
  const where = bundle === undefined ? "" : ` of the bundle "${bundle}"`;
  if (own.length === 0)
    return [
      unlistedNote(registry, caller) ?? `${who}, and may use no tools${where} here. An administrator of this server decides that.`,
      ...heldNote(held),
    ].join(" ");
  const asks = own.filter((name) => decision(name)?.ask !== undefined);
  const shown = listed.view(caller).tools.filter(({ name }) => !metaToolNames.includes(name)).length;
  const canSearch = metaToolNames.every((name) => names.includes(name));
  return [
    `${who}, and may use ${count(own.length, "tool")}${bundle === undefined ? " of this server" : `${where} here`}: ${groupsOf(own)}.`,
    ...(asks.length === 0
      ? []
      : [
          `${asks.length === own.length ? "Each call" : `A call of ${list(asks)}`} waits until a person has approved it; tell the user what you wait for.`,
        ]),
    ...(shown < own.length && canSearch
      ? [
          `${shown === 0 ? "None" : `Only ${shown}`} of them ${shown === 1 ? "is" : "are"} listed: find one with search_tools by what it should do, read its parameters with describe_tool, and call it with call_tool.`,
        ]
      : canSearch && own.length > manyTools
        ? ["To find the right one by what it should do, use search_tools."]
        : []),
    ...(names.includes(runCodeName)
      ? [
          `${shown < own.length && !canSearch ? "Call those that are not listed" : "Make several calls"} in one program with ${runCodeName}.`,
        ]
      : []),
    ...heldNote(held),
  ].join(" ");
}

/** That something waits, and where; not the names, which the sources chose. Nothing can be approved from here. */
function heldNote(held: readonly Pick<WaitingDefinition, "source">[]): readonly string[] {
  if (held.length === 0) return [];
  const sources = [...new Set(held.map(({ source }) => source))];
  const fact = `${count(held.length, "further tool")} of ${list(sources)} ${held.length === 1 ? "is" : "are"} held until a person has looked at new or changed definitions`;
  return [`${fact}: toolrack approvals on the server, or its console. You cannot approve that; tell the user if you miss one of them.`];
}

const manyTools = 20;
const maxNames = 12;

/** "github__* (30), memory__* (9), random, uuid": what comes from one source stands together. */
function groupsOf(names: readonly string[]): string {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const prefix = /^(.+?)__/.exec(name)?.[1];
    const key = prefix === undefined ? name : `${prefix}__*`;
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  return list([...groups].map(([key, members]) => (members.length === 1 ? members[0]! : `${key} (${members.length})`)));
}

function list(names: readonly string[]): string {
  return names.length <= maxNames ? names.join(", ") : `${names.slice(0, maxNames).join(", ")} and ${names.length - maxNames} more`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
