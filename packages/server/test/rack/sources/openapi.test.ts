import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver } from "@toolrack/testkit/test-server";
import { startLoopback } from "@toolrack/testkit/loopback";
import { createFakeClock } from "@toolrack/core/testing";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it } from "vitest";
import { createOpenApiSource } from "../../../src/rack/sources/openapi/create-openapi.ts";
import { serve } from "../../../src/serve.ts";
import { openPets } from "./open-pets.ts";
import { largeDocument, petsDocument, startPets } from "@toolrack/testkit/pets-api";

describe("an OpenAPI document as a source", () => {
  it("serves its operations as tools, names what it refuses, and calls the API with its secret", async () => {
    const pets = await startPets();
    const { rack, state, names } = await openPets({
      url: `${pets.url}/openapi.json`,
      allowHosts: [pets.host],
      secrets: { api_key: "PETS_KEY" },
    });
    expect(names()).toEqual(["pets__listPets", "pets__addPet", "pets__deletePet"]);
    expect(state()).toMatchObject({ kind: "openapi", state: "ready" });
    expect(state().problems.join()).toContain("GET /broken");
    expect(await rack.registry.invoke("pets__listPets", { limit: 3 })).toMatchObject({ ok: false });
    await rack.secrets.set("PETS_KEY", "k-123", { by: "test" });
    expect(await rack.registry.invoke("pets__listPets", { limit: 3 })).toMatchObject({ ok: true, data: [{ name: "Rex", limit: "3" }] });
    expect(await rack.registry.invoke("pets__addPet", { name: "Mia" })).toMatchObject({ ok: true });
    expect(pets.seen.at(-1)).toMatchObject({ method: "POST", path: "/pets", body: '{"name":"Mia"}' });
  });

  it("is governed by the policy like every other source", async () => {
    const pets = await startPets();
    const { rack } = await openPets(
      { url: `${pets.url}/openapi.json`, allowHosts: [pets.host], group: "zoo" },
      {
        policy: { agents: { ann: { tools: { deny: ["pets__deletePet"] } }, bob: { tools: { deny: ["group:zoo"] } } }, groups: { zoo: [] } },
      },
    );
    await rack.secrets.set("api_key", "k-123", { by: "test" });
    expect(rack.registry.view({ agent: "ann" }).tools.map(({ name }) => name)).toEqual(["pets__listPets", "pets__addPet"]);
    expect(rack.registry.view({ agent: "bob" }).tools).toEqual([]);
    expect(await rack.registry.invoke("pets__deletePet", { id: "1" }, { caller: { agent: "ann" } })).toMatchObject({
      code: "TOOL_NOT_ALLOWED",
    });
    expect(pets.seen.filter(({ method }) => method === "DELETE")).toEqual([]);
  });

  it("chooses and renames operations", async () => {
    const pets = await startPets();
    const { names } = await openPets({
      url: `${pets.url}/openapi.json`,
      allowHosts: [pets.host],
      include: ["tag:pets"],
      exclude: ["POST"],
      rename: { listPets: "all_pets" },
    });
    expect(names()).toHaveLength(1);
    expect(names()[0]).toMatch(/^pets_+all_pets$|^all_pets$/);
  });

  it("calls the address and sends the media type that the configuration says, whatever the document prefers", async () => {
    const pets = await startPets();
    const document = petsDocument("https://api.example.com", { security: [] }) as Record<string, never> & {
      paths: Record<string, Record<string, { requestBody: { content: Record<string, unknown> } }>>;
    };
    const { content } = document.paths["/pets"]!["post"]!.requestBody;
    content["application/x-www-form-urlencoded"] = content["application/json"];
    const folder = temporaryFolder({ "pets.json": JSON.stringify(document) });
    const contentType = ["application/x-www-form-urlencoded"];
    const { rack } = await openPets({ file: "pets.json", baseUrl: pets.url, allowHosts: [pets.host], contentType }, {}, folder);
    await rack.registry.invoke("pets__addPet", { name: "Mia" });
    expect(pets.seen.map(({ method, path: asked, body }) => [method, asked, body])).toEqual([["POST", "/pets", "name=Mia"]]);
  });

  it("refuses a document at a private address unless its host is named", async () => {
    const pets = await startPets();
    const { state } = await openPets({ url: `${pets.url}/openapi.json` });
    expect(state().state).toBe("failed");
    expect(state().error).toContain("sources.pets.openapi.allowHosts");
    expect(pets.seen).toEqual([]);
  });

  it("refuses to call a server at a private address unless its host is named", async () => {
    const pets = await startPets();
    const folder = temporaryFolder({ "pets.json": JSON.stringify(petsDocument(pets.url)) });
    const { rack } = await openPets({ file: "pets.json" }, {}, folder);
    await rack.secrets.set("api_key", "k-123", { by: "test" });
    expect(await rack.registry.invoke("pets__listPets", {})).toMatchObject({ ok: false, error: expect.stringContaining("allowHosts") });
    expect(pets.seen).toEqual([]);
  });

  it("sends no credential to another origin than the server's, also after a redirect", async () => {
    const thief = await startLoopback((_, response) => response.writeHead(200, { "content-type": "application/json" }).end("[]"));
    afterThisTest(() => thief[Symbol.asyncDispose]());
    const api = await startLoopback((_, response) => response.writeHead(307, { location: `${thief.url}/pets` }).end());
    afterThisTest(() => api[Symbol.asyncDispose]());
    const folder = temporaryFolder({ "pets.json": JSON.stringify(petsDocument(api.url)) });
    const { rack } = await openPets({ file: "pets.json", allowHosts: [api.host, thief.host] }, {}, folder);
    await rack.secrets.set("api_key", "k-123", { by: "test" });
    await rack.registry.invoke("pets__listPets", {});
    expect(api.seen[0]?.headers["x-key"]).toBe("k-123");
    expect(thief.seen).toHaveLength(1);
    expect(JSON.stringify(thief.seen.map(({ headers, query, body }) => [headers, [...query], body]))).not.toContain("k-123");
  });

  it("follows no redirect to a host that is not named", async () => {
    const other = await startLoopback((_, response) => response.writeHead(200, { "content-type": "application/json" }).end("[]"));
    afterThisTest(() => other[Symbol.asyncDispose]());
    const api = await startLoopback((_, response) => response.writeHead(307, { location: `${other.url}/pets` }).end());
    afterThisTest(() => api[Symbol.asyncDispose]());
    const folder = temporaryFolder({ "pets.json": JSON.stringify(petsDocument(api.url)) });
    const { rack } = await openPets({ file: "pets.json", allowHosts: [api.host] }, {}, folder);
    await rack.secrets.set("api_key", "k-123", { by: "test" });
    expect(await rack.registry.invoke("pets__listPets", {})).toMatchObject({ ok: false, error: expect.stringContaining("allowHosts") });
    expect([api.seen.length, other.seen.length]).toEqual([1, 0]);
  });

  it("keeps to the longest answer and the longest wait of the source", async () => {
    const api = await startLoopback(({ method }, response) => {
      if (method === "GET") response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify("long ".repeat(1_000)));
    });
    afterThisTest(() => api[Symbol.asyncDispose]());
    const folder = temporaryFolder({ "pets.json": JSON.stringify(petsDocument(api.url)) });
    const { rack } = await openPets({ file: "pets.json", allowHosts: [api.host], maxBytes: 1_000, timeoutMs: 50 }, {}, folder);
    await rack.secrets.set("api_key", "k-123", { by: "test" });
    expect(await rack.registry.invoke("pets__addPet", { name: "Mia" })).toMatchObject({ ok: false, code: "TIMEOUT" });
    const patient = await openPets({ file: "pets.json", allowHosts: [api.host], maxBytes: 1_000 }, {}, folder);
    await patient.rack.secrets.set("api_key", "k-123", { by: "test" });
    expect(await patient.rack.registry.invoke("pets__listPets", {})).toMatchObject({ ok: false, error: expect.stringContaining("1000") });
  });

  it("reads a changed document on demand, and keeps tools that did not change as they are", async () => {
    const pets = await startPets();
    const given = { url: `${pets.url}/openapi.json`, allowHosts: [pets.host] };
    const { rack, names } = await openPets(given, {}, undefined, { change: "follow" });
    const before = rack.registry.get("pets__listPets");
    await rack.sources.refresh("pets");
    expect(rack.registry.get("pets__listPets")).toBe(before);
    const changed = petsDocument(pets.url) as { paths: Record<string, Record<string, { summary?: string }>> };
    delete changed.paths["/pets/{id}"];
    changed.paths["/pets"]!["post"]!.summary = "Adds a pet to the shop";
    pets.document = changed;
    const revision = rack.registry.revision;
    await rack.sources.refresh("pets");
    expect(names()).toEqual(["pets__listPets", "pets__addPet"]);
    expect(rack.registry.get("pets__listPets")).toBe(before);
    expect(rack.registry.get("pets__addPet")?.description).toContain("Adds a pet to the shop");
    expect(rack.registry.revision).toBeGreaterThan(revision);
  });

  it("shows a changed document to the lock, operation by operation, while the others are served", async () => {
    const pets = await startPets();
    const { rack } = await openPets({ url: `${pets.url}/openapi.json`, allowHosts: [pets.host] });
    const changed = petsDocument(pets.url) as { paths: Record<string, Record<string, { parameters: { schema: object }[] }>> };
    changed.paths["/pets"]!["get"]!.parameters[0]!.schema = { type: "string" };
    pets.document = changed;
    await rack.sources.refresh("pets");
    const waiting = rack.trust.waiting();
    expect(waiting.map(({ tool, source, reason }) => [tool, source, reason])).toEqual([["pets__listPets", "openapi:pets", "changed"]]);
    expect(waiting[0]!.changes.map(({ path }) => path).join()).toContain("limit");
    expect(rack.registry.has("pets__addPet")).toBe(true);
    expect(rack.registry.has("pets__listPets")).toBe(false);
  });

  it("holds the tools of a document whose server moves to another host", async () => {
    const pets = await startPets();
    const { rack, names } = await openPets({ url: `${pets.url}/openapi.json`, allowHosts: [pets.host] });
    pets.document = petsDocument("https://evil.example");
    await rack.sources.refresh("pets");
    expect(
      rack.trust
        .waiting()
        .map(({ tool }) => tool)
        .toSorted(),
    ).toEqual(["pets__addPet", "pets__deletePet", "pets__listPets"]);
    expect(names()).toEqual([]);
  });

  it("keeps its tools while the document cannot be read, and tells why", async () => {
    const pets = await startPets();
    const { rack, state, names } = await openPets({ url: `${pets.url}/openapi.json`, allowHosts: [pets.host] });
    pets.document = '{"openapi": "3.1.0", "paths": {';
    await rack.sources.refresh("pets");
    expect(state()).toMatchObject({ state: "failed" });
    expect(names()).toHaveLength(3);
    pets.document = petsDocument(pets.url);
    await rack.sources.refresh("pets");
    expect(state()).toMatchObject({ state: "ready" });
  });

  it("reads the document again on schedule, until it is closed", async () => {
    const clock = createFakeClock();
    const { source } = createOpenApiSource("openapi:pets", {
      id: "pets",
      config: { url: "https://api.example.com/openapi.json", refreshMinutes: 30 },
      folder: "/",
      log: { debug() {}, info() {}, warn() {}, error() {} },
      clock,
      fault: () => undefined,
      stored: async () => undefined,
      served: () => undefined,
      onRead: async () => undefined,
    });
    let changes = 0;
    const stop = source.watch!(() => (changes += 1));
    await clock.advance(29 * 60_000);
    expect(changes).toBe(0);
    await clock.advance(61 * 60_000);
    expect(changes).toBe(3);
    stop();
    await clock.advance(300 * 60_000);
    expect(changes).toBe(3);
  });

  it("does not reach this server unless its host is named with the port", async () => {
    const rack = await openTestRack({ config: { store: { memory: true } } });
    const served = await serve(rack, { port: 0, consoleFolder: false });
    afterThisTest(() => served.close({ graceMs: 0 }));
    const plan = (allowHosts: readonly string[]) =>
      rack.sources.plan("own", { url: `${served.url}/openapi.json`, allowHosts }, { signal: new AbortController().signal });
    await expect(plan(["127.0.0.1"])).rejects.toMatchObject({ code: "SOURCE_FAILED" });
    await expect(plan([new URL(served.url).host])).resolves.toMatchObject({ title: "Toolrack" });
  });

  it("calls no operation of this server unless its host is named with the port", async () => {
    const folder = temporaryFolder({ "pets.json": JSON.stringify(petsDocument("https://api.example.com", { security: [] })) });
    const { rack } = await openPets({ file: "pets.json", allowHosts: ["127.0.0.1"] }, {}, folder, { change: "follow" });
    const served = await serve(rack, { port: 0, consoleFolder: false });
    afterThisTest(() => served.close({ graceMs: 0 }));
    writeFileSync(path.join(folder, "pets.json"), JSON.stringify(petsDocument(served.url, { security: [] })));
    await rack.sources.refresh("pets");
    expect(await rack.registry.invoke("pets__listPets", {})).toMatchObject({
      ok: false,
      error: expect.stringContaining(`sources.pets.openapi.allowHosts`),
    });
  });

  it("refuses a document that is too large, and one that is not there", async () => {
    const api = await startLoopback(({ path: asked }, response) => {
      if (asked === "/none") response.writeHead(404).end("nothing");
      else response.writeHead(200, { "content-type": "application/json" }).end(Buffer.alloc(34_000_000, " "));
    });
    afterThisTest(() => api[Symbol.asyncDispose]());
    const large = await openPets({ url: `${api.url}/large`, allowHosts: [api.host] });
    expect(large.state().error).toContain("33554432");
    const none = await openPets({ url: `${api.url}/none`, allowHosts: [api.host] });
    expect(none.state().error).toContain("answered 404 instead of the document");
  });

  it.each([
    ["a text that is no document", "hello"],
    ["another version", '{"openapi": "9.0.0", "paths": {}}'],
    ["no object", "[1, 2]"],
  ])("answers %s with one clear error", async (_, document) => {
    const pets = await startPets();
    pets.document = document;
    const { state } = await openPets({ url: `${pets.url}/openapi.json`, allowHosts: [pets.host] });
    expect(state().state).toBe("failed");
    expect(state().error).not.toMatch(/TypeError|undefined|at Object/);
    expect(state().error!.length).toBeGreaterThan(30);
  });

  it("takes relative servers from the address that is configured, not from where it redirects to", async () => {
    const pets = await startPets();
    pets.document = petsDocument("/");
    const { rack } = await openPets({ url: `${pets.url}/moved`, allowHosts: [pets.host] });
    await rack.secrets.set("api_key", "k-123", { by: "test" });
    expect(await rack.registry.invoke("pets__listPets", {})).toMatchObject({ ok: true });
  });
});

describe("the secrets of a document", () => {
  it("are those that the configuration names: a document that asks for another one by its name waits for a grant", async () => {
    const pets = await startPets();
    const { rack, state } = await openPets({ url: `${pets.url}/openapi.json`, allowHosts: [pets.host], secrets: {} });
    await rack.secrets.set("api_key", "k-of-somebody-else", { by: "test" });
    expect(rack.registry.has("pets__listPets")).toBe(false);
    expect(state().problems.join()).toContain("toolrack grants add");
    expect(pets.seen.map(({ path: asked }) => asked)).toEqual(["/openapi.json"]);
  });
});

describe("several ways to sign in", () => {
  const schemes = {
    api_key: { type: "apiKey", in: "header", name: "X-Key" },
    oauth: { type: "oauth2", flows: {} },
  };

  it("need the secrets of one of them", async () => {
    const pets = await startPets();
    pets.document = petsDocument(pets.url, { security: [{ oauth: [] }, { api_key: [] }], components: { securitySchemes: schemes } });
    const { rack } = await openPets({ url: `${pets.url}/openapi.json`, allowHosts: [pets.host] });
    expect(await rack.registry.invoke("pets__listPets", {})).toMatchObject({ ok: false, code: "SECRET_MISSING" });
    await rack.secrets.set("api_key", "k-123", { by: "test" });
    expect(await rack.registry.invoke("pets__listPets", {})).toMatchObject({ ok: true });
  });

  it("need no secret where a call may also be made without", async () => {
    const pets = await startPets();
    pets.document = petsDocument(pets.url, { security: [{ api_key: [] }, {}], components: { securitySchemes: schemes } });
    const { rack } = await openPets({ url: `${pets.url}/openapi.json`, allowHosts: [pets.host] });
    expect(await rack.registry.invoke("pets__listPets", {})).toMatchObject({ ok: false, error: expect.stringContaining("Who are you?") });
    await rack.secrets.set("api_key", "k-123", { by: "test" });
    expect(await rack.registry.invoke("pets__listPets", {})).toMatchObject({ ok: true });
  });
});

describe("a file as the document of a source", () => {
  it("lies in the project, is not the server's own, and not where agents write", async () => {
    const folder = temporaryFolder({
      "pets.json": JSON.stringify(petsDocument("https://api.example.com")),
      "workspace/pets.json": JSON.stringify(petsDocument("https://api.example.com")),
      ".toolrack/key.json": "{}",
    });
    const outside = temporaryFolder({ "pets.json": "{}" });
    mkdirSync(path.join(folder, "links"));
    symlinkSync(path.join(outside, "pets.json"), path.join(folder, "links/pets.json"));
    const open = async (file: string) => (await openPets({ file }, { tools: { packs: { files: true } } }, folder)).state();
    expect(await open("pets.json")).toMatchObject({ state: "ready" });
    expect((await open("workspace/pets.json")).error).toContain("agents may change it");
    expect((await open(".toolrack/key.json")).error).toContain("belongs to the server itself");
    expect((await open("links/pets.json")).error).toContain("not in the folder");
    expect((await open(`../${path.basename(outside)}/pets.json`)).error).toContain("not in the folder");
    expect((await open("missing.json")).error).toContain("cannot be read");
  });

  it("never shows what is in a file that is no document", async () => {
    const folder = temporaryFolder({ "notes.yaml": "password: hunter2-is-secret\n" });
    const { state } = await openPets({ file: "notes.yaml" }, {}, folder);
    expect(state().state).toBe("failed");
    expect(state().error).not.toContain("hunter2");
  });

  it("is read again with its overlays", async () => {
    const folder = temporaryFolder({ "pets.json": JSON.stringify(petsDocument("https://api.example.com")) });
    const { rack, names } = await openPets({ file: "pets.json" }, {}, folder);
    expect(names()).toHaveLength(3);
    writeFileSync(path.join(folder, "pets.json"), JSON.stringify(petsDocument("https://api.example.com", { paths: {} })));
    await rack.sources.refresh("pets");
    expect(names()).toHaveLength(0);
  });
});

describe("a document with many operations", () => {
  it("is found by search instead of by list, and can still be called", async () => {
    const pets = await startPets();
    pets.document = largeDocument(pets.url, 150);
    const { rack, state } = await openPets({ url: `${pets.url}/openapi.json`, allowHosts: [pets.host] }, { trust: { first: "pin" } });
    expect(state()).toMatchObject({ searched: true, state: "ready" });
    const caller = { agent: "ann" };
    expect(rack.listed.view(caller).tools.map(({ name }) => name)).toEqual(["search_tools", "describe_tool", "call_tool"]);
    expect(rack.registry.view(caller).tools).toHaveLength(153);
    const found = await rack.registry.invoke("search_tools", { query: "read thing number 77" }, { caller });
    expect(JSON.stringify(found)).toContain("pets__getThing77");
    const called = await rack.registry.invoke("call_tool", { name: "pets__getThing77" }, { caller });
    expect(called).toMatchObject({ ok: true, data: { thing: "77" } });
    const { as } = serverOver(rack);
    const ann = await as("ann");
    expect((await ann("GET", "/exports/anthropic")).body.tools).toHaveLength(3);
  });

  it("is listed for a caller who may not search, and where the configuration says so", async () => {
    const pets = await startPets();
    pets.document = largeDocument(pets.url, 150);
    const policy = { agents: { ann: { tools: { deny: ["search_tools"] } } } };
    const { rack } = await openPets({ url: `${pets.url}/openapi.json`, allowHosts: [pets.host] }, { policy, trust: { first: "pin" } });
    expect(rack.listed.view({ agent: "ann" }).tools).toHaveLength(152);
    const all = await openPets({ url: `${pets.url}/openapi.json`, allowHosts: [pets.host], search: false }, { trust: { first: "pin" } });
    expect(all.rack.listed.view({ agent: "ann" }).tools).toHaveLength(150);
    expect(all.state().searched).toBeUndefined();
  });
});
