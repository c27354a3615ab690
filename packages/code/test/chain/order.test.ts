import { sized } from "@toolrack/testkit/sized";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type Chain, checkChain, type ChainStep, runChain, startProgram, resumeProgram, chainToProgram } from "../../src/index.ts";

/** Chains without circles: each step refers to, or depends on, steps that were drawn before it; then they are shuffled. */
const chains = fc
  .array(
    fc.record({
      refers: fc.array(fc.nat(30), { maxLength: 3 }),
      depends: fc.array(fc.nat(30), { maxLength: 2 }),
      retries: fc.nat(3),
      failures: fc.nat(4),
      goesOn: fc.boolean(),
    }),
    { minLength: 1, maxLength: 10 },
  )
  .chain((drawn) =>
    fc.record({
      drawn: fc.constant(drawn),
      order: fc.shuffledSubarray(
        drawn.map((_, n) => n),
        { minLength: drawn.length },
      ),
      returned: fc.nat(),
    }),
  )
  .map(({ drawn, order, returned }) => {
    const before = (n: number, wanted: readonly number[]): number[] => (n === 0 ? [] : [...new Set(wanted.map((one) => one % n))]);
    const steps = drawn.map(({ refers, depends, retries, goesOn }, n): ChainStep => {
      const needed = before(n, refers);
      return {
        id: `s${n}`,
        tool: "work",
        input: { n, from: needed.map((one) => `\${s${one}.n}`), text: needed.map((one) => `<\${s${one}.n}>`).join("") },
        dependsOn: before(n, depends).map((one) => `s${one}`),
        retries,
        ...(goesOn && { continueOnError: true }),
      };
    });
    const chain: Chain = { steps: order.map((n) => steps[n]!), returnStep: `s${returned % steps.length}` };
    return { chain, needs: steps.map((_, n) => ({ refers: before(n, drawn[n]!.refers), depends: before(n, drawn[n]!.depends) })), drawn };
  });

type Drawn = (typeof chains extends fc.Arbitrary<infer Value> ? Value : never)["drawn"];

/** What must come out, worked out without the machine. */
function expected({ chain, needs, drawn }: { chain: Chain; needs: { refers: number[]; depends: number[] }[]; drawn: Drawn }) {
  const levelOf = (n: number): number => 1 + Math.max(0, ...[...needs[n]!.refers, ...needs[n]!.depends].map(levelOf));
  const fails = (n: number): boolean => drawn[n]!.failures > drawn[n]!.retries;
  const lacks = (n: number): boolean => needs[n]!.refers.some((one) => lacks(one) || fails(one));
  const stopsAt = Math.min(...drawn.map((one, n) => (fails(n) && !lacks(n) && !one.goesOn ? levelOf(n) : Infinity)));
  const returned = Number(chain.returnStep!.slice(1));
  return { levelOf, lacks, stopsAt, isRight: stopsAt === Infinity && !fails(returned) && !lacks(returned), returned };
}

it("runs every step after its dependencies, those of a level together, each as often as it may; the result is that of returnStep", async () => {
  await fc.assert(
    fc.asyncProperty(chains, async (one) => {
      const { chain, drawn, needs } = one;
      const { levelOf, lacks, stopsAt, isRight, returned } = expected(one);
      const ended = new Set<number>();
      const attempts = new Map<number, number>();
      const violations: string[] = [];
      const work = async ({ n, from, text }: { n: number; from: number[]; text: string }): Promise<unknown> => {
        const attempt = (attempts.get(n) ?? 0) + 1;
        attempts.set(n, attempt);
        for (const other of [...needs[n]!.refers, ...needs[n]!.depends])
          if (!ended.has(other) && !lacks(other)) violations.push(`${n} ran before ${other} had ended`);
        if (JSON.stringify(from) !== JSON.stringify(needs[n]!.refers)) violations.push(`${n} was given ${JSON.stringify(from)}`);
        if (text !== needs[n]!.refers.map((other) => `<${other}>`).join("")) violations.push(`${n} was given the text ${text}`);
        await Promise.resolve();
        if (attempt <= drawn[n]!.failures) {
          if (attempt > drawn[n]!.retries) ended.add(n);
          throw Object.assign(new Error("down"), { code: "TOOL_FAILED" });
        }
        ended.add(n);
        return { n };
      };
      const result = await runChain(chain, { tools: { work } });
      expect(violations).toEqual([]);
      expect(result.ok).toBe(isRight);
      if (result.ok) expect(result.value).toEqual({ n: returned });
      for (const [n, { failures, retries }] of drawn.entries()) {
        // A level that holds a failure that ends the chain may or may not have made its other attempts.
        if (levelOf(n) === stopsAt) expect(attempts.get(n) ?? 0).toBeLessThanOrEqual(retries + 1);
        else expect(attempts.get(n) ?? 0).toBe(lacks(n) || levelOf(n) > stopsAt ? 0 : Math.min(failures, retries) + 1);
      }
      const { levels } = checkChain(chain);
      expect(levels.flat().toSorted()).toEqual(chain.steps.map(({ id }) => id).toSorted());
      for (const [index, level] of levels.entries()) for (const id of level) expect(levelOf(Number(id.slice(1)))).toBe(index + 1);
    }),
    { numRuns: sized(60, 2_000) },
  );
});

it("can be stored whenever it waits, and ends with the same result", () => {
  fc.assert(
    fc.property(chains, (one) => {
      const { isRight, returned } = expected(one);
      const attempts = new Map<number, number>();
      let status = startProgram(chainToProgram(one.chain), { tools: ["work"], input: {} });
      while (status.status === "waiting") {
        // Out as text and in again, as a store does it.
        const state = JSON.parse(JSON.stringify(status.state)) as typeof status.state;
        const answers = status.calls.map(({ callId, input }) => {
          const { n } = input as { n: number };
          attempts.set(n, (attempts.get(n) ?? 0) + 1);
          return attempts.get(n)! <= one.drawn[n]!.failures
            ? { callId, error: { message: "down", code: "TOOL_FAILED" } }
            : { callId, result: { n } };
        });
        status = resumeProgram(state, answers);
      }
      expect(status.ok).toBe(isRight);
      if (status.ok) expect(status.value).toEqual({ n: returned });
    }),
    { numRuns: sized(30, 1_000) },
  );
});

it("begins all steps of a level before any of them has ended", async () => {
  const count = 8;
  let begun = 0;
  let release: () => void = () => undefined;
  const all = new Promise<void>((resolve) => (release = resolve));
  const steps = Array.from({ length: count }, (_, n) => ({ id: `s${n}`, tool: "work" }));
  const work = async (): Promise<number> => {
    if (++begun === count) release();
    await all;
    return begun;
  };
  expect(await runChain({ steps }, { tools: { work } })).toMatchObject({ ok: true, value: count });
});
