import { exampleOf, validatorFor } from "@toolrack/json-schema";
import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { ToolError } from "../errors.ts";
import { executeTool } from "../tool/array.ts";
import type { CallContext } from "../tool/context.ts";
import { failure, type ToolResult } from "../tool/result.ts";
import { changeTool, type ToolDefinition } from "../tool/tool.ts";
import { nextTurn } from "../util/next-turn.ts";
import { changeContext } from "./_change-context.ts";
import { type TrialOptions, tryTool, whyFailed } from "./trial.ts";
import { toCheck, type ToolCheck } from "./tool-check.ts";

/** Hands in wrong input of every kind that the schema rules out. The tool's own handler is not run. */
export async function checkWrongInputs(tool: ToolDefinition): Promise<ToolCheck> {
  const reached: unknown[] = [];
  const spy = changeTool(tool, { handler: (input: unknown) => void reached.push(input) });
  for (const input of wrongInputs(tool)) await executeTool(spy, input);
  const problem = reached.length === 0 ? undefined : `The handler was given ${JSON.stringify(reached[0])}.`;
  return toCheck("wrong input never reaches the handler", problem);
}

/** Runs the first example where all it relies on fails, and where its signal is aborted. */
export async function checkFaults<Services>(tool: ToolDefinition, options: TrialOptions<Services>): Promise<ToolCheck[]> {
  const example = tool.metadata?.examples?.[0];
  if (example === undefined) return [];
  const runIn = (change: (context: CallContext) => CallContext): Promise<ToolResult | undefined> =>
    tryTool(tool, example.input, options, (input: unknown, context) => tool.handler(input, change(context)));
  const late = (result: ToolResult | undefined): string | undefined =>
    result === undefined ? `${whyFailed(result, options)} Listen to context.signal.` : undefined;
  return [
    toCheck("it ends in a readable result when what it relies on fails", whyUnreadable(await runIn(withoutHelp), options)),
    toCheck(
      "it ends when its signal is aborted before it starts",
      late(await runIn((context) => changeContext(context, { signal: AbortSignal.abort() }))),
    ),
    toCheck("it ends when its signal is aborted while it runs", late(await runIn(abortedSoon))),
  ];
}

function* wrongInputs(tool: ToolDefinition): Generator<unknown> {
  const { check } = validatorFor(tool.inputSchema);
  for (const input of ["text", 5, true, ["text"]]) if (!check(input)) yield input;
  const right = tool.metadata?.examples?.map((example) => example.input).find(check) ?? exampleOf(tool.inputSchema);
  const properties = tool.inputSchema["properties"];
  if (!isObject(right) || !isObject(properties)) return;
  for (const name of Object.keys(properties)) {
    const { [name]: _, ...without } = right;
    const changed: JsonObject[] = [null, "text", 5, true, ["text"], { text: true }].map((value) => ({ ...right, [name]: value }));
    yield* [without, ...changed].filter((input) => !check(input)).slice(0, 2);
  }
}

/** A context in which services throw when touched, and nobody answers. */
function withoutHelp(context: CallContext): CallContext {
  const broken = (): never => {
    throw new Error("The service failed on purpose, to see what the tool makes of it.");
  };
  return changeContext(context, {
    services: new Proxy({}, { get: broken, has: broken, ownKeys: broken, getOwnPropertyDescriptor: broken }),
    secret: (name) => Promise.reject(new ToolError("SECRET_MISSING", `The secret "${name}" is missing on purpose.`)),
    call: (tool) =>
      Promise.resolve(failure("TOOL_FAILED", `Tool "${tool}" failed on purpose.`, { callId: context.callId, tool, durationMs: 0 })),
    ask: () => Promise.reject(new ToolError("ANSWER_UNAVAILABLE", "Nobody answers, on purpose.")),
  });
}

function abortedSoon(context: CallContext): CallContext {
  const controller = new AbortController();
  void nextTurn().then(() => controller.abort());
  return changeContext(context, { signal: controller.signal });
}

/** Success is fine: then the tool does without. */
function whyUnreadable(result: ToolResult | undefined, options: { readonly timeoutMs?: number }): string | undefined {
  if (result === undefined) return whyFailed(result, options);
  if (result.ok || (result.error.trim() !== "" && !result.error.includes("[object Object]"))) return undefined;
  return `Its error was ${JSON.stringify(result.error)}. Throw an Error whose message says what happened.`;
}
