import { createAgent, type Model } from "@toolrack/agent";
import { fromAiSdk } from "@toolrack/core/vendors";
import { generateText, hasToolCall, isStepCount, type LanguageModel, tool } from "ai";
import { z } from "zod";

// #region before
export const tools = {
  find_room: tool({
    description: "Finds a free room.",
    inputSchema: z.object({ guests: z.number() }),
    execute: async ({ guests }) => ({ room: guests > 2 ? "12" : "7" }),
  }),
  book_room: tool({
    description: "Books a room.",
    inputSchema: z.object({ room: z.string() }),
    execute: async ({ room }) => ({ booked: room }),
  }),
};

export async function ask(model: LanguageModel, prompt: string) {
  const { text, steps, finishReason } = await generateText({
    model,
    instructions: "Help the guests of our hotel.",
    prompt,
    tools,
    stopWhen: [isStepCount(5), hasToolCall("book_room")],
    prepareStep: ({ stepNumber }) => (stepNumber === 0 ? { activeTools: ["find_room"] } : {}),
  });
  return { text, turns: steps.length, finishReason };
}
// #endregion

/** The same tools in an agent. */
export function deskOf(model: Model) {
  return createAgent({ name: "desk", instructions: "Help the guests of our hotel.", model, registry: fromAiSdk(tools) });
}
