import { openTestRack } from "@toolrack/testkit/test-rack";
import { defineTool } from "@toolrack/core";
import { expect, it } from "vitest";
import type { Rack } from "../../../src/rack/rack.ts";

const echo = defineTool({
  name: "echo",
  description: "Returns a text.",
  inputSchema: { type: "object", properties: {} },
  handler: () => "echo",
});

async function openPrograms(): Promise<{
  readonly rack: Rack;
  readonly done: string[];
  start(name: string, agent: string): Promise<void>;
}> {
  const rack = await openTestRack({
    tools: [echo],
    config: { store: { memory: true }, tools: { packs: { programs: true } } },
  });
  const done: string[] = [];
  const code = "let n = 0; for (let i = 0; i < 100_000; i++) n = (n * 31 + i) % 1_000_003; return n;";
  return {
    rack,
    done,
    async start(name, agent) {
      const result = await rack.call("run_code", { code }, { caller: { agent, owner: true } }).result;
      expect(result).toMatchObject({ ok: true });
      done.push(name);
    },
  };
}

it("TD10: programs take turns by their caller: three of one agent leave another's as much as all of them have", async () => {
  const { done, start } = await openPrograms();
  const greedy = ["greedy 1", "greedy 2", "greedy 3"].map((name) => start(name, "greedy"));
  await Promise.all([...greedy, start("ada", "ada")]);
  expect(done[0]).toBe("ada");
  expect(done).toHaveLength(4);
});

it("TD10: calls of others are answered between two turns of programs", async () => {
  const { rack, done, start } = await openPrograms();
  await start("warm", "greedy"); // loads the interpreter
  const greedy = ["greedy 1", "greedy 2", "greedy 3"].map((name) => start(name, "greedy"));
  let answered = 0;
  while (done.length === 1) {
    await new Promise((resolve) => setImmediate(resolve));
    expect(await rack.call("echo", {}, { caller: { agent: "ada", owner: true } }).result).toMatchObject({ ok: true, content: "echo" });
    answered++;
  }
  // Each program alone has a dozen turns. Without them, the first is over after a few calls.
  expect(answered).toBeGreaterThan(25);
  await Promise.all(greedy);
});
