import { defineTool } from "@toolrack/core";
import { openTestServer } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";

const model = defineTool({
  name: "ask_model",
  description: "Asks a model.",
  inputSchema: { type: "object", properties: {} },
  metadata: {
    secrets: ["model-key"],
    configSchema: {
      type: "object",
      properties: { apiKey: { type: "string" }, model: { type: "string" }, temperature: { type: "number", maximum: 2 } },
      required: ["apiKey", "model"],
      additionalProperties: false,
    },
  },
  handler: (_, { config }) => ({ model: (config as { model: string }).model, keyLength: (config as { apiKey: string }).apiKey.length }),
});

describe("configs", () => {
  // row: H2
  it("are saved, hold from the next call on, and keep references to secrets as references", async () => {
    await using server = await openTestServer({ tools: [model] });
    await server.rack.secrets.set("model-key", "sk-very-secret-123");
    const before = await (await server.request("GET", "/api/v1/configs/ask_model")).json();
    expect(before).toMatchObject({ tool: "ask_model", values: {}, missing: ["apiKey", "model"], schema: { type: "object" } });
    expect(await (await server.request("POST", "/api/v1/tools/ask_model/call", { body: {} })).json()).toMatchObject({
      code: "NEEDS_CONFIGURATION",
    });

    const saved = await server.request("PUT", "/api/v1/configs/ask_model", { body: { apiKey: "secret:model-key", model: "small" } });
    expect(saved.headers.get("etag")).toBe('"1"');
    expect(await saved.json()).toMatchObject({ values: { apiKey: "secret:model-key", model: "small" }, missing: [], updated_by: "owner" });
    const called = await (await server.request("POST", "/api/v1/tools/ask_model/call", { body: {} })).json();
    expect(called).toMatchObject({ data: { model: "small", keyLength: "sk-very-secret-123".length } });
    const listed = await (await server.request("GET", "/api/v1/configs")).text();
    expect(listed).toContain("secret:model-key");
    expect(listed).not.toContain("sk-very-secret-123");
  });

  it("are refused at the field that is wrong", async () => {
    await using server = await openTestServer({ tools: [model] });
    const wrong = await server.request("PUT", "/api/v1/configs/ask_model", { body: { temperature: 3, modle: "x" } });
    expect(await wrong.json()).toMatchObject({
      status: 400,
      code: "CONFIG_INVALID",
      tool: "ask_model",
      issues: [{ path: "/temperature" }, { path: "/modle", suggestion: "model" }],
    });
  });

  it("are replaced only at the version in If-Match, tell who wrote them, and can be taken away", async () => {
    await using server = await openTestServer({ tools: [model] });
    const { secret: key } = await server.rack.keys.create({ agent: "cora", roles: ["curator"], by: "test" });
    await server.request("PUT", "/api/v1/configs/ask_model", { body: { model: "a" }, key });
    const second = await server.request("PUT", "/api/v1/configs/ask_model", { body: { model: "b" }, key, headers: { "if-match": '"1"' } });
    expect(await second.json()).toMatchObject({ version: 2, updated_by: "cora" });
    expect(
      (await server.request("PUT", "/api/v1/configs/ask_model", { body: { model: "c" }, key, headers: { "if-match": '"1"' } })).status,
    ).toBe(412);
    expect((await server.request("DELETE", "/api/v1/configs/ask_model", { key })).status).toBe(204);
    expect(await (await server.request("GET", "/api/v1/configs/ask_model", { key })).json()).toMatchObject({ values: {} });
  });

  it("are for curators, of tools that exist and take settings", async () => {
    await using server = await openTestServer({ tools: [model] });
    expect((await server.request("GET", "/api/v1/configs/nothing")).status).toBe(404);
    expect((await server.request("GET", "/api/v1/configs/echo")).status).toBe(404);
    const { secret: key } = await server.rack.keys.create({ agent: "bot", roles: ["emitter", "subscriber"], by: "test" });
    expect((await server.request("GET", "/api/v1/configs/ask_model", { key })).status).toBe(403);
    expect((await server.request("PUT", "/api/v1/configs/ask_model", { key, body: {} })).status).toBe(403);
  });
});

describe("the shell", () => {
  it("SD14: is switched on by the file alone, not by a saved setting, and not by a record", async () => {
    const config = { tools: { packs: { code: { bash: false, unconfined: true } } } } as const;
    await using server = await openTestServer({ config });
    const { secret: key } = await server.rack.keys.create({ agent: "cora", roles: ["curator"], by: "test" });
    const call = () => server.request("POST", "/api/v1/tools/bash/call", { body: { input: { command: "echo ran" } } });
    expect((await server.request("PUT", "/api/v1/configs/bash", { key, body: { enabled: true } })).status).toBe(404);
    const record = {
      schema_name: "tool.config.v1",
      title: "bash",
      tags: ["tool:config"],
      context: { tool: "bash", values: { enabled: true }, enabled: true },
    };
    await server.request("PUT", "/api/v1/breadcrumbs/config-bash", { key, body: record });
    expect(await (await call()).json()).toMatchObject({ status: 404, code: "TOOL_NOT_FOUND" });
  });

  it("SD14: no tool takes a setting that decides what it may reach", async () => {
    const packs = { files: true, runtime: true, code: { bash: true }, web: true, utility: true, memory: true } as const;
    await using server = await openTestServer({ config: { tools: { packs } } });
    const decisive = new Set([
      "enabled",
      "unconfined",
      "network",
      "readable",
      "shell",
      "root",
      "allowHosts",
      "gitHooks",
      "allow",
      "forbid",
      "environment",
      "hidden",
    ]);
    const found = server.rack.registry.entries().flatMap(({ tool }) => {
      const { properties = {} } = (tool.metadata?.configSchema ?? {}) as { readonly properties?: object };
      return Object.keys(properties)
        .filter((name) => decisive.has(name))
        .map((name) => `${tool.name}.${name}`);
    });
    expect(found).toEqual([]);
  });
});
