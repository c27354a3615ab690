import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { sendJson, startLoopback } from "@toolrack/testkit/loopback";
import { petsDocument, startPets } from "@toolrack/testkit/pets-api";
import { openTestServer } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { serve } from "../../src/serve.ts";

const list = { operation: "GET /pets", input: { limit: 3 } };

async function open(config: object = {}) {
  const pets = await startPets();
  const server = await openTestServer({ config, rack: { folder: temporaryFolder() } });
  afterThisTest(() => server[Symbol.asyncDispose]());
  await server.rack.secrets.set("pets-key", "k-123");
  const openapi = { secrets: { api_key: "pets-key" }, allowHosts: [pets.host] };
  const given = { source: "pets", document: JSON.stringify(petsDocument(pets.url)), openapi, ...list };
  return { pets, server, given };
}

describe("who tries an operation", () => {
  it("is an admin: no other role, and no agent, has a request sent", async () => {
    const { pets, server, given } = await open();
    for (const roles of [[], ["subscriber"], ["curator"]]) {
      const other = await server.as(`other-${roles.length}-${roles.join()}`, ...roles);
      expect(await other("POST", "/openapi/try", given)).toMatchObject({ status: 403, body: { code: "ROLE_MISSING" } });
    }
    expect(pets.seen).toEqual([]);
  });

  it("is under their own policy, and is the caller in the record", async () => {
    const { pets, server, given } = await open({ policy: { agents: { boss: { tools: { deny: ["pets__*"] } } } } });
    const [boss, ann] = [await server.as("boss", "admin"), await server.as("ann", "admin")];
    expect(await boss("POST", "/openapi/try", given)).toMatchObject({ status: 403, body: { code: "TOOL_NOT_ALLOWED" } });
    expect(pets.seen).toEqual([]);
    const { status, body } = await ann("POST", "/openapi/try", given);
    expect(status).toBe(200);
    const { caller } = (await server.ask("GET", `/calls/${body.meta.callId}`)).body;
    expect(caller).toMatchObject({ agent: "ann", principal: "key ann" });
    expect(caller.owner).not.toBe(true);
  });

  it("has the request ended when they go away", async () => {
    const { server } = await open();
    let [asked, ended] = [false, false];
    const api = await startLoopback((_request, response) => {
      asked = true;
      response.on("close", () => (ended = true));
    });
    afterThisTest(() => api[Symbol.asyncDispose]());
    const document = JSON.stringify({ openapi: "3.1.0", servers: [{ url: api.url }], paths: { "/slow": { get: {} } } });
    const body = { document, openapi: { allowHosts: [api.host], timeoutMs: 600_000 }, operation: "GET /slow", input: {} };
    const leaving = new AbortController();
    const trying = server.ask("POST", "/openapi/try", body, { signal: leaving.signal }).catch(() => undefined);
    await until(() => asked);
    leaving.abort();
    await until(() => ended, "The request to the API was not ended.", 1_000);
    await trying;
  });
});

describe("what a document that is tried gets", () => {
  it("is no secret that its configuration does not name, also where it asks for one by its name", async () => {
    const { pets, server, given } = await open();
    await server.rack.secrets.set("api_key", "k-123");
    const { allowHosts } = given.openapi;
    const plain = await server.ask("POST", "/openapi/try", { ...given, openapi: { allowHosts } });
    expect(plain.body).toMatchObject({ code: "NEEDS_CONFIGURATION" });
    const ways = { security: [{ api_key: [] }, { other: [] }] };
    const apiKey = { type: "apiKey", in: "header", name: "X-Key" };
    const components = { securitySchemes: { api_key: apiKey, other: { ...apiKey, name: "X-Other" } } };
    const document = JSON.stringify(petsDocument(pets.url, { ...ways, components }));
    const several = await server.ask("POST", "/openapi/try", { ...given, document, openapi: { allowHosts } });
    expect(several.body).toMatchObject({ code: "SECRET_MISSING" });
    expect(pets.seen).toEqual([]);
  });

  it("is no way to this server itself, unless its host is named with the port", async () => {
    const { server } = await open();
    const served = await serve(server.rack, { port: 0, consoleFolder: false });
    afterThisTest(() => served.close({ graceMs: 0 }));
    const document = JSON.stringify({ openapi: "3.1.0", servers: [{ url: served.url }], paths: { "/health": { get: {} } } });
    const tried = (more: object, allowHosts: readonly string[]) =>
      server.ask("POST", "/openapi/try", { openapi: { allowHosts, ...more }, operation: "GET /health", input: {} });
    const asText = (allowHosts: readonly string[]) =>
      server.ask("POST", "/openapi/try", { document, openapi: { allowHosts }, operation: "GET /health", input: {} });
    expect((await asText(["127.0.0.1"])).body.detail).toContain("sources.api.openapi.allowHosts");
    expect(await asText([new URL(served.url).host])).toMatchObject({ status: 200 });
    const read = await tried({ url: `${served.url}/openapi.json` }, ["127.0.0.1"]);
    expect(read.body.detail).toContain("sources.api.openapi.allowHosts");
  });

  it("is no file of the server and no document of its store", async () => {
    const { pets, server, given } = await open();
    const { document: text, ...rest } = given;
    const stored = `openapi-document-${"a".repeat(64)}`;
    for (const [part, more] of [
      ["file", { openapi: { ...given.openapi, file: "pets.json" } }],
      ["document", { openapi: { ...given.openapi, document: stored } }],
      ["overlays", { document: text, openapi: { ...given.openapi, overlays: ["package.json"] } }],
      ["documents", { document: text, openapi: { ...given.openapi, documents: { "other.json": "package.json" } } }],
    ] as const) {
      const refused = await server.ask("POST", "/openapi/try", { ...rest, ...more });
      expect(refused, part).toMatchObject({ status: 400, body: { code: "CONFIG_INVALID" } });
      expect(refused.body.detail).toContain(`sources.pets.openapi.${part} is read once the source is saved`);
    }
    expect(pets.seen).toEqual([]);
  });

  it("is what a source may have: an id, an address without a credential, and the names of secrets", async () => {
    const { pets, server, given } = await open();
    for (const [fact, more] of [
      ["an id is 1 to 32 letters and digits", { source: "my pets" }],
      ["baseUrl holds a credential", { openapi: { ...given.openapi, baseUrl: `http://someone:p4ssw0rd@${pets.host}` } }],
      ["must be the name of a secret", { openapi: { ...given.openapi, secrets: { api_key: "p4ssw0rd of a person" } } }],
    ] as const) {
      const { status, body } = await server.ask("POST", "/openapi/try", { ...given, ...more });
      expect([status, body.code], fact).toEqual([400, "CONFIG_INVALID"]);
      expect(body.detail).toContain(fact);
      expect(body.detail).not.toContain("p4ssw0rd");
    }
    expect(pets.seen).toEqual([]);
  });

  it("is no operation that the source excludes", async () => {
    const { pets, server, given } = await open();
    const excluded = await server.ask("POST", "/openapi/try", { ...given, openapi: { ...given.openapi, exclude: ["tag:pets"] } });
    expect(excluded.body.detail).toContain("GET /pets is no tool: the document has no such operation, or it is excluded.");
    expect(pets.seen).toEqual([]);
  });

  it("is as much time and as long an answer as the source allows", async () => {
    const { server } = await open();
    const api = await startLoopback(({ path }, response) => {
      if (path === "/long") sendJson(response, { text: "x".repeat(5_000) });
    });
    afterThisTest(() => api[Symbol.asyncDispose]());
    const document = JSON.stringify({ openapi: "3.1.0", servers: [{ url: api.url }], paths: { "/long": { get: {} } } });
    const operation = { operation: "GET /long", input: {} };
    const long = await server.ask("POST", "/openapi/try", { document, openapi: { allowHosts: [api.host], maxBytes: 1_000 }, ...operation });
    expect(long.body.detail).toContain("1000 bytes");
    const slow = { url: `${api.url}/never`, allowHosts: [api.host], timeoutMs: 50 };
    const { body } = await server.ask("POST", "/openapi/try", { openapi: slow, ...operation });
    expect(body.detail).toContain("did not answer within 50 ms");
  });

  it("is a result as long as every result of this server may be", async () => {
    const { server } = await open({ limits: { maxResultBytes: 2_000 } });
    const api = await startLoopback((_request, response) => sendJson(response, { text: "x".repeat(50_000) }));
    afterThisTest(() => api[Symbol.asyncDispose]());
    const document = JSON.stringify({ openapi: "3.1.0", servers: [{ url: api.url }], paths: { "/long": { get: {} } } });
    const tried = { document, openapi: { allowHosts: [api.host] }, operation: "GET /long", input: {} };
    const { body } = await server.ask("POST", "/openapi/try", tried);
    expect(JSON.stringify(body)).not.toContain("x".repeat(2_001));
  });
});
