import { lintTools } from "@toolrack/core";
import { Problem } from "../http/problem.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { listOf, objectOf, ok } from "./_answers.ts";

const text = { type: "string" } as const;
const findingSchema = objectOf(
  { rule: text, severity: { enum: ["error", "warning", "info"] }, tool: text, path: text, message: text, fix: text },
  ["tool"],
);

const lint = defineRoute({
  method: "GET",
  path: "/lint",
  id: "lintTools",
  group: "tools",
  summary: "Check the definitions and examples of all tools, or of one; each finding comes with its fix.",
  needs: ["subscriber", "curator", "admin"],
  query: { type: "object", properties: { tool: text }, additionalProperties: false },
  answers: ok("What is worth mending.", objectOf({ findings: listOf(findingSchema), tools: { type: "integer" } })),
  run({ rack, query }) {
    const all = rack.registry.entries().map(({ tool }) => tool);
    const tools = query.tool === undefined ? all : all.filter(({ name }) => name === query.tool);
    if (query.tool !== undefined && tools.length === 0)
      throw new Problem(404, "TOOL_NOT_FOUND", `There is no tool "${query.tool.slice(0, 140)}".`);
    return { body: { findings: lintTools(tools), tools: tools.length } };
  },
});

export const lintRoutes: readonly Route[] = [lint];
