import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/config/read.ts";

describe("a configuration that unfolds", () => {
  it("S34: is refused at its first alias, however harmless", () => {
    const issuesOf = (text: string): readonly string[] => {
      const read = readConfig(text, "/here/toolrack.config.yaml");
      return read.ok ? [] : read.issues.map(({ message }) => message);
    };
    expect(issuesOf("policy:\n  tools:\n    deny: [exec]\n    ask: [exec]\n")).toEqual([]);
    expect(issuesOf("policy:\n  tools:\n    deny: &denied [exec]\n    ask: *denied\n")).toEqual([expect.stringMatching(/alias/i)]);
  });
});
