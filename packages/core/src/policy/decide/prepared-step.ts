import type { IndexedTools } from "../entries/indexed-tools.ts";
import { type Among, createListMatcher, type ListMatcher } from "../entries/list-matcher.ts";
import type { ListEntry } from "../entries/entries.ts";
import type { Marks } from "../entries/marks.ts";
import { namesOnlyPlugins } from "../entries/plugin-only.ts";
import { namedBy } from "../gates/optional-plugin.ts";
import type { PolicyTool } from "../policy.ts";
import { type EvaluatedStep, joinLists, type ReadStep, yieldsToPlugins } from "./evaluate-step.ts";

/** A step that is applied to single tools: what that needs is made once, and does not grow with the tools. */
export interface PreparedStep {
  /** What `evaluateStep` says of the first tool of `one`, as the only class. */
  evaluate(one: IndexedTools, among: Among): EvaluatedStep;
  /** Whether an allow list of the step names this plugin tool, its plugin, or `group:plugins`. */
  isNamed(tool: PolicyTool): boolean;
}

export function prepareStep({ step, allow, alsoAllow, deny, ask }: ReadStep): PreparedStep {
  const restricts = allow.length > 0;
  const lists = {
    allow: toMatcher(restricts ? joinLists(allow, alsoAllow, step.profile) : alsoAllow, true),
    deny: toMatcher(deny, false),
    ask: toMatcher(ask, false),
  };
  const isNamed = namedBy([...allow, ...alsoAllow]);
  let last: { readonly tools: IndexedTools; readonly isSetAside: boolean } | undefined;

  function isSetAside(among: Among): boolean {
    if (!restricts || !yieldsToPlugins(step)) return false;
    const [tools, own] = among;
    if (own === undefined && last?.tools === tools) return last!.isSetAside;
    const joins = among.some(({ known }) => step.profile !== undefined && known.profiles.has(step.profile));
    const decided = namesOnlyPlugins(joinLists(allow, alsoAllow, joins ? step.profile : undefined), among);
    if (own === undefined) last = { tools: tools!, isSetAside: decided };
    return decided;
  }

  return {
    isNamed,
    evaluate(one, among) {
      const marks = toMarks(lists.allow, one, among);
      const setAside = isSetAside(among);
      return {
        step,
        allow: restricts && !setAside ? marks : undefined,
        setAside: setAside ? marks : undefined,
        extra: restricts ? undefined : marks,
        deny: toMarks(lists.deny, one, among),
        ask: toMarks(lists.ask, one, among),
      };
    },
  };
}

function toMatcher(entries: readonly ListEntry[], grants: boolean): ListMatcher | undefined {
  return entries.length === 0 ? undefined : createListMatcher(entries, grants);
}

const noHits = new Uint8Array(0);

function toMarks(list: ListMatcher | undefined, one: IndexedTools, among: Among): Marks | undefined {
  return list && { entries: list.entries, byClass: [list.entryFor(one, among)], hits: noHits };
}
