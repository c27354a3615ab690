import type { RegistryEntry } from "@toolrack/core";
import { normalizeToolName } from "@toolrack/core/internal";
import type { Finding } from "@toolrack/core/lint";
import type { SourceConfig } from "../config/config.ts";
import { credentialRemedy, plainCredentialRule, plainCredentialsIn } from "../config/shown-source.ts";
import { type SearchQuery, withoutSeen } from "@toolrack/store";
import { defineRoute, type RoutesOf } from "../http/route.ts";
import { calledTools } from "../rack/programs/kinds/called-tools.ts";
import type { Rack, Setting } from "../rack/rack.ts";
import { listOf, objectOf, ok } from "./_answers.ts";
import { nextOffset, pageOf, type PageQuery, pageQuery } from "./_pages.ts";
import { noTool } from "./shared/tools.ts";

const text = { type: "string" } as const;

export interface LintReport {
  readonly findings: readonly Finding[];
  readonly tools: number;
  readonly next?: number;
}

export interface LintAnswers {
  "GET /lint": LintReport;
}

const findingSchema = objectOf<Finding>(
  { rule: text, severity: { enum: ["error", "warning", "info"] }, tool: text, path: text, message: text, fix: text },
  ["tool"],
);

const lint = defineRoute({
  method: "GET",
  path: "/lint",
  id: "lintTools",
  group: "tools",
  isCompressed: true,
  summary: "Check the definitions and examples of all tools, or of one; each finding has a fix.",
  needs: ["subscriber", "curator", "admin"],
  isHeavy: true,
  query: {
    type: "object",
    properties: {
      tool: text,
      drift: { type: "boolean", description: "Also compare what handlers read with their input schemas. No handler is run." },
      ...pageQuery,
    },
    additionalProperties: false,
  },
  answers: ok(
    "What is worth mending.",
    objectOf<LintReport>({ findings: listOf(findingSchema), tools: { type: "integer" }, next: nextOffset }, ["next"]),
  ),
  async run({ rack, query }) {
    // Loaded when it is needed: no other operation uses the rules.
    const { lintTools } = await import("@toolrack/core/lint");
    const drift = query.drift === true ? [await (await import("../javascript/drift-rule.ts")).loadDriftRule()] : [];
    const all = rack.registry.entries().map(({ tool }) => tool);
    const tools = query.tool === undefined ? all : all.filter(({ name }) => name === query.tool);
    const stored = await lintStored(rack, query.tool);
    if (query.tool !== undefined && tools.length === 0 && !stored.known.has(query.tool)) throw noTool(query.tool, all);
    const ofSources = query.tool === undefined ? rack.settings.list().flatMap(lintSetting) : [];
    const found = lintTools(tools, { rules: [...drift, ...rack.modules.lintRules] });
    const { items: findings, ...rest } = pageOf(
      [...found.filter((one) => !isTwinOfPacks(one, rack.registry.entries())), ...stored.findings, ...ofSources],
      query as PageQuery,
    );
    return { body: { findings, tools: tools.length, ...rest } };
  },
});

/** Tools of the packs that policies know by one name, such as `bash` and `exec`, belong together, and nobody here could rename them. */
function isTwinOfPacks({ rule, tool = "" }: Finding, entries: readonly RegistryEntry[]): boolean {
  if (rule !== "duplicate-name") return false;
  return entries.every(({ tool: other, source }) => source === "packs" || normalizeToolName(other.name) !== normalizeToolName(tool));
}

/**
 * Findings about stored programs and chains, also about drafts: what keeps them from running, or calls a tool that is not there. About other kinds, only
 * where they may be called.
 */
async function lintStored(
  { store, definitionProblem, definitionFaults }: Rack,
  tool: string | undefined,
): Promise<{ readonly findings: readonly Finding[]; readonly known: ReadonlySet<string> }> {
  const findings: Finding[] = [];
  const known = new Set<string>();
  const query: SearchQuery = { schema_name: "tool.definition.v1", includeContext: true };
  const faults = definitionFaults();
  for (const { id, title, context } of await store.searchBreadcrumbs(withoutSeen(query))) {
    const name = String(context?.["name"]);
    const isProgram = context !== undefined && calledTools({ context }) !== undefined;
    if (context === undefined || !(isProgram || faults.has(id)) || (tool !== undefined && name !== tool)) continue;
    known.add(name);
    const problem = isProgram ? await definitionProblem({ title, context }) : faults.get(id)!.reason;
    if (problem !== undefined)
      findings.push({
        rule: "stored-program",
        severity: "error",
        tool: name,
        path: "/implementation",
        message: problem,
        fix: "Change the stored definition, and approve it again.",
      });
  }
  return { findings, known };
}

/** Findings about sources: credentials that should be secrets. */
function lintSetting({ key, value }: Setting): Finding[] {
  if (!key.startsWith("sources.") || value === null) return [];
  return plainCredentialsIn(value as SourceConfig).map((member) => ({
    rule: plainCredentialRule,
    severity: "warning",
    path: `${key}.${member}`,
    message: `${key}.${member} holds a credential.`,
    fix: credentialRemedy,
  }));
}

export const lintRoutes: RoutesOf<LintAnswers> = [lint];
