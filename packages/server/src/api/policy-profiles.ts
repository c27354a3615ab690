import type { ToolState } from "@toolrack/core";
import { coreToolCatalog, coreToolProfiles, decideTools, policyFromConfig, type PolicyTool } from "@toolrack/core/policy";
import { nearestNames } from "@toolrack/json-schema/internal";
import { Problem } from "../http/reply/problem.ts";
import { defineRoute, type RoutesOf } from "../http/route.ts";
import type { Rack } from "../rack/rack.ts";
import { listOf, objectOf, ok } from "./_answers.ts";
import { toolStates } from "./shared/tools.ts";

/** What a profile lets through, before any other rule. */
export interface PolicyProfile {
  readonly profile: string;
  /** Those of the catalog first, then the server's own. */
  readonly tools: readonly ProfileTool[];
}

export interface ProfileTool {
  readonly name: string;
  /** Absent if this server has no such tool. */
  readonly state?: ToolState;
}

export interface PolicyProfileAnswers {
  "GET /policy/profiles": { readonly profiles: readonly string[] };
  "GET /policy/profiles/{name}": PolicyProfile;
}

const text = { type: "string" } as const;
const byName = {
  type: "object",
  properties: { name: { ...text, minLength: 1, maxLength: 200 } },
  required: ["name"],
  additionalProperties: false,
} as const;
const stateSchema = { enum: toolStates, description: "Absent if this server has no such tool." };

const list = defineRoute({
  method: "GET",
  path: "/policy/profiles",
  id: "listPolicyProfiles",
  group: "policy",
  summary: "List the names of the profiles: those that are built in, and those of the configuration.",
  needs: ["subscriber", "curator", "admin"],
  answers: ok("The built-in ones first.", objectOf<{ readonly profiles: readonly string[] }>({ profiles: listOf(text) })),
  run: ({ rack }) => ({ body: { profiles: namesIn(rack) } }),
});

const show = defineRoute({
  method: "GET",
  path: "/policy/profiles/{name}",
  id: "showPolicyProfile",
  group: "policy",
  summary: "Show the tools of a profile: those of the catalog, and those of this server.",
  needs: ["subscriber", "curator", "admin"],
  params: byName,
  answers: ok(
    "The tools that the profile lets through, before any other rule.",
    objectOf<PolicyProfile>({ profile: text, tools: listOf(objectOf<ProfileTool>({ name: text, state: stateSchema }, ["state"])) }),
  ),
  run({ rack, params }) {
    const { profiles = {}, groups = {} } = rack.settings.policy;
    const profile = params.name;
    const known = namesIn(rack);
    if (!known.includes(profile)) throw noProfile(profile, known);
    const entries = new Map(rack.registry.entries().map((entry) => [entry.tool.name, entry]));
    const all = new Map<string, PolicyTool>(coreToolCatalog.map(({ name }) => [name, { name }]));
    for (const [name, { tool }] of entries) all.set(name, tool);
    // The lists of the profile alone: without the gates that look at the caller and at what is available.
    const { tools } = decideTools({
      tools: [...all.values()],
      ...policyFromConfig({ tools: { profile }, profiles, groups }, {}),
      gates: [],
    });
    return {
      body: {
        profile,
        tools: tools.map(({ name }) => {
          const state = entries.get(name)?.state;
          return { name, ...(state !== undefined && { state }) };
        }),
      },
    };
  },
});

export const policyProfileRoutes: RoutesOf<PolicyProfileAnswers> = [list, show];

function namesIn({ settings }: Pick<Rack, "settings">): readonly string[] {
  return [...new Set([...coreToolProfiles, ...Object.keys(settings.policy.profiles ?? {})])];
}

function noProfile(name: string, known: readonly string[]): Problem {
  const [near] = nearestNames(name, known, 1);
  const next = near === undefined ? `Known profiles: ${known.join(", ")}.` : `Did you mean "${near}"?`;
  return new Problem(404, "NOT_FOUND", `There is no profile "${name}". ${next}`);
}
