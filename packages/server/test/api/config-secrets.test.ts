import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";

const packs = { utility: true, web: { search: { backend: "brave" } }, commerce: { sample: true } } as const;
const config = { store: { memory: true }, tools: { packs } } as const;
const elsewhere = { baseUrl: "https://attacker.example/v1" };
const tools = ["openrouter", "web_search", "payment_link"] as const;
const needsAdmin = { status: 403, body: { code: "ROLE_MISSING", detail: expect.stringContaining('"baseUrl"') } };

describe("where a tool sends its secret", () => {
  it("SD6: is not for a curator to change, and is for an admin", async () => {
    const { as, rack } = serverOver(await openTestRack({ config }));
    const [curator, admin] = [await as("cora", "curator"), await as("boss", "admin")];
    const known = tools.filter((tool) => rack.registry.has(tool));
    expect(known).toEqual(tools);
    for (const tool of known) {
      expect(await curator("PUT", `/configs/${tool}`, elsewhere), tool).toMatchObject(needsAdmin);
      expect((await curator("GET", `/configs/${tool}`)).body.values).toEqual({});
      expect(await admin("PUT", `/configs/${tool}`, { baseUrl: "https://gateway.example" }), tool).toMatchObject({ status: 200 });
      expect(await curator("PUT", `/configs/${tool}`, {}), tool).toMatchObject(needsAdmin);
      expect(await curator("DELETE", `/configs/${tool}`), tool).toMatchObject(needsAdmin);
    }
    const rest = { baseUrl: "https://gateway.example", temperature: 1 };
    expect(await curator("PUT", "/configs/openrouter", rest)).toMatchObject({ status: 200, body: { values: rest } });
  });

  it("SD6: cannot be changed through records, neither over HTTP nor with tools", async () => {
    const { as, ask } = serverOver(await openTestRack({ config }));
    const [curator, admin] = [await as("cora", "curator"), await as("boss", "admin")];
    const record = { schema_name: "tool.config.v1", context: { tool: "openrouter", config: elsewhere } };
    expect((await curator("POST", "/breadcrumbs", record)).status).toBe(403);
    expect((await curator("POST", "/tools/breadcrumb_create/call", { input: record })).status).toBe(403);
    await ask("PUT", "/configs/openrouter", { temperature: 1 });
    await ask("PUT", "/configs/openrouter", { temperature: 2 });
    const id = "tool-config-openrouter";
    const context = { config: elsewhere };
    expect((await curator("PATCH", `/breadcrumbs/${id}`, { context })).status).toBe(403);
    expect((await curator("PUT", `/breadcrumbs/${id}`, record, { headers: { "if-match": '"2"' } })).status).toBe(403);
    expect((await curator("DELETE", `/breadcrumbs/${id}`)).status).toBe(403);
    expect((await curator("POST", `/breadcrumbs/${id}/restore`, { version: 1 })).status).toBe(403);
    expect((await curator("POST", "/tools/breadcrumb_update/call", { input: { id, version: 2, context } })).status).toBe(403);
    expect((await curator("GET", "/configs/openrouter")).body.values).toEqual({ temperature: 2 });
    expect((await admin("PATCH", `/breadcrumbs/${id}`, { context })).status).toBe(200);
    const secret = { schema_name: "tool.secret.v1", context: { name: "x" } };
    expect((await admin("POST", "/tools/breadcrumb_create/call", { input: secret })).status).toBe(403);
  });
});

describe("a configuration", () => {
  it("M4: takes the name of a secret, and never the secret itself", async () => {
    const { ask } = serverOver(await openTestRack({ config }));
    for (const tool of ["openrouter", "web_search"]) {
      const refused = await ask("PUT", `/configs/${tool}`, { apiKey: "sk-LITERAL" });
      expect(refused, tool).toMatchObject({
        status: 400,
        body: { code: "CONFIG_INVALID", detail: expect.stringContaining("toolrack secrets set") },
      });
      expect(JSON.stringify(refused)).not.toContain("sk-LITERAL");
    }
    expect(await ask("PUT", "/configs/openrouter", { apiKey: "secret:openrouter-api-key" })).toMatchObject({ status: 200 });
  });

  it("M4: is read by curators, not by emitters and subscribers, however it was written", async () => {
    const { as, ask, rack } = serverOver(await openTestRack({ config }));
    const [emitter, subscriber, curator] = [await as("emil", "emitter"), await as("susi", "subscriber"), await as("cora", "curator")];
    const id = "tool-config-openrouter";
    const old = { tool: "openrouter", config: { defaultModel: "m1" } };
    await rack.store.put({ schema_name: "tool.config.v1", context: old, visibility: "team" });
    expect(await ask("PUT", "/configs/openrouter", { defaultModel: "m2" })).toMatchObject({ status: 200 });
    await ask("POST", "/breadcrumbs", { schema_name: "tool.config.v1", context: { tool: "web_search", config: { backend: "brave" } } });
    for (const other of [emitter, subscriber])
      for (const path of [`/breadcrumbs/${id}`, "/breadcrumbs/tool-config-web_search", `/breadcrumbs/${id}/diff?from=1&to=2`])
        expect((await other("GET", path)).status, path).toBe(404);
    expect(JSON.stringify(await subscriber("GET", "/breadcrumbs?schema_name=tool.config.v1&includeContext=true"))).not.toContain("m2");
    expect((await curator("GET", `/breadcrumbs/${id}`)).body.context.config).toEqual({ defaultModel: "m2" });
    expect(await rack.configs.get("openrouter")).toEqual({ defaultModel: "m2" });
  });
});
