import { anthropicModel, chatModel, geminiModel, ollamaModel, openaiModel } from "@toolrack/agent/models";
import { thinkingLevels } from "@toolrack/agent";
import { describe, expect, it } from "vitest";
import type { ModelOptions } from "../../src/models/shared/options.ts";
import type { ModelClient } from "../../src/models/shared/wire.ts";
import { request, user } from "./_conversation.ts";

/** What a client sends. */
async function sent(open: (options: ModelOptions) => ModelClient, rest: object, options: Partial<ModelOptions> = {}) {
  let body: Record<string, any> = {};
  const model = open({
    model: "m",
    ...options,
    fetch: async (_url, given) => {
      body = JSON.parse(given.body) as typeof body;
      return { status: 400, headers: new Headers(), body: null };
    },
  });
  for await (const _ of model.stream(request([user("hello")], rest)));
  expect(model.canThink).toBe(true);
  return body;
}

const clients = {
  anthropic: [anthropicModel, ({ thinking }: any) => thinking?.budget_tokens ?? thinking?.type],
  openai: [openaiModel, ({ reasoning }: any) => reasoning?.effort],
  "openai-chat": [chatModel, (body: any) => body.reasoning_effort],
  gemini: [geminiModel, (body: any) => body.generationConfig?.thinkingConfig?.thinkingBudget],
  ollama: [ollamaModel, ({ think }: any) => think],
} as const;

const expected: Readonly<Record<keyof typeof clients, readonly unknown[]>> = {
  anthropic: ["disabled", 1_024, 4_096, 16_384],
  openai: ["none", "low", "medium", "high"],
  "openai-chat": ["none", "low", "medium", "high"],
  gemini: [0, 1_024, 8_192, 24_576],
  ollama: [false, "low", "medium", "high"],
};

describe.each(Object.keys(clients) as (keyof typeof clients)[])("the client of %s", (vendor) => {
  const [open, read] = clients[vendor];

  it("says how much the model thinks as its vendor spells it, and nothing where nothing is said", async () => {
    const levels = await Promise.all(thinkingLevels.map(async (thinking) => read(await sent(open, { thinking }))));
    expect(levels).toEqual(expected[vendor]);
    expect(read(await sent(open, {}))).toBeUndefined();
  });
});

describe("what is thought", () => {
  it("does not take from the limit of the reply", async () => {
    const body = await sent(anthropicModel, { thinking: "high", maxOutputTokens: 100 });
    expect([body["max_tokens"], body["thinking"]]).toEqual([16_484, { type: "enabled", budget_tokens: 16_384 }]);
  });

  it("leaves what else is said about it", async () => {
    const body = await sent(openaiModel, { thinking: "low" }, { body: { reasoning: { summary: "auto" } } });
    expect(body["reasoning"]).toEqual({ summary: "auto", effort: "low" });
  });
});
