import { RunContext, tool } from "@openai/agents-core";
import { handler, inputOf, inputSchema } from "./setting.mjs";

export function create(setting) {
  const find = tool({ name: "find", description: "Finds products.", parameters: inputSchema, strict: false, execute: handler });
  const input = JSON.stringify(inputOf(setting));
  const context = new RunContext();
  return () => find.invoke(context, input);
}
