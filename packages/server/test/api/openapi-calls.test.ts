import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { type Loopback, sendJson, startLoopback } from "@toolrack/testkit/loopback";
import { largeDocument } from "@toolrack/testkit/pets-api";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";
import type { Rack } from "../../src/rack/rack.ts";
import type { OpenApiSourceConfig } from "../../src/config/openapi-source.ts";
import { serve } from "../../src/serve.ts";

const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

/** An API that has pages, pictures, limits and failures. */
async function startApi(): Promise<Loopback> {
  const api = await startLoopback(({ path, query, method }, response) => {
    const page = Number(query.get("page") ?? 1);
    const before = api.seen.filter((one) => one.path === path && one.method === method).length;
    if (path === "/books")
      sendJson(
        response,
        [{ id: page, title: `Book ${page}`, text: "long ".repeat(50) }],
        200,
        page < 4 ? { link: `</books?page=${page + 1}>; rel="next"` } : {},
      );
    else if (path === "/cover") response.writeHead(200, { "content-type": "image/png" }).end(png);
    else if (path === "/busy") sendJson(response, { message: "Come back later" }, 429, { "retry-after": "120" });
    else if (path === "/flaky") sendJson(response, before < 2 ? { error: "again" } : { done: true }, before < 2 ? 503 : 200);
    else if (path === "/broken") sendJson(response, { errors: [{ detail: "The shelf is full" }] }, 409);
    else sendJson(response, {}, 404);
  });
  afterThisTest(() => api[Symbol.asyncDispose]());
  return api;
}

const ok = (type: string): object => ({ 200: { description: "It.", content: { [type]: {} } } });

function documentOf(server: string): string {
  const page = { name: "page", in: "query", schema: { type: "integer" } };
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Books", version: "1" },
    servers: [{ url: server }],
    paths: {
      "/books": { get: { operationId: "listBooks", summary: "List books", parameters: [page], responses: ok("application/json") } },
      "/cover": { get: { operationId: "getCover", summary: "Get a cover", responses: ok("image/png") } },
      "/busy": { get: { operationId: "busy", summary: "Get a count", responses: ok("application/json") } },
      "/flaky": {
        get: { operationId: "flaky", summary: "Get a state", responses: ok("application/json") },
        post: { operationId: "flakyPost", summary: "Add a state", responses: ok("application/json") },
      },
      "/broken": { post: { operationId: "broken", summary: "Add a book", responses: ok("application/json") } },
    },
  });
}

async function open(api: Loopback, document: string, more: Partial<OpenApiSourceConfig> = {}): Promise<Rack> {
  const rack = await openTestRack({
    config: {
      store: { memory: true },
      tools: { packs: { utility: false, sessions: false } },
      trust: { first: "pin" },
      limits: { retry: { attempts: 3, backoffMs: 1 } },
      sources: { books: { openapi: { file: "books.json", allowHosts: [api.host], ...more } } },
    },
    folder: temporaryFolder({ "books.json": document }),
  });
  await rack.sources.ready();
  return rack;
}

async function connect(rack: Rack): Promise<Client> {
  const served = await serve(rack, { port: 0, consoleFolder: false });
  afterThisTest(() => served.close({ graceMs: 0 }));
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${rack.ownerToken.text}` } },
    }),
  );
  afterThisTest(() => client.close());
  return client;
}

describe("a tool of an API document, called over HTTP and MCP", () => {
  it("reads pages on request within the limit, and gives the parts of an answer that were asked for", async () => {
    const api = await startApi();
    const rack = await open(api, documentOf(api.url), { maxPages: 3, resultFields: true });
    const ann = await serverOver(rack).as("ann");
    const call = (input: object) => ann("POST", "/tools/books__listBooks/call", { input });
    expect((await call({})).body.data).toHaveLength(1);
    expect((await call({ max_pages: 3, result_fields: ["id"] })).body).toMatchObject({ ok: true, data: [{ id: 1 }, { id: 2 }, { id: 3 }] });
    expect((await call({ max_pages: 4 })).body).toMatchObject({ code: "INPUT_INVALID" });
    const client = await connect(rack);
    const named = await client.callTool({ name: "books__listBooks", arguments: { max_pages: 2, result_fields: ["$[*].title"] } });
    expect(named.content).toEqual([{ type: "text", text: '["Book 1","Book 2"]' }]);
  });

  it("gives a picture as a block", async () => {
    const api = await startApi();
    const rack = await open(api, documentOf(api.url));
    const ann = await serverOver(rack).as("ann");
    const block = { type: "image", data: png.toString("base64"), mimeType: "image/png" };
    expect((await ann("POST", "/tools/books__getCover/call", { input: {} })).body).toMatchObject({
      ok: true,
      blocks: expect.arrayContaining([block]),
    });
    const client = await connect(rack);
    expect((await client.callTool({ name: "books__getCover", arguments: {} })).content).toContainEqual(block);
  });

  it("fails with the API's own message, and tells how long a limit lasts", async () => {
    const api = await startApi();
    const rack = await open(api, documentOf(api.url));
    const ann = await serverOver(rack).as("ann");
    const broken = (await ann("POST", "/tools/books__broken/call", { input: {} })).body;
    expect(broken).toMatchObject({ code: "TOOL_FAILED", detail: expect.stringContaining("answered 409: The shelf is full.") });
    const busy = (await ann("POST", "/tools/books__busy/call", { input: {} })).body;
    expect(busy).toMatchObject({ code: "RATE_LIMITED", detail: expect.stringContaining("Come back later") });
    expect(JSON.stringify(busy)).toContain("120");
    const client = await connect(rack);
    const again = await client.callTool({ name: "books__busy", arguments: {} });
    expect(again).toMatchObject({ isError: true });
    expect(JSON.stringify(again.content)).toContain("allows no more calls");
    expect(api.seen.filter(({ path }) => path === "/busy")).toHaveLength(1);
  });

  it("is tried again where that does nothing twice, and never otherwise", async () => {
    const api = await startApi();
    const rack = await open(api, documentOf(api.url));
    const ann = await serverOver(rack).as("ann");
    expect((await ann("POST", "/tools/books__flaky/call", { input: {} })).body).toMatchObject({ ok: true, data: { done: true } });
    expect((await ann("POST", "/tools/books__flakyPost/call", { input: {} })).body).toMatchObject({ code: "SOURCE_FAILED" });
    expect(api.seen.filter(({ method }) => method === "POST")).toHaveLength(1);
  });
});

describe("a document of 1,000 operations", () => {
  it("is three tools for an MCP client, which finds the others by search and calls them", async () => {
    const api = await startLoopback(({ path }, response) => sendJson(response, { asked: path }));
    afterThisTest(() => api[Symbol.asyncDispose]());
    const rack = await open(api, JSON.stringify(largeDocument(api.url, 1_000)));
    expect(rack.sources.list().find(({ id }) => id === "books")).toMatchObject({ state: "ready", searched: true });
    const client = await connect(rack);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["search_tools", "describe_tool", "call_tool"]);
    expect(client.getInstructions()).toContain("search_tools");
    const found = await client.callTool({ name: "search_tools", arguments: { query: "read thing number 777" } });
    expect(JSON.stringify(found)).toContain("books__getThing777");
    const described = await client.callTool({ name: "describe_tool", arguments: { name: "books__getThing777" } });
    expect(JSON.stringify(described)).toContain("Read thing number 777");
    const called = await client.callTool({ name: "call_tool", arguments: { name: "books__getThing777", input: {} } });
    expect(JSON.stringify(called)).toContain("/things/777");
    expect(JSON.stringify(await client.callTool({ name: "books__getThing12", arguments: {} }))).toContain("/things/12");
  });
});
