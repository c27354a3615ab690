import { sendJson, startLoopback } from "@toolrack/testkit/loopback";
import { describe, expect, it } from "vitest";
import { createHttpEmbedder } from "../../src/index.ts";

const inputOf = (body: string): string[] => (JSON.parse(body) as { input: string[] }).input;
const vectorOf = (text: string): number[] => [text.length, 1, 0.5];

describe("an embedder behind HTTP", () => {
  it("sends model, texts and key to /embeddings, and puts the vectors into the order of the texts", async () => {
    await using server = await startLoopback(({ body }, response) => {
      const data = inputOf(body).map((text, index) => ({ object: "embedding", index, embedding: vectorOf(text) }));
      sendJson(response, { object: "list", data: data.reverse(), model: "tiny" });
    });
    const embedder = createHttpEmbedder({ url: `${server.url}/v1`, model: "tiny", key: async () => "key-1" });
    expect(embedder.id).toBe("tiny");
    expect(await embedder.embed(["a", "bcd"])).toEqual([vectorOf("a"), vectorOf("bcd")]);
    expect(server.seen).toMatchObject([{ method: "POST", path: "/v1/embeddings", headers: { authorization: "Bearer key-1" } }]);
    expect(JSON.parse(server.seen[0]!.body)).toEqual({ model: "tiny", input: ["a", "bcd"] });
  });

  it("sends no more than 64 texts at once, and no key where there is none", async () => {
    await using server = await startLoopback(({ body }, response) =>
      sendJson(response, { data: inputOf(body).map((text, index) => ({ index, embedding: vectorOf(text) })) }),
    );
    const texts = Array.from({ length: 150 }, (_, number) => "x".repeat(number + 1));
    expect(await createHttpEmbedder({ url: server.url, model: "tiny" }).embed(texts)).toEqual(texts.map(vectorOf));
    expect(server.seen.map(({ body }) => inputOf(body).length)).toEqual([64, 64, 22]);
    expect(server.seen[0]!.headers.authorization).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ["fewer vectors than texts", { data: [{ index: 0, embedding: [1, 2] }] }],
    ["vectors of different lengths", { data: [0, 1].map((index) => ({ index, embedding: [1, 2, 3].slice(index) })) }],
    ["one index twice", { data: [0, 0].map((index) => ({ index, embedding: [1, 2] })) }],
    ["an index that is none", { data: [0, "length"].map((index) => ({ index, embedding: [1, 2] })) }],
    ["no numbers", { data: [0, 1].map((index) => ({ index, embedding: ["1", null] })) }],
    ["empty vectors", { data: [0, 1].map((index) => ({ index, embedding: [] })) }],
    ["an error with status 200", { error: { message: "no such model" } }],
    ["null", null],
  ])("rejects %s", async (_, answer) => {
    await using server = await startLoopback((_request, response) => sendJson(response, answer));
    await expect(createHttpEmbedder({ url: server.url, model: "tiny" }).embed(["a", "b"])).rejects.toThrow(
      expect.objectContaining({ code: "TOOL_FAILED", message: expect.stringContaining("The embeddings service answered") }),
    );
  });

  it("rejects numbers that are too large to be any, written without quotation marks", async () => {
    await using server = await startLoopback((_request, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end('{"data":[{"index":0,"embedding":[1e999,1]}]}'),
    );
    await expect(createHttpEmbedder({ url: server.url, model: "tiny" }).embed(["a"])).rejects.toThrow(/finite/);
  });

  it("rejects a refusal, a redirect, and a service that is too slow or gone, and stops when told", async () => {
    await using refusing = await startLoopback((_request, response) => sendJson(response, { error: { message: "wrong key" } }, 401));
    await expect(createHttpEmbedder({ url: refusing.url, model: "tiny" }).embed(["a"])).rejects.toThrow(/refused the key/);
    await using redirecting = await startLoopback((_request, response) =>
      response.writeHead(307, { location: `${refusing.url}/embeddings` }).end(),
    );
    await expect(createHttpEmbedder({ url: redirecting.url, model: "tiny", key: async () => "key-1" }).embed(["a"])).rejects.toThrow();
    expect(refusing.seen).toHaveLength(1);
    await using silent = await startLoopback(() => undefined);
    await expect(createHttpEmbedder({ url: silent.url, model: "tiny", timeoutMs: 50 }).embed(["a"])).rejects.toMatchObject({
      code: "TIMEOUT",
    });
    const stopped = createHttpEmbedder({ url: silent.url, model: "tiny" }).embed(["a"], { signal: AbortSignal.abort() });
    await expect(stopped).rejects.toMatchObject({ code: "ABORTED" });
    await silent[Symbol.asyncDispose]();
    await expect(createHttpEmbedder({ url: silent.url, model: "tiny" }).embed(["a"])).rejects.toMatchObject({ code: "TOOL_FAILED" });
  });

  it("refuses an address that is none, by the name of its setting", () => {
    expect(() => createHttpEmbedder({ url: "nowhere", model: "tiny" }, "search.embeddings.url")).toThrow(/search\.embeddings\.url/);
  });
});
