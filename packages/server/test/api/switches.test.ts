import { defineTool } from "@toolrack/core";
import { openTestServer } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";

const send = defineTool({ name: "send", description: "Sends.", inputSchema: { type: "object" }, handler: () => "sent" });

const open = () => openTestServer({ config: { store: { memory: true }, tools: { disabled: ["send"] } }, tools: [send] });
const refused = {
  status: 403,
  body: { code: "FORBIDDEN", detail: expect.stringMatching(/The file disables "send".*needs the role "admin"/) },
};

describe("a tool that the file disables", () => {
  it("TD4: is enabled by no curator, in any way, and by an admin", async () => {
    await using server = await open();
    const [curator, admin] = [await server.as("cura", "curator"), await server.as("ada", "admin")];
    expect(await curator("POST", "/tools/send/enable")).toMatchObject(refused);
    // What a curator disables on top of that hides nothing of it.
    expect(await curator("POST", "/tools/send/disable", { reason: "Later." })).toMatchObject({ status: 200 });
    expect(await curator("POST", "/tools/send/enable")).toMatchObject(refused);
    for (const value of [{ enabled: true }, null])
      expect(await curator("PUT", "/settings/tools.send", { value })).toMatchObject({ status: 403 });
    expect(await curator("DELETE", "/settings/tools.send")).toMatchObject({ status: 403 });
    expect((await server.rack.registry.invoke("send", {})).ok).toBe(false);
    expect(await admin("POST", "/tools/send/enable")).toMatchObject({ status: 200, body: { state: "ready" } });
    expect((await server.rack.registry.invoke("send", {})).ok).toBe(true);
  });

  it("TD4: is not enabled by a proposal that only a curator accepts", async () => {
    await using server = await open();
    const { proposals } = server.rack;
    const { id, digest } = await proposals.propose({ changes: { "tools.send": { enabled: true } }, caller: { agent: "helper" } });
    const curator = await server.as("cura", "curator");
    expect(await curator("POST", `/approvals/${id}/decide`, { approved: true, digest })).toMatchObject({ status: 403 });
    const by = { agent: "cura", principal: "key cura", roles: new Set(["curator"]) };
    await expect(proposals.decide(id, { approved: true, digest, by })).rejects.toThrow(/needs the role "admin"/);
    expect((await server.rack.registry.invoke("send", {})).ok).toBe(false);
  });

  it("leaves a curator the tools that somebody disabled while the server ran", async () => {
    await using server = await openTestServer({ tools: [send] });
    const curator = await server.as("cura", "curator");
    await curator("POST", "/tools/send/disable", {});
    expect(await curator("POST", "/tools/send/enable")).toMatchObject({ status: 200, body: { state: "ready" } });
  });

  it("is enabled under each name that switches it off, however that is spelled", async () => {
    await using server = await openTestServer({
      config: { store: { memory: true }, tools: { disabled: ["Send", "mail"] }, overlays: { box: { send: { name: "mail" } } } },
      tools: [send],
    });
    await server.rack.registry.addSource({ id: "mcp:box", list: () => [send] });
    const ask = await server.as("ada", "admin");
    expect((await ask("POST", "/tools/send/enable")).body).toMatchObject({ state: "ready" });
  });
});
