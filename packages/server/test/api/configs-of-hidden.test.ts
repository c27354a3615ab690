import { defineTool, type ToolDefinition } from "@toolrack/core";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver, type TestServer } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";
import type { ToolOverlay } from "../../src/config/overlay.ts";
import type { Rack } from "../../src/rack/rack.ts";

const fields = { type: "object", properties: { to: { type: "string" }, bcc: { type: "string" } } } as const;
const send = defineTool({
  name: "send",
  description: "Sends a letter.",
  inputSchema: fields,
  metadata: { configSchema: fields },
  handler: (input) => input,
}) as ToolDefinition;

async function open(overlay?: ToolOverlay): Promise<{ rack: Rack; admin: TestServer["ask"]; curator: TestServer["ask"] }> {
  const overlays = overlay && { post: { send: overlay } };
  const rack = await openTestRack({ config: { store: { memory: true }, trust: { enforce: false }, ...(overlays && { overlays }) } });
  await rack.registry.addSource({ id: "mcp:post", identity: "p", list: () => [send] });
  const server = serverOver(rack);
  return { rack, admin: server.ask, curator: await server.as("cura", "curator") };
}

const sent = async (rack: Rack, name = "send"): Promise<unknown> => {
  const result = await rack.registry.invoke(name, {}, { caller: { owner: true, agent: "local" } });
  return result.ok ? result.data : result.code;
};
const refused = { status: 403, body: { code: "ROLE_MISSING", detail: expect.stringMatching(/"cura" may not change "bcc" of/) as string } };
const hiding: ToolOverlay = { parameters: { bcc: { hidden: true } } };

describe("TD2: the setting of a parameter that an overlay withholds", () => {
  it.each<[string, ToolOverlay]>([
    ["hides", hiding],
    ["hides under another name", { ...hiding, name: "mail" }],
    ["gives a value", { parameters: { bcc: { value: "audit" } } }],
  ])("is an admin's where the file %s", async (_, overlay) => {
    const { rack, admin, curator } = await open(overlay);
    const name = overlay.name ?? "send";
    expect(await curator("PUT", `/configs/${name}`, { bcc: "eve" })).toMatchObject(refused);
    expect(await sent(rack, name)).toEqual(overlay.parameters!["bcc"]!.value === undefined ? {} : { bcc: "audit" });
    expect(await curator("PUT", `/configs/${name}`, { to: "ada" })).toMatchObject({ status: 200 });
    expect(await admin("PUT", `/configs/${name}`, { bcc: "ben" })).toMatchObject({ status: 200 });
    expect(await curator("PUT", `/configs/${name}`, { bcc: "ben", to: "ada" })).toMatchObject({ status: 200 });
    for (const body of [{ bcc: "eve" }, { to: "ada" }]) expect(await curator("PUT", `/configs/${name}`, body)).toMatchObject(refused);
    expect(await curator("DELETE", `/configs/${name}`)).toMatchObject(refused);
    expect(await admin("DELETE", `/configs/${name}`)).toMatchObject({ status: 204 });
  });

  it("is an admin's where an admin hides it, also when a curator added to that", async () => {
    const { rack, admin, curator } = await open();
    await admin("PUT", "/tools/send/overlay", { overlay: hiding });
    expect(await curator("PUT", "/configs/send", { bcc: "eve" })).toMatchObject(refused);
    await curator("PUT", "/tools/send/overlay", { overlay: { tags: ["mail"] } });
    expect(await curator("PUT", "/configs/send", { bcc: "eve" })).toMatchObject(refused);
    expect(await sent(rack)).toEqual({});
  });

  it("is a curator's where a curator hides it, or nobody", async () => {
    const { rack, curator } = await open();
    expect(await curator("PUT", "/configs/send", { bcc: "ben" })).toMatchObject({ status: 200 });
    await curator("PUT", "/tools/send/overlay", { overlay: hiding });
    expect(await curator("PUT", "/configs/send", { bcc: "ada" })).toMatchObject({ status: 200 });
    expect(await sent(rack)).toEqual({ bcc: "ada" });
  });
});
