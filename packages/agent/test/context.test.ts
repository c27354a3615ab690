import { type Message } from "@toolrack/agent";
import { scriptedModel } from "@toolrack/agent/testing";
import { describe, expect, it } from "vitest";
import { messagesOf, noted, scripted } from "./_agents.ts";

const long = "alpha beta gamma ".repeat(300);

describe("a conversation that fills the window", () => {
  const script = (turns: number): { readonly calls: readonly { readonly name: string }[] }[] =>
    Array.from({ length: turns }, () => ({ calls: [{ name: "page" }] }));

  it("shows old results in short, once for many turns, and keeps them whole in the session", async () => {
    const model = scriptedModel([...script(8), "Read."], { contextTokens: 8_000 });
    const helper = { model, agent: scripted([], [noted("page", {}, long).tool], { model }).agent };
    const { session, text } = await helper.agent.run("Read it all.");
    expect(text).toBe("Read.");
    const sizes = model.requests.map(({ messages }) => JSON.stringify(messages).length);
    expect(Math.max(...sizes) / 4).toBeLessThan(8_000);
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain("more characters were left out here");
    expect(JSON.stringify(model.requests[1]?.messages)).not.toContain("left out here");
    const stored = (await messagesOf(helper, session)).flatMap((message) => (message.role === "tool" ? message.results : []));
    expect(stored.every((result) => result.ok && result.content === long)).toBe(true);
    // Most requests begin with the one before.
    expect(model.unchangedPrefixes()).toBeGreaterThanOrEqual(5);
  });

  it("summarises whole turns where that is not enough; calls and answers stay together, and the originals in the session", async () => {
    const says = "delta epsilon zeta ".repeat(100);
    const turns = Array.from({ length: 12 }, (_, index) => ({ text: `${index} ${says}`, calls: [{ name: "page" }] }));
    let next = 0;
    let summaries = 0;
    const model = scriptedModel(
      Array.from({ length: 30 }, () => ({ messages }: { readonly messages: readonly Message[] }) => {
        const last = messages.at(-1)!;
        if (last.role === "user" && last.content.includes("Summarise the conversation")) return `Summary ${++summaries}.`;
        return turns[next++] ?? "Done.";
      }),
      { contextTokens: 3_000 },
    );
    const helper = { model, agent: scripted([], [noted("page").tool], { model }).agent };
    const { session, status } = await helper.agent.run("Begin.");
    expect(status).toBe("done");
    expect(summaries).toBeGreaterThan(1);
    const last = model.requests.at(-1)!.messages;
    expect(last[0]).toMatchObject({ role: "summary", content: `Summary ${summaries}.` });
    for (const [index, message] of last.entries()) {
      if (message.role === "tool") expect(last[index - 1]).toMatchObject({ role: "assistant" });
    }
    const summaryRequest = model.requests.find(({ messages }) => JSON.stringify(messages.at(-1)).includes("Summarise the conversation"));
    expect(summaryRequest?.choice).toBe("none");
    const stored = await messagesOf(helper, session);
    expect(stored[0]).toMatchObject({ content: "Begin." });
    expect(stored.filter(({ role }) => role === "assistant").length).toBe(13);
  });

  it("goes on without a summary if the model fails to write one", async () => {
    const model = scriptedModel([`${long}`, { failure: { message: "no", retryable: false } }, "Still here."], { contextTokens: 1_200 });
    const helper = { model, agent: scripted([], [], { model }).agent };
    const { session } = await helper.agent.run("a", { session: "main" });
    expect(await helper.agent.run("b", { session: "main" })).toMatchObject({ status: "done", text: "Still here." });
    expect((await messagesOf(helper, session)).some(({ role }) => role === "summary")).toBe(false);
  });

  it("is left to a hook, where there is one", async () => {
    const told: unknown[] = [];
    const helper = scripted(["one", "two"], [], {
      context: (messages, about) => {
        told.push(about);
        return messages.slice(-1);
      },
    });
    await helper.agent.run("a", { session: "main" });
    await helper.agent.run("b", { session: "main" });
    expect(helper.model.requests[1]?.messages).toMatchObject([{ content: "b" }]);
    expect(told[1]).toMatchObject({ model: "scripted", contextTokens: undefined, tokens: expect.any(Number) });
  });
});
