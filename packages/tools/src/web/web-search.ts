import { defineTool, type ToolDefinition, ToolError } from "@toolrack/core";
import { htmlToText } from "../operations/html-text.ts";
import type { WebOperations } from "./operations.ts";
import type { SearchBackend, SearchHit } from "./backends/backend.ts";
import { brave } from "./backends/brave.ts";
import { searxng } from "./backends/searxng.ts";
import { tavily } from "./backends/tavily.ts";

export interface WebSearchOptions {
  /** The engine that answers. @default the one in the saved settings of web_search */
  readonly backend?: "brave" | "searxng" | "tavily";
  /** Where the engine is; SearXNG has no address of its own. A host named here may be a private one. */
  readonly baseUrl?: string;
  /** The secret that holds the engine's key. @default "brave-api-key" or "tavily-api-key" */
  readonly secret?: string;
}

interface Settings {
  readonly backend?: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
}

const backends: ReadonlyMap<string, SearchBackend> = new Map([brave, searxng, tavily].map((backend) => [backend.id, backend]));

/** Throws CONFIG_INVALID for an engine that is not known. */
export function createWebSearch(operations: WebOperations, options: WebSearchOptions = {}): ToolDefinition {
  if (options.backend !== undefined && !backends.has(options.backend))
    throw new ToolError(
      "CONFIG_INVALID",
      `There is no search backend "${options.backend}". Use one of ${[...backends.keys()].join(", ")}.`,
    );
  const secret = options.secret ?? (options.backend === undefined ? undefined : backends.get(options.backend)?.secret);
  return defineTool({
    name: "web_search",
    title: "Search the web",
    description: "Searches the web and gives titles, addresses and a few words of each page.",
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string", minLength: 1, maxLength: 400, description: "What to search for." },
        max_results: { type: "integer", minimum: 1, maximum: 20, default: 5, description: "At most this many pages." },
      },
      required: ["query"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        results: {
          type: "array",
          description: "The best first.",
          items: {
            type: "object",
            properties: { title: { type: "string" }, url: { type: "string" }, snippet: { type: "string" } },
            required: ["title", "url", "snippet"],
          },
        },
        count: { type: "integer" },
        backend: { type: "string", description: "The engine that answered." },
      },
      required: ["results", "count", "backend"],
    },
    metadata: {
      category: "research",
      optionality: "optional",
      usageHint: "When facts are newer than what you know, or need a source. Read the pages with web_fetch before relying on them.",
      examples: [{ description: "Find a page", input: { query: "JSON Schema 2020-12", max_results: 3 }, usage: "result.results[0].url" }],
      annotations: { readOnly: true, idempotent: true, openWorld: true },
      limits: { timeoutMs: 30_000, maxResultBytes: 131_072, concurrency: 8 },
      groups: ["web"],
      requiresCapabilities: ["network"],
      ...(secret !== undefined && { secrets: [secret] }),
      configSchema: {
        type: "object",
        properties: {
          backend: {
            type: "string",
            enum: [...backends.keys()],
            description: "The search engine.",
            ...(options.backend && { default: options.backend }),
          },
          baseUrl: { type: "string", description: "Where the engine is; needed for searxng.", "x-toolrack-admin": true },
          apiKey: {
            type: "string",
            description: `The engine's key: secret:${secret ?? "brave-api-key"}.`,
            "x-toolrack-secret": true,
          },
        },
        required: ["backend"],
        additionalProperties: false,
      },
    },
    async handler({ query, max_results }, context) {
      const settings = (context.config ?? {}) as Settings;
      const backend = backends.get(settings.backend ?? options.backend ?? "");
      if (backend === undefined) throw notSet("backend", `Set it to one of ${[...backends.keys()].join(", ")}.`);
      const baseUrl = settings.baseUrl ?? options.baseUrl;
      if (baseUrl === undefined && backend.defaultUrl === undefined) throw notSet("baseUrl", `${backend.name} needs its address.`);
      const key = backend.secret === undefined ? "" : await keyOf(settings, secret, context.secret);
      const service = { name: backend.name, defaultUrl: backend.defaultUrl ?? "", baseUrl, http: operations.http, signal: context.signal };
      const found = await backend.search(service, { query, limit: max_results }, key);
      const results = found
        .map(readHit)
        .filter((hit) => hit !== undefined)
        .slice(0, max_results);
      return { results, count: results.length, backend: backend.id };
    },
  });
}

function keyOf({ apiKey }: Settings, secret: string | undefined, read: (name: string) => Promise<string>): Promise<string> | string {
  if (apiKey !== undefined) return apiKey.startsWith("secret:") ? read(apiKey.slice("secret:".length)) : apiKey;
  if (secret !== undefined) return read(secret);
  throw notSet(
    "apiKey",
    "Configure the engine when the tools are created, createWebTools({ search: { backend } }), so that its secret is declared.",
  );
}

function notSet(setting: string, remedy: string): ToolError {
  return new ToolError("NEEDS_CONFIGURATION", `The setting "${setting}" of "web_search" is not set. ${remedy}`);
}

/** Engines mark the words that were found, as HTML; and what is no address of a page is left out. */
function readHit({ title, url, snippet }: Partial<Record<keyof SearchHit, unknown>>): SearchHit | undefined {
  if (typeof url !== "string" || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return undefined;
  const text = (value: unknown, most: number): string =>
    typeof value === "string" ? htmlToText(value.slice(0, 10_000)).slice(0, most) : "";
  return { title: text(title, 300) || url, url, snippet: text(snippet, 1_000) };
}
