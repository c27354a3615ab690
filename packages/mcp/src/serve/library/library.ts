import type { Caller } from "@toolrack/core";
import { isObject } from "@toolrack/core/internal";
import { McpError } from "../../errors.ts";
import type { PreparedResult } from "../../wire/reply.ts";
import { catalogFor } from "./catalog.ts";
import type { ServedCall } from "../client/served-call.ts";
import type { Exchange } from "../exchange.ts";
import { createPages, type Pages } from "../lists/pages.ts";
import type { ToolList, ToolLists } from "../lists/tool-lists.ts";
import { itemsFor, type ListOf, type McpPrompt, readPromptInput, type ServeContext, toPromptFields } from "./prompts.ts";
import { recipesFor } from "./recipes.ts";
import { type AnyResource, isTemplate, templateOf, toContents, toResourceFields } from "./resources.ts";
import type { CacheScope, Results } from "../results.ts";
import type { Rounds } from "../questions/rounds.ts";
import type { PageReader } from "../long-results/shared-results.ts";

/** Everything to read: prompts and resources, given by the host and made from the tools. */
export interface Library {
  listPrompts(exchange: Exchange): PreparedResult;
  getPrompt(exchange: Exchange): Promise<string>;
  listResources(exchange: Exchange): PreparedResult;
  listTemplates(exchange: Exchange): PreparedResult;
  readResource(exchange: Exchange): Promise<string>;
  promptsFor(exchange: Pick<Exchange, "caller" | "isAnonymous">): readonly McpPrompt[];
  resourcesFor(exchange: Pick<Exchange, "caller" | "isAnonymous" | "principal">): readonly AnyResource[];
}

export interface LibraryParts {
  readonly lists: ToolLists;
  readonly results: Results;
  readonly rounds: Rounds;
  readonly pages: PageReader;
  readonly prompts: ListOf<McpPrompt> | undefined;
  /** Whether tools have prompts. */
  readonly hasToolPrompts: boolean;
  readonly resources: ListOf<AnyResource> | undefined;
  readonly pageSize: number;
}

export function createLibrary(parts: LibraryParts): Library {
  const { lists, results, rounds, pages, prompts, hasToolPrompts, resources, pageSize } = parts;

  const promptsFor: Library["promptsFor"] = ({ caller, isAnonymous }) => [
    ...itemsFor(prompts, caller),
    ...(hasToolPrompts ? recipesFor(lists.for(caller, isAnonymous).tools) : []),
  ];
  const resourcesFor: Library["resourcesFor"] = ({ caller, isAnonymous, principal }) => [
    ...itemsFor(resources, caller),
    ...catalogFor(lists.for(caller, isAnonymous), pages, principal),
  ];

  /** Lists that are the same for all callers who see the same tools are serialized once; others each time. */
  function pagesOf(list: ToolList, field: string, isFixed: boolean, items: () => readonly object[]): Pages {
    const kept = isFixed ? list.derived.get(field) : undefined;
    if (kept !== undefined) return kept;
    const scope: CacheScope = isFixed ? list.scope : "private";
    const pages = createPages({ field, items: () => items() as Record<string, unknown>[], scope, pageSize, results });
    if (isFixed) list.derived.set(field, pages);
    return pages;
  }

  function listResources(exchange: Exchange, field: string, wantsTemplates: boolean): PreparedResult {
    const list = lists.for(exchange.caller, exchange.isAnonymous);
    const wanted = (): object[] =>
      resourcesFor(exchange)
        .filter((resource) => isTemplate(resource) === wantsTemplates)
        .map(toResourceFields);
    return pagesOf(list, field, isSameForAll(resources, exchange.caller), wanted).page(exchange.era, exchange.params["cursor"]);
  }

  /** A prompt or resource may ask the client too. */
  async function withClient<Answer>(
    exchange: Exchange,
    name: string,
    input: unknown,
    read: (context: ServeContext) => Promise<Answer>,
    write: (answer: Answer) => string,
  ): Promise<string> {
    const call: ServedCall = await rounds.begin(exchange, name, input);
    try {
      return write(await read({ caller: exchange.caller, client: call, signal: exchange.signal }));
    } catch (error) {
      if (call.refusal !== undefined) throw call.refusal;
      if (call.missing !== undefined) return rounds.ask(call, name, input);
      throw error;
    }
  }

  return {
    promptsFor,
    resourcesFor,
    listPrompts(exchange) {
      const list = lists.for(exchange.caller, exchange.isAnonymous);
      const items = (): object[] => promptsFor(exchange).map(toPromptFields);
      return pagesOf(list, "prompts", isSameForAll(prompts, exchange.caller), items).page(exchange.era, exchange.params["cursor"]);
    },
    async getPrompt(exchange) {
      const { name, arguments: input = {} } = exchange.params;
      const prompt = promptsFor(exchange).find((other) => other.name === name);
      if (prompt === undefined)
        throw new McpError("invalidParams", "There is no prompt of this name. List the prompts to see what there is.");
      if (!isObject(input)) throw new McpError("invalidParams", "arguments must be an object.");
      const read = readPromptInput(prompt, input);
      return withClient(
        exchange,
        prompt.name,
        input,
        async (context) => prompt.get(read, context),
        (messages) => {
          const description = prompt.description === undefined ? {} : { description: prompt.description };
          return results.complete(exchange.era, { ...description, messages });
        },
      );
    },
    listResources: (exchange) => listResources(exchange, "resources", false),
    listTemplates: (exchange) => listResources(exchange, "resourceTemplates", true),
    async readResource(exchange) {
      const { uri } = exchange.params;
      if (typeof uri !== "string") throw new McpError("invalidParams", "uri must be a text.");
      return withClient(
        exchange,
        uri,
        undefined,
        (context) => readFrom(resourcesFor(exchange), uri, context),
        (contents) => results.cacheable(exchange.era, { contents }, "private"),
      );
    },
  };
}

/** A function that has nothing for a caller leaves the list as it is for all. */
function isSameForAll<Item>(list: ListOf<Item> | undefined, caller: Caller): boolean {
  return typeof list !== "function" || list(caller).length === 0;
}

async function readFrom(resources: readonly AnyResource[], uri: string, context: ServeContext): Promise<readonly object[]> {
  for (const resource of resources) {
    if (!isTemplate(resource)) {
      if (resource.uri === uri) return toContents(uri, await resource.read(context), resource.mimeType);
      continue;
    }
    const values = templateOf(resource).match(uri);
    const content = values && (await resource.read(values, context));
    if (content !== undefined) return toContents(uri, content, resource.mimeType);
  }
  throw new McpError("invalidParams", "There is no such resource.", { uri });
}
