import { type Caller, ToolError } from "@toolrack/core";
import { isOutage } from "@toolrack/core/internal";
import { McpError } from "../errors.ts";
import { type Era, type JsonObject, modernVersions, tasksExtension } from "../wire/protocol.ts";
import { PreparedResult, type ResultJson } from "../wire/reply.ts";
import type { ToolCalls } from "./calls/call-tool.ts";
import { complete } from "./library/completion.ts";
import type { Exchange } from "./exchange.ts";
import type { Library } from "./library/library.ts";
import type { ToolLists } from "./lists/tool-lists.ts";
import type { CacheScope, Results } from "./results.ts";
import type { ServeMcpOptions } from "./serve-options.ts";
import { cancelTask, getTask, type TaskParts, updateTask } from "./tasks/task-methods.ts";

/** What the server does, by method. Transports add what belongs to a connection: handshakes, levels and subscriptions. */
export interface Methods {
  has(era: Era, method: string): boolean;
  /** Throws, or rejects with, whatever went wrong; `toMcpError` makes an error of the protocol of it. */
  answer(exchange: Exchange): ResultJson | Promise<ResultJson>;
}

export interface MethodParts {
  readonly lists: ToolLists;
  readonly calls: ToolCalls;
  readonly library: Library;
  readonly results: Results;
  readonly tasks: TaskParts;
  /** What everybody reads, and what one caller reads. */
  readonly instructions: string | undefined;
  readonly instructionsFor: (caller: Caller) => string | undefined;
  /** What a list of tools waits for. */
  readonly beforeList: ServeMcpOptions["beforeList"];
}

type Answer = (exchange: Exchange) => ResultJson | Promise<ResultJson>;

export function createMethods({ lists, calls, library, results, tasks, instructions, instructionsFor, beforeList }: MethodParts): Methods {
  const discover = (text: string | undefined, scope: CacheScope): string =>
    results.cacheable(
      "modern",
      {
        supportedVersions: modernVersions,
        capabilities: { ...serverCapabilities, extensions: { [tasksExtension]: {} } },
        ...(text !== undefined && { instructions: text }),
      },
      scope,
    );
  const discovered = new PreparedResult(discover(instructions, "public"));
  const discoverFor = ({ caller }: Exchange): ResultJson => {
    const text = instructionsFor(caller);
    return text === instructions ? discovered : discover(text, "private");
  };
  const completed = (work: (exchange: Exchange) => Promise<JsonObject>): Answer => {
    return async (exchange) => results.complete(exchange.era, await work(exchange));
  };
  const listTools: Answer = ({ era, caller, isAnonymous, params }) => {
    const page = (): ResultJson => lists.for(caller, isAnonymous).page(era, params["cursor"]);
    return beforeList?.()?.then(page) ?? page();
  };
  const both: [string, Answer][] = [
    ["tools/call", (exchange) => calls.call(exchange)],
    ["tools/list", listTools],
    ["prompts/list", (exchange) => library.listPrompts(exchange)],
    ["prompts/get", (exchange) => library.getPrompt(exchange)],
    ["resources/list", (exchange) => library.listResources(exchange)],
    ["resources/templates/list", (exchange) => library.listTemplates(exchange)],
    ["resources/read", (exchange) => library.readResource(exchange)],
    ["completion/complete", completed((exchange) => complete(library, exchange))],
  ];
  const methods: Record<Era, ReadonlyMap<string, Answer>> = {
    modern: new Map([
      ...both,
      ["server/discover", discoverFor],
      ["tasks/get", completed((exchange) => getTask(tasks, exchange))],
      ["tasks/update", completed((exchange) => updateTask(tasks, exchange))],
      ["tasks/cancel", completed((exchange) => cancelTask(tasks, exchange))],
    ]),
    legacy: new Map([...both, ["ping", () => "{}"]]),
  };
  return {
    has: (era, method) => methods[era].has(method),
    answer(exchange) {
      const answer = methods[exchange.era].get(exchange.method);
      if (answer === undefined) throw methodNotFound(exchange.method);
      return answer(exchange);
    },
  };
}

export const serverCapabilities: JsonObject = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  completions: {},
  logging: {},
};

export function methodNotFound(method: string): McpError {
  return new McpError("methodNotFound", `This server has no method "${method.slice(0, 100)}".`);
}

/** What went wrong, as an error of the protocol. Details that are not meant for clients are left out. */
export function toMcpError(thrown: unknown): McpError {
  if (thrown instanceof McpError) return thrown;
  if (ToolError.is(thrown))
    return new McpError(thrown.status < 500 && thrown.status !== 429 ? "invalidParams" : "internal", thrown.message);
  if (isOutage(thrown)) {
    const { message, retryable, retryAfterMs } = thrown;
    return new McpError("internal", message, { ...(retryable && { "toolrack/retryable": true }), "toolrack/retryAfterMs": retryAfterMs });
  }
  return new McpError("internal", "The server failed to answer this request.");
}
