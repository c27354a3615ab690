import type { RegistryEntry, ToolDefinition } from "@toolrack/core";
import type { ScanFinding } from "@toolrack/core/scan";
import { defineRoute, type RoutesOf } from "../http/route.ts";
import { listOf, objectOf, ok } from "./_answers.ts";
import { nextOffset, pageOf, type PageQuery, pageQuery } from "./_pages.ts";
import { findingSchema } from "./shared/definitions.ts";
import { noTool, ofSource } from "./shared/tools.ts";

const text = { type: "string" } as const;

/** What the scanner finds in one tool. */
export interface ScannedToolFindings {
  readonly tool: string;
  readonly source: string;
  readonly findings: readonly ScanFinding[];
}

export interface ScanReport {
  /** Tools with findings, the worst first. */
  readonly found: readonly ScannedToolFindings[];
  /** How many tools were looked at. */
  readonly tools: number;
  readonly next?: number;
}

export interface ScanAnswers {
  "GET /scan": ScanReport;
}

const scan = defineRoute({
  method: "GET",
  path: "/scan",
  id: "scanTools",
  group: "tools",
  summary: "Scan the definitions of all tools, of one source or of one tool.",
  needs: ["subscriber", "curator", "admin"],
  isHeavy: true,
  query: { type: "object", properties: { tool: text, source: text, ...pageQuery }, additionalProperties: false },
  answers: ok(
    "What a person should look at.",
    objectOf<ScanReport>(
      {
        found: listOf(objectOf<ScannedToolFindings>({ tool: text, source: text, findings: listOf(findingSchema) })),
        tools: { type: "integer" },
        next: nextOffset,
      },
      ["next"],
    ),
  ),
  async run({ rack, query }) {
    // Loaded when it is needed: no other operation uses the rules.
    const { scanTool } = await import("@toolrack/core/scan");
    const all = rack.registry.entries();
    const isOfSource = query.source === undefined ? undefined : ofSource(rack, query.source);
    const wanted = all.filter(
      ({ tool, source }) => (query.tool === undefined || tool.name === query.tool) && isOfSource?.(source) !== false,
    );
    if (query.tool !== undefined && wanted.length === 0)
      throw noTool(
        query.tool,
        all.map(({ tool }) => tool),
      );
    const accept = rack.trust.accepted();
    // A source may call two of its own tools alike; the lock compares a tool with those of the others, too.
    const others = new Map([...new Set(wanted.map(({ source }) => source))].map((id) => [id, toolsBeside(all, id)]));
    const found = wanted
      .map(({ tool, source }) => ({ tool: tool.name, source, findings: scanTool(tool, { among: others.get(source)!, accept }) }))
      .filter(({ findings }) => findings.length > 0)
      .toSorted((a, b) => rankOf(b.findings) - rankOf(a.findings));
    const { items, ...rest } = pageOf(found, query as PageQuery);
    return { body: { found: items, tools: wanted.length, ...rest } };
  },
});

function toolsBeside(all: readonly RegistryEntry[], id: string): readonly ToolDefinition[] {
  return all.flatMap(({ tool, source }) => (source === id ? [] : [tool]));
}

const ranks = { info: 0, warning: 1, danger: 2 } as const;

function rankOf(findings: readonly ScanFinding[]): number {
  return Math.max(...findings.map(({ severity }) => ranks[severity]));
}

export const scanRoutes: RoutesOf<ScanAnswers> = [scan];
