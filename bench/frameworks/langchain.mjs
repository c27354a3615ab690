import { RunnableLambda, RunnableSequence } from "@langchain/core/runnables";
import { isLangChainTool } from "@langchain/core/tools";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";

/** Without an agent, which core has not: tools are bound as chat models bind them, and run as a step of a chain, which takes only runnables. */
export async function converse({ core, tools, call, calls, signal }) {
  const made = core.toLangChain(tools, { call });
  const answers = [];
  for (const { id, name, input } of calls) {
    const toCall = RunnableLambda.from(() => ({ type: "tool_call", id, name, args: input }));
    const chain = RunnableSequence.from([toCall, made.find((tool) => tool.name === name)]);
    answers.push(
      await chain.invoke({}, { signal }).then(
        (text) => ({ id, text, failed: false }),
        (error) => ({ id, text: error.message, failed: true }),
      ),
    );
  }
  const bound = made.filter(isLangChainTool).map((tool) => convertToOpenAITool(tool).function);
  return { shown: bound.map(({ name, description, parameters }) => ({ name, description, schema: parameters })), answers };
}
