import type { Finding } from "@toolrack/core/lint";
import type { SourceConfig } from "../config/config.ts";
import { credentialRemedy, plainCredentialRule, plainCredentialsIn } from "../config/shown-source.ts";
import { defineRoute, type RoutesOf } from "../http/route.ts";
import type { Setting } from "../rack/rack.ts";
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
    if (query.tool !== undefined && tools.length === 0) throw noTool(query.tool, all);
    const ofSources = query.tool === undefined ? rack.settings.list().flatMap(lintSetting) : [];
    const { items: findings, ...rest } = pageOf(
      [...lintTools(tools, { rules: [...drift, ...rack.modules.lintRules] }), ...ofSources],
      query as PageQuery,
    );
    return { body: { findings, tools: tools.length, ...rest } };
  },
});

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
