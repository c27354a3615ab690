import fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "@toolrack/testkit/sized";
import { runProgram, type ProgramResult } from "../../src/index.ts";
import { nodeRun } from "../support/in-node.ts";
import { runPaused } from "../support/paused.ts";
import { randomFlow } from "../support/random-flow.ts";

const numbers = fc.array(fc.nat(10_000), { minLength: 20, maxLength: 60 });
const secret = fc.record({ n: fc.nat(60), list: fc.array(fc.nat(5), { maxLength: 4 }), flag: fc.boolean() });
const limits = { steps: 100_000, outputBytes: 1e7 };
const labels = { get_secret: ["secret"] };

async function withSecret(source: string, value: unknown): Promise<ProgramResult> {
  return await runProgram(source, { tools: { get_secret: async () => value }, labels, limits });
}

test("two runs that differ in the secret alone differ only in what carries its label", async () => {
  await fc.assert(
    fc.asyncProperty(numbers, secret, secret, async (drawn, one, other) => {
      const source = randomFlow(drawn);
      const [a, b] = [await withSecret(source, one), await withSecret(source, other)];
      // What an operation tells that could have failed is not covered.
      if (!a.ok || !b.ok) return;
      expect(a.logs.length, source).toBe(b.logs.length);
      a.logs.forEach((log, index) => {
        const twin = b.logs[index] as (typeof a.logs)[number];
        const told = log.text === twin.text || (log.labels.length > 0 && twin.labels.length > 0);
        expect(told, `${source}\n\n${log.text} / ${twin.text}`).toBe(true);
      });
      if (JSON.stringify(a.value) !== JSON.stringify(b.value)) expect([a.labels, b.labels], source).toEqual([["secret"], ["secret"]]);
    }),
    { numRuns: sized(60, 30_000) },
  );
});

test("a secret that decides nothing labels nothing", async () => {
  await fc.assert(
    fc.asyncProperty(numbers, secret, async (drawn, value) => {
      const source = randomFlow(drawn, false);
      const result = await withSecret(source, value);
      if (!result.ok) return;
      expect([...result.labels, ...result.logs.flatMap((log) => log.labels)], source).toEqual([]);
    }),
    { numRuns: sized(30, 10_000) },
  );
});

test("labels change nothing of what a program does, and it does what it does in Node", async () => {
  await fc.assert(
    fc.asyncProperty(numbers, secret, async (drawn, value) => {
      const source = randomFlow(drawn);
      const tools = { get_secret: async () => value };
      const tracked = await withSecret(source, value);
      if (!tracked.ok && tracked.error.kind === "limit") return;
      const expected = await nodeRun(source, tools);
      for (const result of [tracked, await runProgram(source, { tools, limits })]) {
        const seen = result.ok ? { value: result.value, logs: result.logs.map(({ text }) => text) } : { thrown: result.error.message };
        if ("thrown" in expected) expect(seen, source).toEqual({ thrown: expect.stringContaining(expected.thrown) as string });
        else expect(seen, source).toEqual(expected);
      }
    }),
    { numRuns: sized(35, 20_000) },
  );
});

test("a program that is stored at every call and after every few steps ends with the same labels", async () => {
  await fc.assert(
    fc.asyncProperty(numbers, secret, fc.integer({ min: 1, max: 60 }), async (drawn, value, pauseAfter) => {
      const source = randomFlow(drawn);
      const tools = { get_secret: async () => value };
      const { pauses: _pauses, largest: _largest, ...paused } = await runPaused(source, tools, { labels, limits }, pauseAfter);
      expect({ ...paused, status: undefined }, source).toEqual({ ...(await withSecret(source, value)), status: undefined });
    }),
    { numRuns: sized(15, 4_000) },
  );
});
