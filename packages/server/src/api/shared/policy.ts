import type { Caller } from "@toolrack/core";
import { type ConfiguredPolicy, diffPolicies, type PolicyDifference, toSentence } from "@toolrack/core/policy";
import type { JsonSchema } from "@toolrack/json-schema";
import type { SchemaOf } from "../../http/route.ts";
import type { Rack } from "../../rack/rack.ts";
import { listOf, objectOf } from "../_answers.ts";
import { shownCallerSchema } from "./callers.ts";

const text = { type: "string" } as const;
const changes = listOf(objectOf<ChangedTool>({ name: text, before: text, after: text }));

/** The changes for one caller: each tool with the explanation before and after. */
export const differencesSchema: SchemaOf<readonly CallerDifference[]> = listOf(
  objectOf<CallerDifference>({ caller: shownCallerSchema, gained: changes, lost: changes, askChanged: changes }),
);

/** Changes of settings below the policy: key → value, or null to remove it. */
export const changesSchema: JsonSchema = {
  type: "object",
  description: 'Key of a setting → its value, or null to remove it: {"policy.agents.support": {"tools": {"deny": ["exec"]}}}.',
  additionalProperties: true,
  minProperties: 1,
  maxProperties: 200,
};

export interface ChangedTool {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

export interface CallerDifference {
  readonly caller: Caller;
  readonly gained: readonly ChangedTool[];
  readonly lost: readonly ChangedTool[];
  readonly askChanged: readonly ChangedTool[];
}

/** The callers that gain or lose tools. */
export function simulate(rack: Rack, after: ConfiguredPolicy, callers: readonly Caller[]): readonly CallerDifference[] {
  return diffPolicies(rack.settings.configuredPolicy, after, rack.registry.list(), callers)
    .filter(({ gained, lost, askChanged }) => gained.length + lost.length + askChanged.length > 0)
    .map(({ caller, gained, lost, askChanged }) => ({
      caller,
      gained: gained.map(toChanged),
      lost: lost.map(toChanged),
      askChanged: askChanged.map(toChanged),
    }));
}

function toChanged({ name, before, after }: PolicyDifference["gained"][number]): ChangedTool {
  return { name, before: toSentence(before), after: toSentence(after) };
}
