import { setImmediate as nextTurn } from "node:timers/promises";
import type { BreadcrumbDraft, JsonObject } from "../../record/breadcrumb.ts";
import type { Change } from "../../engine/engine.ts";
import type { BreadcrumbStore, ChangesOptions, WriteResult } from "../../store/store.ts";

/** The published example of a definition. */
export const randomDefinition: BreadcrumbDraft = {
  schema_name: "tool.definition.v1",
  id: "tool-def-random",
  title: "Random Number Generator",
  tags: ["tool:definition", "workspace:tools", "category:general"],
  context: {
    name: "random",
    version: "1.0.0",
    description: "Generate random numbers",
    category: "general",
    inputSchema: {
      type: "object",
      properties: {
        min: { type: "number", default: 0 },
        max: { type: "number", default: 100 },
        count: { type: "number", default: 1 },
      },
    },
    outputSchema: {
      type: "object",
      properties: { numbers: { type: "array", items: { type: "number" }, description: "Array of generated numbers" } },
    },
    examples: [
      {
        description: "Generate single number",
        input: { min: 1, max: 10 },
        output: { numbers: [7] },
        usage: "Access with: result.numbers[0]",
      },
    ],
  },
};

/** The published example of a configuration, its text version where it belongs. */
export const openrouterConfig: BreadcrumbDraft = {
  id: "openrouter",
  schema_name: "tool.config.v1",
  semantic_version: "v1.0.0",
  tags: ["tool:config", "tool:config:openrouter"],
  context: {
    tool: "openrouter",
    config: { apiKey: "secret:openrouter-api-key", defaultModel: "google/gemini-2.5-flash", temperature: 0.7, maxTokens: 4000 },
  },
};

export function note(id: string, more: Partial<BreadcrumbDraft> = {}): BreadcrumbDraft {
  return { id, schema_name: "note.v1", title: `Note ${id}`, context: { text: `text of ${id}` }, ...more };
}

export function definition(name: string, more: JsonObject = {}, draft: Partial<BreadcrumbDraft> = {}): BreadcrumbDraft {
  const context = { name, description: `Does ${name}`, inputSchema: { type: "object" }, ...more };
  return { schema_name: "tool.definition.v1", title: name, tags: ["workspace:tools"], context, ...draft };
}

/** The record of a write that must have succeeded. */
export function written(result: WriteResult): Extract<WriteResult, { ok: true }>["record"] {
  if (!result.ok) throw new Error(result.message);
  return result.record;
}

/** The next `count` changes. */
export async function take(store: BreadcrumbStore, count: number, options: ChangesOptions = {}): Promise<Change[]> {
  const controller = new AbortController();
  const found: Change[] = [];
  for await (const change of store.changes({ since: 0, ...options, signal: controller.signal })) {
    if (found.push(change) === count) controller.abort();
  }
  return found;
}

/** Lets others do something, for so many turns of the event loop. */
export async function pass(turns: number): Promise<void> {
  for (; turns > 0; turns--) await nextTurn();
}
