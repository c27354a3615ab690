import { describe, expect, it, vi } from "vitest";
import { createCelEngine } from "../../../src/policy/conditions/cel.ts";
import { policyFromConfig } from "../../../src/policy/config/config.ts";

vi.mock(import("../../../src/util/on-node/cel.ts"), () => ({
  loadCel: () => {
    throw new Error("Cannot find module");
  },
}));

describe("without the package for conditions", () => {
  it("a condition is refused with what to install, when it is read", () => {
    expect(() => createCelEngine().compile("true")).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID", message: expect.stringContaining("npm install @marcbachmann/cel-js") }),
    );
    expect(() => policyFromConfig({ tools: { conditions: [{ tool: "exec", deny: "true" }] } }, {})).toThrow("npm install");
  });

  it("everything else works", () => {
    expect(policyFromConfig({ tools: { deny: ["exec"], paths: [{ tool: "read", deny: ["*.key"] }] } }, {}).steps).toHaveLength(1);
  });
});
