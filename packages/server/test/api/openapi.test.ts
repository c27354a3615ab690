import { randomBytes } from "node:crypto";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { defineTool } from "@toolrack/core";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { serve } from "../../src/serve.ts";
import { largeDocument, petsDocument, startPets } from "@toolrack/testkit/pets-api";

const config = { store: { memory: true }, tools: { packs: { utility: false } } } as const;

/** Tools of sources that are added over the API wait for a person; here nobody has to look at them. */
const unlocked = { ...config, trust: { enforce: false } } as const;

async function open() {
  const rack = await openTestRack({ config: unlocked });
  const server = serverOver(rack);
  return { ...server, admin: await server.as("root", "admin"), curator: await server.as("boss", "curator") };
}

describe("the plan of a document over HTTP", () => {
  it("tells names, counts, tokens, secrets and what is refused, and imports nothing", async () => {
    const { admin, rack } = await open();
    const document = JSON.stringify(petsDocument("https://api.example.com/v1"));
    const { status, body } = await admin("POST", "/openapi/plan", {
      document,
      source: "zoo",
      openapi: { secrets: { api_key: "ZOO_KEY" } },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      title: "Pets",
      version: "1.2.0",
      format: "OpenAPI 3.1.0",
      servers: ["https://api.example.com/v1"],
      operations: 4,
      tags: [
        { name: "pets", operations: 2 },
        { name: "admin", operations: 1 },
      ],
      secrets: [{ secret: "ZOO_KEY", tools: 3, isSet: false }],
      searched: false,
    });
    expect(body.tools.map(({ name, operation }: Record<string, string>) => [name, operation])).toEqual([
      ["zoo__listPets", "GET /pets"],
      ["zoo__addPet", "POST /pets"],
      ["zoo__deletePet", "DELETE /pets/{id}"],
    ]);
    expect(body.tools[2]).toMatchObject({ destructive: true, readOnly: false });
    expect(body.refused).toMatchObject([{ operation: "GET /broken" }]);
    for (const { tokens } of body.tokens) expect(tokens).toBeGreaterThan(20);
    expect(rack.registry.count).toBe(0);
  });

  it("follows include, exclude and the address", async () => {
    const { admin } = await open();
    const pets = await startPets();
    const openapi = { url: `${pets.url}/openapi.json`, allowHosts: [pets.host], include: ["tag:pets"], exclude: ["POST"] };
    const { body } = await admin("POST", "/openapi/plan", { openapi });
    expect(body.tools.map(({ name }: { name: string }) => name)).toEqual(["api__listPets"]);
    expect(body.operations).toBe(4);
    const refused = await admin("POST", "/openapi/plan", { openapi: { url: openapi.url } });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.body.detail).toContain("allowHosts");
  });

  it("is for admins, and answers bad documents and requests with what is wrong", async () => {
    const { admin, curator } = await open();
    expect(await curator("POST", "/openapi/plan", { document: "{}" })).toMatchObject({ status: 403 });
    const wrong = async (body: object): Promise<string> => {
      const answer = await admin("POST", "/openapi/plan", body);
      expect(answer.status).toBe(400);
      return answer.body.detail as string;
    };
    expect(await wrong({})).toContain("needs a url or a file");
    expect(await wrong({ document: "hello" })).not.toContain("TypeError");
    expect(await wrong({ document: "{}", openapi: { url: "https://a.example/x.json" } })).toContain("Send one of them");
    expect(await wrong({ openapi: { file: "../other.json" } })).toContain("not in the folder");
    expect(await wrong({ openapi: { file: "toolrack.txt" } })).toContain(".json, .yaml or .yml");
    expect(await wrong({ openapi: { urll: "x" } })).toContain("url");
    expect(await wrong({ document: '{"openapi":"3.0.0","paths":' })).not.toContain("paths");
  });
});

describe("the preview of an operation", () => {
  it("shows the tool and the request, without sending it or reading a secret", async () => {
    const { admin, rack } = await open();
    const pets = await startPets();
    await rack.secrets.set("api_key", "k-123", { by: "test" });
    const given = { document: JSON.stringify(petsDocument(pets.url)), operation: "GET /pets" };
    const tool = await admin("POST", "/openapi/preview", given);
    expect(tool.body).toMatchObject({ name: "api__listPets", inputSchema: { properties: { limit: { type: "integer" } } } });
    const shown = await admin("POST", "/openapi/preview", { ...given, input: { limit: 2 } });
    expect(shown.body.request).toMatchObject({ method: "GET", url: `${pets.url}/pets?limit=2` });
    expect(JSON.stringify(shown.body)).not.toContain("k-123");
    expect(pets.seen).toEqual([]);
    expect(await admin("POST", "/openapi/preview", { ...given, input: { limit: "many" } })).toMatchObject({ status: 400 });
    const refused = await admin("POST", "/openapi/preview", { ...given, operation: "GET /broken" });
    expect(refused.body.detail).toContain("GET /broken is no tool");
  });
});

describe("a document that is added as text", () => {
  it("is kept in the store, served, replaced and forgotten with its source", async () => {
    const { admin, rack } = await open();
    const pets = await startPets();
    const add = (document: string, openapi: object = {}) =>
      admin("PUT", "/sources/pets", { document, openapi: { allowHosts: [pets.host], secrets: { api_key: "api_key" }, ...openapi } });
    const added = await add(JSON.stringify(petsDocument(pets.url)));
    expect(added).toMatchObject({
      status: 200,
      body: { kind: "openapi", config: { openapi: { document: expect.stringMatching(/^openapi-document-/) } } },
    });
    await rack.sources.ready();
    expect(rack.registry.has("pets__listPets")).toBe(true);
    await rack.secrets.set("api_key", "k-123", { by: "test" });
    const called = await admin("POST", "/tools/pets__listPets/call", { input: { limit: 1 } });
    expect(called).toMatchObject({ status: 200, body: { ok: true, data: [{ name: "Rex", limit: "1" }] } });
    const first = added.body.config.openapi.document as string;
    const second = (await add(JSON.stringify(largeDocument(pets.url, 3)))).body.config.openapi.document as string;
    expect(second).not.toBe(first);
    await rack.sources.ready();
    expect(rack.registry.list().map(({ name }) => name)).toEqual(["pets__getThing0", "pets__getThing1", "pets__getThing2"]);
    expect(await admin("PUT", "/sources/other", { openapi: { document: first } })).toMatchObject({ status: 200 });
    await rack.sources.ready();
    expect((await admin("GET", "/sources")).body.sources.find(({ id }: { id: string }) => id === "other").error).toContain(
      "has no document",
    );
    expect(await admin("DELETE", "/sources/pets")).toMatchObject({ status: 200 });
    await until(() => rack.registry.list().length === 0);
  });

  it("is refused if it is too large, and beside a url or without openapi", async () => {
    const { admin } = await open();
    const noise = randomBytes(1_000_000).toString("base64");
    const large = await admin("PUT", "/sources/pets", { document: noise, openapi: {} });
    expect(large.body.detail).toContain("too large");
    expect(await admin("PUT", "/sources/pets", { document: "{}" })).toMatchObject({ status: 400 });
    expect(await admin("PUT", "/sources/pets", { document: "{}", openapi: { url: "https://a.example/b.json" } })).toMatchObject({
      status: 400,
    });
    expect((await admin("PUT", "/sources/pets", { openapi: { url: "https://a:b@a.example/b.json" } })).body.detail).toContain("credential");
    expect((await admin("PUT", "/sources/pets", { openapi: { url: "https://a.example/b.json" }, command: "x" })).body.detail).toContain(
      "cannot be set beside",
    );
  });
});

describe("Toolrack's own API as a source of another Toolrack", () => {
  it("is imported from /openapi.json, and its tools are called with a key of the first", async () => {
    const greet = defineTool({
      name: "greet",
      description: "Greets.",
      inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      handler: ({ name }) => `Hello, ${String(name)}!`,
    });
    const first = await openTestRack({ config, tools: [greet] });
    const served = await serve(first, { port: 0, consoleFolder: false });
    afterThisTest(() => served.close({ graceMs: 0 }));
    const { secret } = await first.keys.create({ agent: "other-rack", roles: [], by: "test" });
    const { host } = new URL(served.url);

    const second = await openTestRack({
      config: {
        ...config,
        sources: {
          rack: {
            trust: { first: "pin" },
            openapi: { url: `${served.url}/openapi.json`, allowHosts: [host], secrets: { bearer: "RACK_KEY" } },
          },
        },
      },
    });
    await second.secrets.set("RACK_KEY", secret, { by: "test" });
    await second.sources.ready();
    const state = second.sources.list().find(({ id }) => id === "rack")!;
    expect(state).toMatchObject({ state: "ready" });
    expect(state.tools.length).toBeGreaterThan(100);
    const called = await second.registry.invoke("rack__callTool", { name: "greet", input: { name: "Ada" } });
    expect(called).toMatchObject({ ok: true, data: { ok: true, content: "Hello, Ada!" } });
    const calls = await second.registry.invoke("rack__listCalls", {});
    expect(JSON.stringify(calls)).toContain("other-rack");

    // Through MCP, too: the second rack's own clients.
    const own = await serve(second, { port: 0, consoleFolder: false });
    afterThisTest(() => own.close({ graceMs: 0 }));
    const client = new Client({ name: "test", version: "1" });
    const transport = new StreamableHTTPClientTransport(new URL(`${own.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${second.ownerToken.text}` } },
    });
    await client.connect(transport);
    afterThisTest(() => client.close());
    const listed = (await client.listTools()).tools.map(({ name }) => name);
    expect(listed).toContain("search_tools");
    expect(listed.some((name) => name.startsWith("rack__"))).toBe(state.searched !== true);
    const answer = await client.callTool({
      name: "call_tool",
      arguments: { name: "rack__callTool", input: { name: "greet", input: { name: "Bo" } } },
    });
    expect(JSON.stringify(answer)).toContain("Hello, Bo!");
  });

  it("is imported for one agent from its own document", async () => {
    const tool = defineTool({
      name: "refund",
      description: "Refunds.",
      inputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
      handler: ({ id }) => `refunded ${String(id)}`,
    });
    const first = await openTestRack({ config, tools: [tool] });
    const served = await serve(first, { port: 0, consoleFolder: false });
    afterThisTest(() => served.close({ graceMs: 0 }));
    const { secret } = await first.keys.create({ agent: "ann", roles: [], by: "test" });
    const answer = await fetch(`${served.url}/api/v1/agents/ann/openapi.json`, { headers: { authorization: `Bearer ${secret}` } });
    const { admin, rack } = await open();
    await rack.secrets.set("key", secret, { by: "test" });
    await admin("PUT", "/sources/first", {
      document: await answer.text(),
      openapi: { allowHosts: [new URL(served.url).host], secrets: { key: "key" } },
    });
    await rack.sources.ready();
    expect(await rack.registry.invoke("first__refund", { input: { id: "7" } })).toMatchObject({
      ok: true,
      data: { content: "refunded 7" },
    });
  });
});
