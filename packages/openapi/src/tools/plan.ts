import { estimateTokens } from "@toolrack/core/prompt";
import { exportTools, providerTargets } from "@toolrack/core/vendors";
import type { ReadOpenApiOptions } from "../options.ts";
import { describeOpenApiTool } from "./described.ts";
import { type OpenApiTools, readOpenApi } from "./read-openapi.ts";

/** What an import would give, before anything is imported. */
export interface OpenApiPlan {
  readonly operations: { readonly imported: number; readonly refused: number };
  readonly methods: Readonly<Record<string, number>>;
  /** Tag → how many tools have it; "" for those without one. */
  readonly tags: Readonly<Record<string, number>>;
  readonly tools: readonly PlannedTool[];
  /** Vendor → about how many tokens all declarations cost in a request. */
  readonly tokens: Readonly<Record<string, number>>;
  /** The secrets that the tools would read. */
  readonly secrets: readonly string[];
  /** Where requests would go. */
  readonly servers: readonly string[];
  readonly refused: OpenApiTools["refused"];
  readonly warnings: readonly string[];
}

export interface PlannedTool {
  readonly name: string;
  /** "GET /pets" */
  readonly operation: string;
  readonly operationId?: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
}

/** Reads a document without importing it: counts, names, tokens for each vendor, and what is refused and why. */
export function planOpenApi(document: unknown, options: ReadOpenApiOptions = {}): OpenApiPlan {
  const { tools, refused, warnings } = readOpenApi(document, options);
  const described = tools.map((tool) => ({ tool, facts: describeOpenApiTool(tool) }));
  return {
    operations: { imported: tools.length, refused: refused.length },
    methods: countOf(described.map(({ facts }) => facts.method)),
    tags: countOf(described.flatMap(({ facts }) => (facts.tags.length === 0 ? [""] : facts.tags))),
    tools: described.map(({ tool, facts }) => ({
      name: tool.name,
      operation: `${facts.method} ${facts.path}`,
      ...(facts.operationId !== undefined && { operationId: facts.operationId }),
      description: tool.description,
      tags: facts.tags,
      deprecated: facts.deprecated,
    })),
    tokens: tokensOf(tools),
    secrets: [...new Set(tools.flatMap((tool) => tool.metadata?.secrets ?? []))],
    servers: [...new Set(described.flatMap(({ facts }) => facts.server ?? []))],
    refused,
    warnings,
  };
}

function countOf(values: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1)));
}

/** A sample stands for a large document: estimating every tool for every vendor would take longer than reading it. */
const sampled = 50;

function tokensOf(tools: readonly OpenApiTools["tools"][number][]): Readonly<Record<string, number>> {
  const step = Math.max(1, Math.ceil(tools.length / sampled));
  const sample = tools.filter((_, index) => index % step === 0);
  return Object.fromEntries(
    providerTargets.map((target) => {
      const tokens = sample.length === 0 ? 0 : estimateTokens(exportTools(sample, target).text);
      return [target, Math.round((tokens * tools.length) / Math.max(1, sample.length))];
    }),
  );
}
