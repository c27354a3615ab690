import { describe, expect, it } from "vitest";
import { createRegistry, defineTool } from "../../src/index.ts";

describe("a tool with a required setting that is not saved", () => {
  it("is listed as needing configuration, is not offered, and refuses with that message until it is saved", async () => {
    const saved: Record<string, Record<string, unknown>> = {};
    const registry = createRegistry({
      config: {
        get: (tool) => saved[tool],
        missing: ({ name }) => (saved[name]?.["server"] === undefined ? ["server"] : []),
      },
    });
    registry.register(
      defineTool({
        name: "mail",
        description: "Sends mail.",
        inputSchema: { type: "object" },
        metadata: { configSchema: { type: "object", properties: { server: { type: "string" } }, required: ["server"] } },
        handler: (_input, { config }) => `through ${(config as { server: string }).server}`,
      }),
    );
    expect(registry.entries()).toMatchObject([
      { state: "needs-configuration", reason: 'The setting "server" is not set. Set it: toolrack config mail server=<value>.' },
    ]);
    expect(registry.list()).toEqual([]);
    expect(await registry.invoke("mail", {})).toMatchObject({ ok: false, code: "NEEDS_CONFIGURATION" });
    saved["mail"] = { server: "mx1" };
    expect(await registry.invoke("mail", {})).toMatchObject({ ok: true, content: "through mx1" });
  });
});
