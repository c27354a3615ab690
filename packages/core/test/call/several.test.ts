import { describe, expect, it } from "vitest";
import { createRegistry, defineTool } from "../../src/index.ts";

describe("a call that asks twice", () => {
  it("takes one answer for each question when it is made again", async () => {
    const registry = createRegistry();
    registry.register(
      defineTool({
        name: "move",
        description: "Moves money.",
        inputSchema: { type: "object" },
        handler: async (_input, { ask }) => {
          const first = await ask({ message: "From which account?" });
          const second = await ask({ message: "To which account?" });
          return [first, second].map((answer) => (answer.action === "accept" ? answer.value : answer.action)).join(" to ");
        },
      }),
    );
    const answers = new Map([
      ["From which account?", "A"],
      ["To which account?", "B"],
    ]);
    const approval: { digest: string; answer: { action: "accept"; value: unknown } }[] = [];
    for (let round = 0; round < 2; round++) {
      const asked = await registry.invoke("move", {}, { approval });
      if (asked.ok || asked.approval === undefined) throw new Error("it should have asked");
      approval.push({ digest: asked.approval.digest, answer: { action: "accept", value: answers.get(asked.approval.reason ?? "") } });
      // An answer is good for one call, so the question is asked again before the last one.
      if (round === 1) await registry.invoke("move", {}, {});
    }
    expect(await registry.invoke("move", {}, { approval })).toMatchObject({ ok: true, content: "A to B" });
  });
});

describe("the calls of one reply", () => {
  it("have ids and keys of their own, whatever is shared between them", async () => {
    let runs = 0;
    const registry = createRegistry();
    registry.register(
      defineTool({ name: "count", description: "Counts.", inputSchema: { type: "object" }, handler: () => String(++runs) }),
    );
    const calls = [
      { name: "count", input: {} },
      { name: "count", input: {} },
    ];
    const options = { callId: "shared", idempotencyKey: "key" };
    const results = await registry.callAll(calls, options);
    expect(results.map((result) => result.ok && result.content)).toEqual(["1", "2"]);
    expect(new Set(results.map((result) => result.meta.callId)).size).toBe(2);
    expect((await registry.callAll(calls, options)).map((result) => result.ok && result.content)).toEqual(["1", "2"]);
  });
});
