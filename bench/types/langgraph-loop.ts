import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Command, interrupt, isInterrupted, MemorySaver } from "@langchain/langgraph";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { createAgent, type Model } from "@toolrack/agent";
import { fromLangChain } from "@toolrack/core/vendors";
import { z } from "zod";

export const asked: string[] = [];
export const paid: string[] = [];

// #region before
const findOrder = tool(({ id }) => ({ id, total: 40 }), {
  name: "find_order",
  description: "Finds an order by its number.",
  schema: z.object({ id: z.string() }),
});

const refund = tool(
  ({ id }) => {
    asked.push(id); // done again by each resume: the tool begins anew
    if (interrupt({ question: `Pay the money for ${id} back?` }) !== "yes") return "A person said no.";
    paid.push(id);
    return "Paid back.";
  },
  { name: "refund", description: "Pays the money for an order back.", schema: z.object({ id: z.string() }) },
);

export async function ask(model: BaseChatModel, question: string) {
  const graph = createReactAgent({
    llm: model,
    tools: [findOrder, refund],
    prompt: "You answer customers of a shop.",
    checkpointer: new MemorySaver(),
  });
  const config = { configurable: { thread_id: "ann" }, recursionLimit: 25 };
  let state = await graph.invoke({ messages: [new HumanMessage(question)] }, config);
  while (isInterrupted(state)) state = await graph.invoke(new Command({ resume: "yes" }), config);
  return state.messages;
}
// #endregion

/** A tool of the graph in an agent. */
export function supportOf(model: Model) {
  return createAgent({ name: "support", instructions: "You answer customers of a shop.", model, registry: fromLangChain([findOrder]) });
}
