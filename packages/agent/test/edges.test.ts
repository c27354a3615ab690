import { type ModelEvent, runUserChannel } from "@toolrack/agent";
import { createRegistry, type UserChannel } from "@toolrack/core";
import { createFakeClock } from "@toolrack/core/testing";
import { describe, expect, it } from "vitest";
import { eventsOf, messagesOf, noted, scripted } from "./_agents.ts";

describe("a run", () => {
  it("fails where the model refuses to answer, and keeps what it said", async () => {
    const helper = scripted([{ text: "I will not.", stop: "refused" }]);
    const result = await helper.agent.run("x");
    expect(result).toMatchObject({ status: "failed", code: "refused", text: "I will not." });
    expect((await messagesOf(helper, result.session)).at(-1)).toMatchObject({ role: "assistant", content: "I will not." });
  });

  it("waits a minute at most before it asks again, whatever the vendor says", async () => {
    const clock = createFakeClock();
    const busy = { failure: { message: "Come back tomorrow.", retryable: true, retryAfterMs: 86_400_000 } };
    const run = scripted([busy, "Here."], [], { clock }).agent.run("x");
    for (let step = 0; step < 2; step++) await clock.advance(60_000);
    const { events, result } = await eventsOf(run);
    expect(result).toMatchObject({ status: "done", text: "Here." });
    expect(events.find(({ type }) => type === "retry")).toMatchObject({ waitMs: 60_000 });
  });

  it("tells every event to a reader that keeps pace, however many there are", async () => {
    const count = 12_000;
    async function* stream(): AsyncGenerator<ModelEvent> {
      for (let index = 0; index < count; index++) {
        yield { type: "text", text: String(index) };
        if (index % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      const usage = { inputTokens: 0, outputTokens: 0 };
      yield { type: "end", message: { role: "assistant", content: "long", calls: [] }, stop: "finished", usage };
    }
    const run = scripted([], [], { model: { name: "long", target: "anthropic", stream } }).agent.run("x");
    const { events } = await eventsOf(run);
    const texts = events.flatMap((event) => (event.type === "text" ? [event.text] : []));
    expect([texts.length, texts.at(-1), events.at(-1)?.type]).toEqual([count, String(count - 1), "end"]);
  });

  it("lists a limited number of required tools beside those for searching", async () => {
    const tools = Array.from({ length: 150 }, (_, index) => noted(`tool_${index}`, { optionality: "required" }).tool);
    const helper = scripted(["ok"], tools);
    await helper.agent.run("x");
    const offered = Object.values(helper.model.requests[0]!.tools!.names);
    expect(offered).toEqual(expect.arrayContaining(["search_tools", "call_tool"]));
    expect(offered.filter((name) => name.startsWith("tool_")).length).toBe(32);
  });

  it("gives every call a key, the same after a kill, by which it is made once", async () => {
    const keys: unknown[] = [];
    const registry = createRegistry();
    registry.register(noted("write").tool);
    const invoke: typeof registry.invoke = (name, input, options) => {
      keys.push(options?.idempotencyKey === options?.callId && options?.idempotencyKey);
      return registry.invoke(name, input, options);
    };
    const { session } = await scripted([{ calls: [{ name: "write" }] }, "ok"], { ...registry, invoke }).agent.run("x");
    expect(keys).toEqual([`${session}.2/1`]);
  });
});

describe("a result for the person", () => {
  it("of a call outside of any run goes to the other channel, and without one the call says that nobody can see it", async () => {
    const shown: string[] = [];
    const other: UserChannel = { show: async ({ tool }) => void shown.push(tool) };
    for (const [channel, isOk] of [
      [runUserChannel(other), true],
      [runUserChannel(), false],
    ] as const) {
      const registry = createRegistry({ userChannel: channel });
      registry.register(noted("report", { deliver: "user" }, "Numbers").tool);
      const result = await registry.invoke("report", {});
      expect(result.ok && result.content === "Shown to the user.").toBe(isOk);
    }
    expect(shown).toEqual(["report"]);
  });
});
