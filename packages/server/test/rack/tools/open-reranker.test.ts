import { defineTool, type Logger } from "@toolrack/core";
import { type Loopback, sendJson, startLoopback } from "@toolrack/testkit/loopback";
import { openTestServer, type TestServerOptions } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";

const record = (name: string, of: string) =>
  defineTool({ name, description: `Keeps a record of ${of}.`, inputSchema: { type: "object" }, handler: () => "kept" });
const tools = [record("record_a", "kittens"), record("record_b", "trucks"), record("record_c", "bread")];
const topics = [/kitten|moggy/i, /truck|lorry/i, /bread|loaf/i];
const inputOf = (body: string): string[] => (JSON.parse(body) as { input: string[] }).input;
const query = encodeURIComponent("the record of my lorry");

/** A real service with vectors that depend on the text alone. */
const startService = (key?: string): Promise<Loopback> =>
  startLoopback(({ body, headers }, response) => {
    if (key !== undefined && headers.authorization !== `Bearer ${key}`) return sendJson(response, { error: { message: "no" } }, 401);
    const vectors = inputOf(body).map((text) => topics.map((topic) => (topic.test(text) ? 1 : 0.1)));
    sendJson(response, { data: vectors.map((embedding, index) => ({ index, embedding })) });
  });

function openServer(url: string, more: object = {}, options: TestServerOptions = {}) {
  const warnings: string[] = [];
  const log: Logger = { debug: () => undefined, info: () => undefined, warn: (text) => void warnings.push(text), error: () => undefined };
  const config = { ...options.config, search: { embeddings: { url, model: "tiny", timeoutMs: 60_000, ...more } } };
  return openTestServer({ tools, ...options, config, rack: { log } }).then((server) => ({ server, warnings }));
}
const namesOf = (body: { hits: readonly { tool: string }[] }): string[] => body.hits.map(({ tool }) => tool);

describe("search.embeddings", () => {
  it("reorders the search of the API, of the list of tools and of search_tools, and why says so", async () => {
    await using service = await startService();
    const { server } = await openServer(
      `${service.url}/v1`,
      {},
      { config: { tools: { packs: { utility: false, sessions: false, search: true } } } },
    );
    await using _ = server;
    const { body } = await server.ask("GET", `/search?q=${query}`);
    expect(namesOf(body)[0]).toBe("record_b");
    expect(body.hits[0].why.at(-1)).toEqual({ kind: "meaning", similarity: expect.closeTo(1, 2) });
    expect((await server.ask("GET", `/tools?q=${query}`)).body.tools[0].name).toBe("record_b");
    const called = await server.ask("POST", "/tools/search_tools/call", { input: { query: "the record of my lorry" } });
    expect(called.body.data.tools[0].name).toBe("record_b");
    expect(service.seen[0]).toMatchObject({ method: "POST", path: "/v1/embeddings" });
  });

  it("sends no tool that the caller may not see, and each query alone", async () => {
    await using service = await startService();
    const { server } = await openServer(service.url, {}, { config: { policy: { agents: { clerk: { tools: { deny: ["record_b"] } } } } } });
    await using _ = server;
    const ask = await server.as("clerk", "emitter");
    expect(namesOf((await ask("GET", `/search?q=${query}`)).body)).not.toContain("record_b");
    const sent = service.seen.map(({ body }) => inputOf(body));
    expect(sent[0]).toEqual(["the record of my lorry"]);
    expect(sent.flat().join()).not.toMatch(/truck|record_b/);
    await server.ask("GET", "/search?q=record%20of%20a%20loaf");
    for (const texts of service.seen.map(({ body }) => inputOf(body)))
      if (texts.some((text) => text.endsWith("lorry") || text.endsWith("loaf"))) expect(texts).toHaveLength(1);
  });

  it("sends the secret, and answers by words with a warning where the secret is missing or refused", async () => {
    await using service = await startService("right-key");
    const { server, warnings } = await openServer(service.url, { secret: "embed-key" });
    await using _ = server;
    expect((await server.ask("GET", `/search?q=${query}`)).status).toBe(200);
    expect(service.seen).toEqual([]);
    expect(warnings).toContainEqual(expect.stringContaining('there is no secret "embed-key"'));
    const set = await openServer(service.url, { secret: "embed-key" });
    await using other = set.server;
    await other.ask("PUT", "/secrets/embed-key", { value: "right-key" });
    expect(namesOf((await other.ask("GET", `/search?q=${query}`)).body)[0]).toBe("record_b");
    expect(JSON.stringify([...warnings, ...set.warnings])).not.toContain("right-key");
  });

  it.each<[string, Parameters<typeof startLoopback>[0]]>([
    ["an error", (_request, response) => sendJson(response, { error: { message: "overloaded" } }, 500)],
    ["too few vectors", (_request, response) => sendJson(response, { data: [] })],
    ["no JSON", (_request, response) => void response.end("<html>")],
    [
      "vectors of another size for tools than for the query",
      ({ body }, response) =>
        sendJson(response, {
          data: inputOf(body).map((_, index, all) => ({ index, embedding: Array.from({ length: all.length + 1 }, () => 1) })),
        }),
    ],
    [
      "numbers that are none",
      (_request, response) =>
        void response.writeHead(200, { "content-type": "application/json" }).end('{"data":[{"index":0,"embedding":[1e999]}]}'),
    ],
    ["nothing", () => undefined],
  ])("answers by words, with one warning, where the service answers %s", async (name, respond) => {
    await using service = await startLoopback(respond);
    const { server, warnings } = await openServer(service.url, name === "nothing" ? { timeoutMs: 200 } : {});
    await using _ = server;
    await using plain = await openTestServer({ tools });
    const expected = (await plain.ask("GET", `/search?q=${query}`)).body;
    expect((await server.ask("GET", `/search?q=${query}`)).body).toEqual(expected);
    const asked = service.seen.length;
    expect((await server.ask("GET", `/search?q=${query}`)).body).toEqual(expected);
    // A request that was given up may still arrive; a second one would have ended with a second warning.
    if (name !== "nothing") expect(service.seen).toHaveLength(asked);
    expect(warnings.filter((warning) => warning.includes("ordered by words"))).toHaveLength(1);
  });

  it.each([{ url: "ftp://example.com" }, { model: "" }, { weight: 2 }, { timeoutMs: 5 }, { kind: "openai" }])(
    "is refused with %j",
    async (wrong) => {
      await expect(openServer("http://127.0.0.1:1", wrong)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    },
  );
});
