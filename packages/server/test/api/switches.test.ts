import { join } from "node:path";
import { defineTool, type ToolDefinition } from "@toolrack/core";
import { loadPlugins } from "@toolrack/core/node";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { openTestServer, serverOver } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";
import { serverActor } from "../../src/rack/store/open-store.ts";

const send = defineTool({ name: "send", description: "Sends.", inputSchema: { type: "object" }, handler: () => "sent" });

const open = () => openTestServer({ config: { store: { memory: true }, tools: { disabled: ["send"] } }, tools: [send] });
const refused = {
  status: 403,
  body: { code: "FORBIDDEN", detail: expect.stringMatching(/The file disables "send".*needs the role "admin"/) },
};

const versions = ["1.0.0", "2.0.0"].map((version) => defineTool({ ...send, version }));
const disabled = { status: 403, body: { code: "TOOL_DISABLED" } };

describe("a tool that the file disables", () => {
  it("TD4: is called by nobody in an older version, also when the newest one is gone", async () => {
    await using server = await openTestServer({
      config: { tools: { disabled: ["send"] }, policy: { agents: { bot: { tools: { allow: ["send"] } } } } },
      tools: versions,
    });
    const bot = await server.as("bot");
    for (const name of ["send", "send@1.0.0", "send@^1", "SEND@1"])
      expect(await bot("POST", `/tools/${name}/call`, { input: {} })).toMatchObject(disabled);
    server.rack.registry.unregister("send@2.0.0");
    expect(await bot("POST", "/tools/send/call", { input: {} })).toMatchObject(disabled);
  });

  it("TD4: is called by nobody in a version that is added later", async () => {
    await using server = await openTestServer({ config: { tools: { disabled: ["send"] } }, tools: versions.slice(1) });
    server.rack.registry.register(versions[0]!);
    server.rack.registry.register({ ...versions[0]!, version: "3.0.0" });
    for (const name of ["send", "send@1.0.0", "send@3.0.0"])
      expect(await server.rack.registry.invoke(name, {})).toMatchObject({ ok: false, code: "TOOL_DISABLED" });
  });

  it.each<[string, object]>([
    ["send", {}],
    ["mail", { overlays: { "plugin:voice": { send: { name: "mail" } } } }],
  ])("TD4: is called by nobody where a plugin makes it for each caller, as %s", async (name, config) => {
    const { sources } = await loadPlugins([
      { id: "voice", register: (api: { registerTool(make: () => ToolDefinition): void }) => api.registerTool(() => send) } as never,
    ]);
    const rack = await openTestRack({
      config: { store: { memory: true }, trust: { enforce: false }, tools: { disabled: ["send"] }, ...config },
    });
    await rack.registry.addSource(sources[0]!);
    const run = () => rack.registry.invoke(name, {}, { caller: { agent: "bot" } });
    expect(await run()).toMatchObject({ ok: false, code: "TOOL_DISABLED" });
    await serverOver(rack).ask("PUT", "/settings/tools.send", { value: { enabled: true } });
    expect((await run()).ok).toBe(true);
  });

  it("TD4: is not enabled by what a curator enabled before the file disabled it", async () => {
    const store = { sqlite: join(temporaryFolder(), "store.db") };
    const key = "tools.send";
    {
      await using server = await openTestServer({ config: { store }, tools: [send] });
      const curator = await server.as("cura", "curator");
      expect(await curator("POST", "/tools/send/enable")).toMatchObject({ status: 200, body: { state: "ready" } });
      expect(server.rack.settings.get(key)).toBeUndefined();
      // As a record of an earlier version, which does not say who wrote it.
      const inner = server.rack.store.as(serverActor);
      await inner.put({
        id: "setting-tools.send",
        schema_name: "toolrack.setting.v1",
        title: key,
        context: { key, value: { enabled: true }, by: "cura" },
      });
    }
    await using server = await openTestServer({ config: { store, tools: { disabled: ["send"] } }, tools: [send] });
    expect(await server.rack.registry.invoke("send", {})).toMatchObject({ ok: false, code: "TOOL_DISABLED" });
    expect(server.rack.settings.problems.join("\n")).toContain('does not enable the tool "send": the file disables it');
    const admin = await server.as("ada", "admin");
    expect(await admin("POST", "/tools/send/enable")).toMatchObject({ status: 200, body: { state: "ready" } });
    expect(server.rack.settings.problems.join("\n")).not.toContain("send");
  });

  it("is disabled in each case of its letters, and in the version that is named", async () => {
    await using server = await openTestServer({
      config: { tools: { disabled: ["MAIL", "send@1.0.0", "mail@1.0.0"] } },
      tools: [...versions, { ...send, name: "mail" }, { ...send, name: "Mail" }],
    });
    const codes = ["mail", "Mail", "send@1.0.0", "send"].map(async (name) => (await server.rack.registry.invoke(name, {})).ok);
    expect(await Promise.all(codes)).toEqual([false, false, false, true]);
    const problems = server.rack.settings.problems.filter((problem) => problem.includes("so it disables nothing"));
    expect(problems).toEqual([expect.stringContaining('"mail@1.0.0" is the version of no tool')]);
  });

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

  it("TD4: is disabled in every version by a switch, which only an admin undoes where an admin set it", async () => {
    await using server = await openTestServer({ tools: versions });
    const [curator, admin] = [await server.as("cura", "curator"), await server.as("ada", "admin")];
    await admin("POST", "/tools/send@1.0.0/disable", {});
    for (const name of ["send", "send@1.0.0"]) expect((await server.rack.registry.invoke(name, {})).ok).toBe(false);
    const byAdmin = {
      status: 403,
      body: { code: "FORBIDDEN", detail: expect.stringMatching(/^An admin disables "send".*needs the role "admin"/) },
    };
    expect(await curator("POST", "/tools/send/enable")).toMatchObject(byAdmin);
    expect(await curator("POST", "/tools/send/disable", { reason: "Mine now." })).toMatchObject({ status: 200 });
    expect(await curator("POST", "/tools/send/enable")).toMatchObject(byAdmin);
    expect(await admin("POST", "/tools/send/enable")).toMatchObject({ status: 200, body: { state: "ready" } });
    expect((await server.rack.registry.invoke("send@1.0.0", {})).ok).toBe(true);
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
