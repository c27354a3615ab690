import type { Caller, ToolDefinition } from "@toolrack/core";
import { type Reranker, searchTools, searchToolsByMeaning } from "@toolrack/core/search";
import type { SeenShapes } from "./seen-shapes.ts";
import { signatureOf } from "./signature.ts";

export interface InsideOptions {
  /** The tools that the program can call. */
  readonly tools: readonly ToolDefinition[];
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly reranker?: Reranker | undefined;
  readonly seen: Pick<SeenShapes, "of">;
}

/** What a program asks about tools, answered without a call and from the list that it calls from. `name` is one of `insideFunctions`. */
export async function askInside(name: string, args: unknown, options: InsideOptions): Promise<unknown> {
  const given: readonly unknown[] = Array.isArray(args) ? args : [args];
  return name.endsWith("search") ? search(given, options) : describe(given, options);
}

async function search([query, given]: readonly unknown[], { tools, caller, reranker, signal, seen }: InsideOptions): Promise<unknown> {
  if (typeof query !== "string") throw wrong('search needs a text: search("refund an order", { limit: 5 }).');
  const wanted = typeof given === "object" && given !== null ? (given as { limit?: unknown }).limit : undefined;
  const limit = typeof wanted === "number" && wanted >= 1 ? Math.min(50, Math.floor(wanted)) : 5;
  const hits = await (reranker === undefined
    ? searchTools(tools, query, { limit })
    : searchToolsByMeaning(tools, query, { limit, reranker, signal }));
  return hits.map(({ tool }) => ({
    name: tool.name,
    signature: signatureOf(tool, { seen: seen.of(tool, caller) }),
    summary: summaryOf(tool),
  }));
}

function describe([name]: readonly unknown[], { tools, caller, seen }: InsideOptions): unknown {
  if (typeof name !== "string") throw wrong('describe needs the name of a tool: describe("find_order").');
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw wrong(`There is no tool ${JSON.stringify(name.slice(0, 140))}. Find one with search.`);
  const { description, inputSchema, outputSchema, metadata: { usageHint, examples } = {} } = tool;
  return {
    name,
    signature: signatureOf(tool, { comments: true, seen: seen.of(tool, caller) }),
    description,
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema }),
    ...(usageHint !== undefined && { usageHint }),
    ...(examples !== undefined && { examples }),
  };
}

function summaryOf({ description }: ToolDefinition): string {
  const text = description.replace(/\s+/g, " ").trim();
  return text.length <= maxSummary ? text : `${text.slice(0, maxSummary).trimEnd()}…`;
}

const maxSummary = 160;

function wrong(message: string): Error {
  return Object.assign(new Error(message), { code: "INPUT_INVALID" });
}
