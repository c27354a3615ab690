import { readFileSync } from "node:fs";
import path from "node:path";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { type Loopback, sendJson, startLoopback } from "@toolrack/testkit/loopback";
import { describe, expect, it } from "vitest";
import { run } from "./_run.ts";
import { runScripted } from "./_scripted.ts";

/** An API with a document, in YAML. */
async function startApi(): Promise<Loopback> {
  const api = await startLoopback(({ path: asked, headers, query }, response) => {
    if (asked === "/openapi.yaml") response.writeHead(200, { "content-type": "application/yaml" }).end(documentOf(api.url));
    else if (headers.authorization !== "Bearer k-1") sendJson(response, { message: "Sign in first." }, 401);
    else sendJson(response, { city: query.get("city"), degrees: 21 });
  });
  afterThisTest(() => api[Symbol.asyncDispose]());
  return api;
}

const documentOf = (server: string): string => `openapi: 3.1.0
info: { title: Weather, version: "2" }
servers: [{ url: ${server} }]
security: [{ token: [] }]
components: { securitySchemes: { token: { type: http, scheme: bearer } } }
paths:
  /weather:
    get:
      operationId: getWeather
      summary: Tell the weather of a city
      tags: [weather]
      parameters: [{ name: city, in: query, required: true, schema: { type: string } }]
      responses: { "200": { description: It., content: { application/json: { schema: { type: object } } } } }
  /stations/{id}:
    delete:
      operationId: deleteStation
      tags: [admin]
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { "204": { description: Gone. } }
`;

const project = (): string => temporaryFolder({ "toolrack.config.yaml": "tools: { packs: { utility: false, sessions: false } }\n" });

describe("toolrack openapi plan", () => {
  it("says that nothing is chosen, and writes nothing of a document that a terminal would obey", async () => {
    const text = documentOf("https://api.example.com").replace("3.1.0", '"3.1.0\\e[2J\\e]0;mine\\a"');
    const folder = temporaryFolder({ "toolrack.config.yaml": "", "weather.yaml": text });
    const none = await run(["openapi", "plan", "weather.yaml", "--include", "tag:nothing"], { folder });
    expect(none.code).not.toBe(0);
    expect(none.output).toContain("2 operations, 0 tools, 0 refused.\nNothing is chosen: no operation matches --include");
    expect(none.output).not.toContain("--base-url");
    expect(none.output).not.toContain("\u0007");
    expect(none.output).not.toContain("\u001b");
  });

  it("shows what a document would become, from a file or a URL, and imports nothing", async () => {
    const api = await startApi();
    const folder = temporaryFolder({ "toolrack.config.yaml": "", "weather.yaml": documentOf("https://api.example.com") });
    const fromFile = await run(["openapi", "plan", "weather.yaml", "--id", "weather"], { folder });
    expect(fromFile.errors).toBe("");
    expect(fromFile).toMatchObject({ code: 0 });
    expect(fromFile.output).toContain("Weather 2, OpenAPI 3.1.0: 2 operations, 2 tools, 0 refused.");
    expect(fromFile.output).toContain("Requests go to https://api.example.com.");
    expect(fromFile.output).toMatch(/weather__getWeather +GET \/weather +reads/);
    expect(fromFile.output).toMatch(/weather__deleteStation +DELETE \/stations\/\{id\} +deletes/);
    expect(fromFile.output).toContain("toolrack secrets set token");
    expect(fromFile.output).toContain(
      "give it with --secret token=token, else each of these tools waits for a grant (toolrack approvals).",
    );
    const named = await run(["openapi", "plan", "weather.yaml", "--id", "weather", "--secret", "token=WEATHER"], { folder });
    expect(named.output).not.toContain("waits for a grant");
    const words = ["openapi", "plan", `${api.url}/openapi.yaml`, "--allow-host", api.host, "--exclude", "DELETE", "--json"];
    const plan = (await run(words, { folder })).json() as { tools: { name: string }[]; operations: number };
    expect(plan.tools.map(({ name }) => name)).toEqual(["api__getWeather"]);
    expect(plan.operations).toBe(2);
    expect((await run(["list"], { folder })).output).not.toContain("getWeather");
  });

  it("fails with one sentence for what is no document, and for a private address", async () => {
    const api = await startApi();
    const folder = temporaryFolder({ "toolrack.config.yaml": "", "notes.yaml": "a: 1\n" });
    const wrong = await run(["openapi", "plan", "notes.yaml"], { folder });
    expect(wrong.code).not.toBe(0);
    expect(wrong.errors).toMatch(/OpenAPI|openapi|swagger/i);
    const refused = await run(["openapi", "plan", `${api.url}/openapi.yaml`], { folder });
    expect(refused.errors).toContain("add it to sources.api.openapi.allowHosts (--allow-host on the command line)");
    expect((await run(["openapi", "plan", "missing.txt"], { folder })).errors).toContain("neither a URL");
  });
});

describe("toolrack sources add --openapi", () => {
  it("adds an API from a URL to a call in a few commands, under the policy", async () => {
    const api = await startApi();
    const folder = project();
    const added = await run(
      [
        "sources",
        "add",
        "weather",
        "--openapi",
        `${api.url}/openapi.yaml`,
        "--allow-host",
        api.host,
        "--include",
        "tag:weather",
        "--secret",
        "token=WEATHER_KEY",
      ],
      { folder },
    );
    expect(added.output).toContain("weather is ready, with 1 tool: weather__getWeather");
    expect((await run(["secrets", "set", "WEATHER_KEY"], { folder, input: "k-1" })).code).toBe(0);
    const called = await run(["call", "weather__getWeather", "city=Rome", "--json"], { folder });
    expect(called.json()).toMatchObject({ ok: true, data: { city: "Rome", degrees: 21 } });
    const listed = await run(["sources", "list"], { folder });
    expect(listed.output).toMatch(/weather +openapi +ready +1/);
    expect((await run(["sources", "remove", "weather"], { folder })).code).toBe(0);
  });

  it("lets calls read pages and take parts of answers, and prints the API's own message and limits", async () => {
    const api = await startLoopback(({ path: asked, query }, response) => {
      const page = Number(query.get("page") ?? 1);
      if (asked === "/books")
        sendJson(response, { items: [{ id: page, text: "long" }], ...(page < 5 && { next: `/books?page=${page + 1}` }) });
      else if (asked === "/cover")
        response
          .writeHead(200, { "content-type": "image/png" })
          .end(Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64"));
      else sendJson(response, { detail: "Come back later" }, 429, { "retry-after": "120" });
    });
    afterThisTest(() => api[Symbol.asyncDispose]());
    const operation = (operationId: string): object => ({ get: { operationId, summary: operationId, responses: {} } });
    const paths = { "/books": operation("listBooks"), "/cover": operation("getCover"), "/busy": operation("countBooks") };
    const document = { openapi: "3.1.0", info: { title: "Books", version: "1" }, servers: [{ url: api.url }], paths };
    const folder = temporaryFolder({
      "toolrack.config.yaml": "tools: { packs: { utility: false, sessions: false } }\n",
      "books.json": JSON.stringify(document),
    });
    const words = ["sources", "add", "books", "--openapi", "books.json", "--allow-host", api.host];
    expect((await run([...words, "--max-pages", "many"], { folder })).errors).toContain("--max-pages takes a whole number");
    expect((await run([...words, "--max-pages", "3", "--result-fields"], { folder })).code).toBe(0);
    const called = await run(["call", "books__listBooks", '{"max_pages":3,"result_fields":["$.items[*].id"]}', "--json"], {
      folder,
    });
    expect(called.json()).toMatchObject({ ok: true, data: [1, 2, 3] });
    expect((await run(["call", "books__getCover", "--json"], { folder })).json()).toMatchObject({
      blocks: expect.arrayContaining([
        {
          type: "image",
          data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
          mimeType: "image/png",
        },
      ]),
    });
    const busy = await run(["call", "books__countBooks"], { folder });
    expect(busy.code).not.toBe(0);
    expect(`${busy.output}${busy.errors}`).toContain("answered 429: Come back later.");
  });

  it("refers to a file of the project, and sends any other", async () => {
    const folder = temporaryFolder({ "toolrack.config.yaml": "", "apis/weather.yaml": documentOf("https://api.example.com") });
    const inside = await run(["sources", "add", "weather", "--openapi", "apis/weather.yaml", "--json"], { folder });
    expect(inside.json()).toMatchObject({ state: "ready", config: { openapi: { file: path.join("apis", "weather.yaml") } } });
    const other = temporaryFolder({ "weather.yaml": documentOf("https://api.example.com") });
    const outside = await run(["sources", "add", "copy", "--openapi", path.join(other, "weather.yaml"), "--json"], { folder });
    expect(outside.json()).toMatchObject({
      state: "ready",
      config: { openapi: { document: expect.stringMatching(/^openapi-document-/) } },
    });
    const answer = { id: "pets", kind: "openapi", state: "ready", tools: [], problems: [], origin: "record" };
    const sent = await runScripted(
      ["sources", "add", "pets", "--openapi", path.join(other, "weather.yaml"), "--base-url", "https://b.example"],
      {
        "PUT /sources/pets": answer,
        "GET /definitions/sources/openapi%3Apets": { source: "openapi:pets", digest: "d", definitions: [] },
      },
    );
    const document = readFileSync(path.join(other, "weather.yaml"), "utf8");
    expect(sent.asked[0]).toEqual(`PUT /sources/pets ${JSON.stringify({ openapi: { baseUrl: "https://b.example" }, document })}`);
  });

  it("takes no options of an MCP server, and names a wrong form", async () => {
    const folder = project();
    const wrong = async (...words: string[]): Promise<string> => {
      const ended = await run(["sources", "add", "x", "--openapi", "https://a.example/o.json", ...words], { folder });
      expect(ended.code).toBe(2);
      return ended.errors;
    };
    expect(await wrong("--header", "A: b")).toContain("cannot be given with it");
    expect(await wrong("--type", "faq")).toContain("cannot be given with it");
    expect(await wrong("--secret", "justaname")).toContain("scheme=name");
    expect(await wrong("--refresh-minutes", "soon")).toContain("whole number");
  });
});

describe("toolrack export openapi", () => {
  it("prints the document of an agent, with the address of the server", async () => {
    const folder = temporaryFolder({
      "toolrack.config.yaml":
        "server: { publicUrl: https://tools.example.com }\npolicy: { agents: { ann: { tools: { allow: [random, uuid] } } } }\n",
    });
    const { output, code } = await run(["export", "openapi", "--agent", "ann"], { folder });
    expect(code).toBe(0);
    const document = JSON.parse(output) as { servers: unknown; paths: object };
    expect(document.servers).toEqual([{ url: "https://tools.example.com/api/v1" }]);
    expect(Object.keys(document.paths).length).toBeGreaterThan(0);
  });
});
