import { estimateTokens } from "@toolrack/core/prompt";
import { exportTools, providerTargets } from "@toolrack/core/vendors";
import type { ReadOpenApiOptions } from "../options.ts";
import { describeOpenApiTool } from "./described.ts";
import { type OpenApiDocumentFacts, type OpenApiTools, readOpenApi } from "./read-openapi.ts";

/** What an import would give, before anything is imported. */
export interface OpenApiPlan {
  readonly document: OpenApiDocumentFacts;
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
  readonly readOnly: boolean;
  readonly destructive: boolean;
  /** About what its declaration costs. */
  readonly tokens: number;
  readonly secrets: readonly string[];
}

/** Reads a document without importing it: counts, names, tokens for each vendor, and what is refused and why. */
export function planOpenApi(document: unknown, options: ReadOpenApiOptions = {}): OpenApiPlan {
  const { tools, refused, warnings, document: facts } = readOpenApi(document, options);
  const described = tools.map((tool) => ({ tool, own: describeOpenApiTool(tool) }));
  return {
    document: facts,
    operations: { imported: tools.length, refused: refused.length },
    methods: countOf(described.map(({ own }) => own.method)),
    tags: countOf(described.flatMap(({ own }) => (own.tags.length === 0 ? [""] : own.tags))),
    tools: described.map(({ tool, own }) => ({
      name: tool.name,
      operation: `${own.method} ${own.path}`,
      ...(own.operationId !== undefined && { operationId: own.operationId }),
      description: tool.description,
      tags: own.tags,
      deprecated: own.deprecated,
      readOnly: tool.metadata?.annotations?.readOnly === true,
      destructive: tool.metadata?.annotations?.destructive === true,
      tokens: estimateTokens(JSON.stringify([tool.name, tool.description, tool.inputSchema])),
      secrets: tool.metadata?.secrets ?? [],
    })),
    tokens: tokensOf(tools),
    secrets: [...new Set(tools.flatMap((tool) => tool.metadata?.secrets ?? []))],
    servers: [...new Set(described.flatMap(({ own }) => own.server ?? []))],
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
