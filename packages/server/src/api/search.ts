import type { HitReason } from "@toolrack/core/search";
import { defineRoute, type RoutesOf } from "../http/route.ts";
import { listOf, objectOf, ok } from "./_answers.ts";
import { callerFor, runAsParameters } from "./shared/callers.ts";
import { findTools } from "./shared/tools.ts";

export interface SearchHit {
  readonly tool: string;
  readonly description: string;
  readonly score: number;
  readonly why: readonly HitReason[];
}

export interface SearchHits {
  readonly hits: readonly SearchHit[];
}

export interface SearchAnswers {
  "GET /search": SearchHits;
}

const text = { type: "string" } as const;

const search = defineRoute({
  method: "GET",
  path: "/search",
  id: "searchTools",
  isHeavy: true,
  group: "tools",
  summary: "Find the tools for a task, best first, among those that the caller may use.",
  query: {
    type: "object",
    properties: {
      q: { type: "string", maxLength: 100_000, description: "The task, in plain words." },
      limit: { type: "integer", minimum: 1, maximum: 200, default: 5 },
      ...runAsParameters,
    },
    required: ["q"],
    additionalProperties: false,
  },
  answers: ok(
    "The tools that were found.",
    objectOf<SearchHits>({
      hits: listOf(
        objectOf<SearchHit>({
          tool: text,
          description: text,
          score: { type: "number", description: "Comparable only within one answer." },
          why: {
            type: "array",
            items: { type: "object", additionalProperties: true },
            description: "Why it matches: words, most important first, then everything else that raised its score.",
          },
        }),
      ),
    }),
  ),
  async run(request) {
    const { q, limit } = request.query;
    const caller = callerFor(request, request.query);
    const hits = await findTools(request.rack, caller, q, { limit, signal: request.signal });
    return { body: { hits: hits.map(({ tool, score, why }) => ({ tool: tool.name, description: tool.description, score, why })) } };
  },
});

export const searchRoutes: RoutesOf<SearchAnswers> = [search];
