import { describe, expect, it } from "vitest";
import { createRegistry, defineTool } from "../../src/index.ts";

describe("the time that a call is given", () => {
  it.each([Number.NaN, "100" as unknown as number, -1])("refuses %s, and starts nothing", async (timeoutMs) => {
    let started = false;
    const registry = createRegistry();
    registry.register(
      defineTool({
        name: "wait",
        description: "Waits.",
        inputSchema: { type: "object" },
        handler: () => {
          started = true;
          return new Promise<string>(() => {});
        },
      }),
    );
    expect(await registry.invoke("wait", {}, { timeoutMs })).toMatchObject({ ok: false, code: "CONFIG_INVALID" });
    expect(started).toBe(false);
  });
});
