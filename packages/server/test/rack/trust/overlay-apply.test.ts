import { defineTool, type ToolDefinition } from "@toolrack/core";
import { serverOver } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";
import type { ToolOverlay } from "../../../src/config/overlay.ts";
import { applyOverlay, fieldsBelow } from "../../../src/rack/trust/overlay-apply.ts";
import { findOrders, openChanging } from "./_changing-source.ts";

const tool = (change: Partial<ToolDefinition> = {}): ToolDefinition =>
  defineTool({
    name: "send",
    title: "Send",
    description: "Sends a letter.",
    inputSchema: { type: "object", properties: { to: { type: "string" }, copies: { type: "integer", maximum: 5 } } },
    metadata: { annotations: { destructive: false }, limits: { timeoutMs: 1_000 } },
    handler: () => "sent",
    ...change,
  }) as ToolDefinition;

describe("the fields below an overlay", () => {
  it.each<[string, ToolOverlay, Partial<ToolDefinition>]>([
    ["/title", { title: "Post" }, { title: "Delete" }],
    ["/description", { description: "Posts." }, { description: "Deletes." }],
    ["/annotations", { annotations: { readOnly: true } }, { metadata: { annotations: { destructive: true } } }],
    ["/limits", { limits: { timeoutMs: 5 } }, { metadata: { limits: { timeoutMs: 9 } } }],
    [
      "/inputSchema/properties/to",
      { parameters: { to: { description: "Whom." } } },
      { inputSchema: { type: "object", properties: { to: { type: "string", format: "email" } } } },
    ],
  ])("are noted with their content, so that a change of them is found: %s", (pointer, overlay, change) => {
    const [before, after] = [fieldsBelow(tool(), overlay), fieldsBelow(tool(change), overlay)];
    expect([Object.keys(before), Object.keys(after)]).toEqual([[pointer], [pointer]]);
    expect(after[pointer]).not.toBe(before[pointer]);
    expect(fieldsBelow(tool({ version: "2.0.0" }), overlay)).toEqual(before);
  });
});

describe("an overlay that names values of a parameter", () => {
  it("does not fit where the parameter would refuse one of them", () => {
    expect(() => applyOverlay(tool(), { parameters: { copies: { enum: [1, 9] } } }, "/")).toThrow(/the value for "copies" is not valid/);
    expect(applyOverlay(tool(), { parameters: { copies: { enum: [1, 2] } } }, "/").inputSchema).toMatchObject({
      properties: { copies: { enum: [1, 2], maximum: 5 } },
    });
  });
});

describe("an overlay of the configuration file", () => {
  it("gives way to that of a person, comes back when that is removed, and is removed in the file alone", async () => {
    const overlays = { shop: { find_orders: { description: "Of the file." } } };
    const { rack } = await openChanging([findOrders], { config: { overlays } });
    const { ask } = serverOver(rack);
    const shown = (): string | undefined => rack.registry.get("find_orders")?.description;
    await expect.poll(() => rack.overlays.get("find_orders")?.by).toBeDefined();
    expect(await ask("PUT", "/tools/find_orders/overlay", { overlay: { description: "Of a person." } })).toMatchObject({ status: 200 });
    expect(shown()).toBe("Of a person.");
    expect(await ask("DELETE", "/tools/find_orders/overlay")).toMatchObject({
      status: 200,
      body: { overlay: { description: "Of a person." } },
    });
    expect(shown()).toBe("Of the file.");
    expect(await ask("DELETE", "/tools/find_orders/overlay")).toMatchObject({ status: 409, body: { code: "STATE_INVALID" } });
    expect(shown()).toBe("Of the file.");
  });
});
