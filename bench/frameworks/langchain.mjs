import { ToolMessage } from "@langchain/core/messages";
import { RunnableLambda, RunnableSequence } from "@langchain/core/runnables";
import { isLangChainTool, tool } from "@langchain/core/tools";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";

/** Without an agent, which core has not: tools are bound as chat models bind them, and run as a step of a chain, which takes only runnables. */
export async function converse({ core, tools, call, calls, signal }) {
  const made = core.toLangChain(tools, { call, langchain: { tool, ToolMessage } });
  const answers = [];
  for (const { id, name, input } of calls) {
    const toCall = RunnableLambda.from(() => ({ type: "tool_call", id, name, args: input }));
    const chain = RunnableSequence.from([toCall, made.find((one) => one.name === name)]);
    const { tool_call_id, content, status } = await chain.invoke({}, { signal });
    answers.push({ id: tool_call_id, text: content, failed: status === "error" });
  }
  const bound = made.filter(isLangChainTool).map((one) => convertToOpenAITool(one).function);
  return { shown: bound.map(({ name, description, parameters }) => ({ name, description, schema: parameters })), answers };
}
