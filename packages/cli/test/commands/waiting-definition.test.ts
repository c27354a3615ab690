import type { WaitingDefinition } from "@toolrack/server";
import { describe, expect, it } from "vitest";
import { showWaitingDefinition } from "../../src/commands/_waiting-definition.ts";

const plain = (text: string): string => text;
const style = { strong: plain, dim: plain, warn: plain, bad: plain, good: plain } as never;

/** What waits when only this was added to the description. */
function shownWith(added: string): string {
  const description = `Ships${added} parcels.`;
  return showWaitingDefinition(
    {
      what: "tool",
      tool: "shop__ship",
      source: "mcp:shop",
      name: "ship",
      digest: "v1:sha256:0",
      reason: "changed",
      verdict: "dangerous",
      effect: "held",
      told: [],
      changes: [{ path: "/description", kind: "wording", message: "The wording changed.", before: "Ships parcels.", after: description }],
      findings: [],
      about: [],
      definition: { name: "ship", description },
      seenAt: 0,
      seenBy: "one",
    } as unknown as WaitingDefinition,
    { style },
  );
}

describe("a definition that a person decides about", () => {
  it.each([
    ["a zero-width space", "\u200b", "\\u200b"],
    ["a tag character", "\u{e0041}", "\\udb40\\udc41"],
    ["a change of direction", "\u202e", "\\u202e"],
    ["a control character", "\u009b", "\\u009b"],
    ["a soft hyphen", "\u00ad", "\\u00ad"],
    ["a filler that is no letter", "\u3164", "\\u3164"],
    ["a line separator", "\u2028", "\\u2028"],
  ])("is shown with each character that nobody sees: %s", (_, added, spelled) => {
    const shown = shownWith(added);
    expect(shown).not.toContain(added);
    expect(shown).toContain(`+ "Ships${spelled} parcels."`);
    expect(shown).toContain(`"description":"Ships${spelled} parcels."`);
  });
});
