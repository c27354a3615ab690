import type { JsonObject } from "@toolrack/json-schema/internal";
import { ToolError } from "../errors.ts";
import type { CallContext, Caller } from "../tool/context.ts";
import type { HandlerReturn } from "../tool/result.ts";
import { defineTool, type ToolDefinition } from "../tool/tool.ts";

/** A tool that answers as told and remembers what it was asked. */
export interface MockTool extends ToolDefinition {
  /** Every call so far, the oldest first. */
  readonly calls: readonly MockCall[];
}

export interface MockCall {
  readonly input: JsonObject;
  readonly caller: Caller;
  readonly callId: string;
}

/** At most one of `result`, `results`, `error` and `handler`; without any, every call answers an empty text. */
export interface MockToolOptions extends Partial<Omit<ToolDefinition, "name" | "handler">> {
  /** What every call answers. */
  readonly result?: HandlerReturn;
  /** What one call after the other answers; the last one answers all that follow. */
  readonly results?: readonly HandlerReturn[];
  /** What every call throws. */
  readonly error?: unknown;
  readonly handler?: ToolDefinition["handler"];
}

/** Takes any input unless it is given a schema. */
export function mockTool(name: string, options: MockToolOptions = {}): MockTool {
  const { result, results, error, handler, ...fields } = options;
  const calls: MockCall[] = [];
  const answer = toHandler(name, { result, results, error, handler });
  const tool = defineTool({
    description: `Stands in for ${name} in a test.`,
    inputSchema: { type: "object" },
    ...fields,
    name,
    handler(input: JsonObject, context: CallContext) {
      calls.push({ input, caller: context.caller, callId: context.callId });
      return answer(input, context);
    },
  });
  // Not a field of the definition, so that the mock registers like any tool.
  return Object.freeze(Object.defineProperty({ ...tool }, "calls", { value: calls })) as MockTool;
}

function toHandler(name: string, answers: Pick<MockToolOptions, "result" | "results" | "error" | "handler">): ToolDefinition["handler"] {
  const given = Object.entries(answers).flatMap(([answer, value]) => (value === undefined ? [] : answer));
  if (given.length > 1) throw new ToolError("DEFINITION_INVALID", `The mock "${name}" has ${given.join(" and ")}. Give it one of them.`);
  const { result = "", results, error, handler } = answers;
  if (handler !== undefined) return handler;
  if (error !== undefined) {
    return () => {
      throw error;
    };
  }
  let next = 0;
  return results === undefined ? () => result : () => results[Math.min(next++, results.length - 1)] ?? "";
}
