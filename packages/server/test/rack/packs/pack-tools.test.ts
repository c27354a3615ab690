import { describe, expect, it } from "vitest";
import { idlePackProblems } from "../../../src/rack/packs/pack-tools.ts";

describe("the packs that bring no tool", () => {
  it("are those that are on and not set up, not those that are off or have one tool that needs nothing", () => {
    for (const packs of [undefined, {}, { messages: false }, { publish: true, code: {}, sessions: false }] as const)
      expect(idlePackProblems(packs)).toEqual([]);
    expect(idlePackProblems({ messages: true, publish: true })).toEqual([
      'The pack "messages" is on, but brings no tool: it is not set up. Set tools.packs.messages.channels in toolrack.config.yaml, and restart the server.',
    ]);
  });
});
