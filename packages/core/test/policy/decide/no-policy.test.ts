import fc from "fast-check";
import { sized } from "@toolrack/testkit/sized";
import { describe, expect, it } from "vitest";
import { decideTools } from "../../../src/policy/decide/decide.ts";
import { decideWith } from "../../../src/policy/decide/decide-with.ts";
import { partsWithoutPolicy } from "../../../src/policy/decide/no-policy.ts";
import { explainTool } from "../../../src/policy/explain/explain.ts";
import { indexTools } from "../../../src/policy/entries/indexed-tools.ts";
import { explainWith } from "../../../src/policy/explain/explain-with.ts";
import type { PolicyTool } from "../../../src/policy/policy.ts";
import type { Caller } from "../../../src/tool/context.ts";

const tools: fc.Arbitrary<PolicyTool[]> = fc.uniqueArray(
  fc.record(
    {
      name: fc.constantFrom("read", "exec", "Bash", "pay", "voice", "__proto__"),
      metadata: fc.record(
        {
          ownerOnly: fc.boolean(),
          optionality: fc.constantFrom("required", "optional", "conditional"),
          pluginId: fc.constantFrom("phone", "read"),
          groups: fc.constantFrom(["group:runtime"], ["shop"]),
          models: fc.constantFrom(["gpt-*"], ["openai/gpt-*"]),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: ["name"] },
  ) as fc.Arbitrary<PolicyTool>,
  { selector: ({ name }) => name },
);
const callers: fc.Arbitrary<Caller> = fc.record(
  { agent: fc.constantFrom("anonymous", "clerk"), owner: fc.boolean(), model: fc.constantFrom("gpt-6", "claude-6") },
  { requiredKeys: [] },
);

describe("deciding without a policy", () => {
  it("decides, warns and explains as the whole policy does without steps", () => {
    fc.assert(
      fc.property(tools, callers, fc.constantFrom("read", "exec"), (list, caller, closed) => {
        const availabilityOf = ({ name }: PolicyTool) =>
          name === closed ? { rule: "capability" as const, reason: 'it needs "git"' } : undefined;
        const input = { tools: list, steps: [], caller, availabilityOf };
        const light = decideWith(input, partsWithoutPolicy);
        const whole = decideTools(input);
        expect(light.tools).toEqual(whole.tools);
        expect([...light.decisions]).toEqual([...whole.decisions]);
        expect(light.warnings).toEqual(whole.warnings);
        for (const name of ["read", "Bash", "nothing"])
          expect(explainWith(name, [indexTools(list)], input, partsWithoutPolicy)).toEqual(explainTool(name, input));
      }),
      { numRuns: sized(80, 200) },
    );
  });

  it("refuses steps, which it would not apply", () => {
    const input = { tools: [{ name: "exec" }], steps: [{ id: "global" as const, label: "tools", deny: ["exec"] }] };
    expect(() => decideWith(input, partsWithoutPolicy)).toThrow(expect.objectContaining({ code: "POLICY_INVALID" }));
  });
});
