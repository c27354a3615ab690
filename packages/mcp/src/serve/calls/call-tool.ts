import { randomBytes } from "node:crypto";
import type { Registry, ToolDefinition, ToolResult } from "@toolrack/core";
import { isObject, unshownData } from "@toolrack/core/internal";
import { McpError } from "../../errors.ts";
import { type CallToolResult, detailsMeta, isPlainText, toCallResult } from "../../wire/call-result.ts";
import { checkMirroredParams, mirroredParams } from "../../wire/param-headers.ts";
import type { JsonObject } from "../../wire/protocol.ts";
import type { ServedCall } from "../client/served-call.ts";
import type { Exchange } from "../exchange.ts";
import { minPageLength, type ResultHandles } from "../long-results/result-handles.ts";
import type { Results } from "../results.ts";
import type { Rounds } from "../questions/rounds.ts";
import { audienceOf, withAudience } from "./audience.ts";
import { runTool } from "./run-tool.ts";
import { supportsTasks, tasksRequired } from "../tasks/task-methods.ts";
import { serveAsTask, type TaskSettings } from "../tasks/serve-as-task.ts";

export interface ToolCalls {
  /** `tools/call`: the result as JSON. Throws an McpError for what is not the tool's fault. */
  call(exchange: Exchange): Promise<string>;
}

export interface ToolCallParts {
  readonly registry: Registry;
  readonly results: Results;
  readonly rounds: Rounds;
  readonly handles: ResultHandles;
  readonly tasks: TaskSettings;
}

export function createToolCalls({ registry, results, rounds, handles, tasks }: ToolCallParts): ToolCalls {
  function toResult(result: ToolResult, tool: ToolDefinition | undefined, exchange: Exchange): CallToolResult {
    const audience = audienceOf(tool, exchange);
    const all = toWhole(result, tool, exchange);
    return audience === undefined ? all : withAudience(all, audience);
  }

  function toWhole(result: ToolResult, tool: ToolDefinition | undefined, { era, principal }: Exchange): CallToolResult {
    if (isPlainText(result, tool)) {
      const kept = handles.keep(principal, result.content, tool?.name ?? result.meta.tool);
      if (kept !== undefined) return { ...pagedResult(kept), ...detailsMeta(result) };
    }
    return toCallResult(result, tool, era);
  }

  /** A fast path for the most frequent kind of result. */
  function toJson(result: ToolResult, tool: ToolDefinition | undefined, exchange: Exchange): string {
    if (
      isPlainText(result, tool) &&
      tool?.metadata?.deliver === undefined &&
      result.content.length <= shortText &&
      unshownData(result) === undefined &&
      result.meta.warnings === undefined
    ) {
      return `{"content":[{"type":"text","text":${JSON.stringify(result.content)}}]${results.tail(exchange.era)}`;
    }
    return results.complete(exchange.era, { ...toResult(result, tool, exchange) });
  }

  /** The protocol error that a call ends with, if it does. */
  function refusalOf(result: ToolResult, served: ServedCall, name: string): McpError | undefined {
    if (served.refusal !== undefined) return served.refusal;
    const isUnknown = !result.ok && result.code === "TOOL_NOT_FOUND" && !isThere(registry, name, served.exchange);
    return isUnknown ? new McpError("invalidParams", result.error) : undefined;
  }

  async function callAsTask(served: ServedCall, name: string, tool: ToolDefinition, input: JsonObject): Promise<string> {
    const { exchange } = served;
    const call = { callId: newCallId(), input, caller: exchange.caller };
    const answered = await serveAsTask(served, tool, tasks, call, async () => {
      const result = await runTool(registry, served, name, input, tool, call.callId);
      const refusal = refusalOf(result, served, name);
      if (refusal !== undefined) throw refusal;
      return isWaiting(served, result) ? undefined : toResult(result, tool, exchange);
    });
    if (answered === "ask") return rounds.ask(served, name, input);
    return answered.kind === "task" ? results.as("task", answered.fields) : results.complete("modern", { ...answered.result });
  }

  return {
    async call(exchange) {
      const { name, arguments: input = {} } = exchange.params;
      if (typeof name !== "string") throw new McpError("invalidParams", "name must be the name of a tool.");
      if (!isObject(input)) throw new McpError("invalidParams", "arguments must be an object.");
      const tool = registry.get(name);
      if (tool !== undefined && exchange.era === "modern" && exchange.header !== undefined) {
        checkMirroredParams(mirroredParams(tool.inputSchema), input, exchange.header);
      }
      const begun = rounds.begin(exchange, name, input);
      const served = begun instanceof Promise ? await begun : begun;
      if (tool !== undefined && exchange.era === "modern") {
        const support = tasks.supportOf(tool);
        if (support === "required" && !supportsTasks(exchange)) throw tasksRequired();
        if (support !== "never" && supportsTasks(exchange)) return callAsTask(served, name, tool, input);
      }
      const result = await runTool(registry, served, name, input, tool);
      const refusal = refusalOf(result, served, name);
      if (refusal !== undefined) throw refusal;
      if (!result.ok) exchange.toolFailed?.();
      return isWaiting(served, result) ? rounds.ask(served, name, input) : toJson(result, tool, exchange);
    },
  };
}

const shortText = minPageLength;

/** Begins with the time, so that calls of the same time are adjacent in an index; the rest cannot be guessed. */
function newCallId(): string {
  return Date.now().toString(36).padStart(9, "0") + randomBytes(18).toString("base64url");
}

/** Whether the handler ended because an answer was missing. */
function isWaiting({ missing }: ServedCall, result: ToolResult): boolean {
  return missing !== undefined && !result.ok;
}

/** A tool that a caller cannot see may still be there; tools of one caller are in no list but theirs. */
function isThere(registry: Registry, name: string, { caller }: Exchange): boolean {
  return registry.has(name) || registry.view(caller).offered(name) !== undefined;
}

function pagedResult({ shown, uri, pages }: { shown: string; uri: string; pages: number }): CallToolResult {
  const note = `[This is page 1 of ${pages}. Read the next page from the resource ${uri}]`;
  return {
    content: [
      { type: "text", text: shown },
      { type: "text", text: note },
      { type: "resource_link", uri, name: `page 2 of ${pages}`, mimeType: "text/plain" },
    ],
  };
}
