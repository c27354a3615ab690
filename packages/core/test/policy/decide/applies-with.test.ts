import { describe, expect, it } from "vitest";
import { decideTools } from "../../../src/policy/decide/decide.ts";
import type { StepId } from "../../../src/policy/policy.ts";
import { toolsNamed } from "../tools.ts";

const ids: readonly StepId[] = [
  "profile",
  "providerProfile",
  "global",
  "globalProvider",
  "agent",
  "agentProvider",
  "group",
  "phase",
  "sandbox",
  "subagent",
];

/** Whose lists hide a tool from everybody to whom the list of this step applies. */
const hiders: Readonly<Record<string, readonly StepId[]>> = {
  profile: ["global"],
  providerProfile: ["global"],
  global: [],
  globalProvider: ["global"],
  agent: ["profile", "global"],
  agentProvider: ["profile", "providerProfile", "global", "globalProvider", "agent"],
  group: ["global"],
  phase: ["global"],
  sandbox: ["global"],
  subagent: ["global"],
};

describe("an ask that a deny of another part hides", () => {
  it.each(ids.flatMap((asking) => ids.filter((denying) => denying !== asking).map((denying) => [asking, denying] as const)))(
    "of %s by %s",
    (asking, denying) => {
      const order = [asking, denying].toSorted((a, b) => ids.indexOf(a) - ids.indexOf(b));
      const steps = order.map((id) => ({ id, label: id, ...(id === asking ? { ask: ["exec"] } : { deny: ["exec"] }) }));
      const found = decideTools({ tools: toolsNamed("exec", "read"), steps }).warnings.filter(({ kind }) => kind === "unreachable");
      const expected = hiders[asking]!.includes(denying)
        ? [
            {
              step: asking,
              kind: "unreachable",
              entries: ["exec"],
              label: `${asking}.ask`,
              message: `"exec" in ${asking}.ask has no effect, because ${denying}.deny hides what it matches. Remove the entry, or change ${denying}.deny.`,
            },
          ]
        : [];
      expect(found).toEqual(expected);
    },
  );

  it("is told in one sentence for several entries and several lists", () => {
    const names = Array.from({ length: 7 }, (_, index) => `tool${index}`);
    const steps = [
      { id: "global", label: "tools", deny: names.slice(0, 4) },
      { id: "agent", label: "agent", ask: names, deny: names.slice(4) },
    ] as const;
    const [warning, ...more] = decideTools({ tools: toolsNamed(...names, "left"), steps }).warnings;
    expect(more).toEqual([]);
    expect(warning).toEqual({
      step: "agent",
      kind: "unreachable",
      entries: names,
      label: "agent.ask",
      message:
        '"tool0", "tool1", "tool2", "tool3", "tool4" and 2 more in agent.ask have no effect, because tools.deny, agent.deny hide what they match. Remove these entries, or change tools.deny, agent.deny.',
    });
  });
});
