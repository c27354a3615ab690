import { scriptedModel } from "@toolrack/agent/testing";
import { FakeToolCallingModel } from "langchain";
import { describe, expect, it } from "vitest";
import { ask, deskOf } from "../ai-sdk-loop.ts";
import { ask as askGraph, asked, paid, supportOf } from "../langgraph-loop.ts";
import { createScriptedModel } from "./scripted-model.ts";

// What docs/guides/coming-from-the-ai-sdk-loop.md and coming-from-langgraph.md show as before, in the packages themselves.

describe("the loop of the AI SDK", () => {
  it("runs as the page shows it", async () => {
    const { model, seen } = createScriptedModel([{ name: "find_room", input: { guests: 2 } }]);
    expect(await ask(model, "A room for two.")).toMatchObject({ text: "Done.", turns: 2 });
    expect(seen.map(({ tools = [] }) => tools.map(({ name }) => name))).toEqual([["find_room"], ["find_room", "book_room"]]);
  });

  it("has tools that an agent runs unchanged", async () => {
    const model = scriptedModel([{ calls: [{ name: "find_room", input: { guests: 3 } }] }, "Room 12."]);
    const { status, session } = await deskOf(model).run("A room for three.");
    expect(status).toBe("done");
    expect(session).not.toBe("");
    expect(model.requests[1]!.messages.at(-1)).toMatchObject({ role: "tool", results: [{ ok: true, data: { room: "12" } }] });
  });
});

describe("the loop of LangGraph", () => {
  it("runs as the page shows it, and begins a tool anew that was interrupted", async () => {
    const call = { type: "tool_call" as const, id: "1", name: "refund", args: { id: "A7" } };
    const messages = await askGraph(new FakeToolCallingModel({ toolCalls: [[call], []] }) as never, "Cancel A7.");
    expect(messages.map((message) => message.getType())).toEqual(["human", "ai", "tool", "ai"]);
    expect([asked, paid]).toEqual([["A7", "A7"], ["A7"]]);
  });

  it("has tools that an agent runs unchanged", async () => {
    const model = scriptedModel([{ calls: [{ name: "find_order", input: { id: "A7" } }] }, "It was 40."]);
    expect(await supportOf(model).run("What was A7?")).toMatchObject({ status: "done", text: "It was 40." });
    expect(model.requests[1]!.messages.at(-1)).toMatchObject({ role: "tool", results: [{ ok: true }] });
  });
});
