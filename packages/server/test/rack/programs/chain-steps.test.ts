import { type Chain, chainToProgram, planOfChain } from "@toolrack/code";
import { expect, it } from "vitest";
import { chainSteps } from "../../../src/rack/programs/chain-steps.ts";

const chain: Chain = {
  steps: [
    { id: "find", tool: "find", input: { text: 'run("pay", 0' } },
    { id: "look", tool: "look", input: {} },
    { id: "pay", tool: "pay", input: { id: "${find.id}" }, retries: 2 },
    { id: "tell", tool: "send", input: { text: "${pay.receipt}" } },
  ],
};
const plan = planOfChain(chain);
const lineOf = (step: string): number => plan.steps.find(({ id }) => id === step)!.line;
const call = (step: string, approval?: string): never => ({ line: lineOf(step), ...(approval && { approval }) }) as never;
const statuses = (...given: Parameters<typeof chainSteps> extends [unknown, ...infer Rest] ? Rest : never): unknown =>
  Object.fromEntries(chainSteps(plan, ...given).steps.map(({ id, status }) => [id, status]));

it("tells how far each step of a chain is", () => {
  const lines = chainToProgram(chain).split("\n");
  for (const { id, line } of plan.steps) expect(lines[line - 1]).toContain(`run("${id}", `);
  expect(statuses("waiting", [call("look")])).toEqual({ find: "ended", look: "running", pay: "not begun", tell: "not begun" });
  expect(statuses("waiting", [call("pay", "approval-1")])).toEqual({ find: "ended", look: "ended", pay: "waiting", tell: "not begun" });
  expect(statuses("ended", [])).toEqual({ find: "ended", look: "ended", pay: "ended", tell: "ended" });
  expect(statuses("failed", [])).toEqual({ find: "unknown", look: "unknown", pay: "unknown", tell: "unknown" });
});
