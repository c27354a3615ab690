import { createRegistry, ToolError, type ToolResult } from "@toolrack/core";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it } from "vitest";
import { callOpenApi, readOpenApi, type ReadOpenApiOptions } from "../../src/index.ts";
import { openLoopback, type Reply } from "./loopback.ts";

function toolAt(host: string, method = "get", options: ReadOpenApiOptions = {}) {
  const requestBody = { required: true, content: { "application/json": { schema: { type: "array" } } } };
  const operation = method === "get" || method === "head" ? {} : { requestBody };
  const document = { openapi: "3.0.3", servers: [{ url: `http://${host}` }], paths: { "/x": { [method]: operation } } };
  return readOpenApi(document, { allowHosts: [host], ...options }).tools[0]!;
}

async function answerTo(reply: Reply): Promise<ToolResult> {
  const { host } = await openLoopback(() => reply);
  const registry = createRegistry();
  afterThisTest(() => registry.close());
  registry.register(toolAt(host));
  return registry.invoke("get_x", {});
}

describe("an answer", () => {
  it.each([
    ["application/json", "null", "", null],
    ["application/json", '"x"', '"x"', "x"],
    ["application/problem+json", '{"a":1}', '{"a":1}', { a: 1 }],
    ["text/json; charset=utf-8", "[1]", "[1]", [1]],
    ["text/plain", '{"a":1}', '{"a":1}', undefined],
    ["application/xml", "<a/>", "<a/>", undefined],
    ["application/x-own", "words", "words", undefined],
    ["", '{"a":1}', '{"a":1}', { a: 1 }],
    ["", "words", "words", undefined],
  ])("of the type %j with %j is read by its type", async (type, body, content, data) => {
    const result = await answerTo({ headers: { "content-type": type === "" ? undefined : type }, body });
    expect(result).toMatchObject({ ok: true, content });
    if (data !== undefined && data !== null) expect((result as { data: unknown }).data).toEqual(data);
  });

  it.each([
    ["application/json", "{not json"],
    ["application/vnd.pets+json; charset=utf-8", '[{"name": "Rex"'],
    ["application/json", "<html>Sign in first</html>"],
  ])("that is declared as %j and is no JSON is no success: %j", async (type, body) => {
    expect(await answerTo({ headers: { "content-type": type }, body })).toMatchObject({
      ok: false,
      code: "RESULT_INVALID",
      status: 502,
      error: expect.stringContaining(`is not JSON. It begins: ${JSON.stringify(body)}`),
    });
  });

  it.each([500, 502, 503])("with %d is the failure of a server behind this one, as one of MCP would be", async (status) => {
    expect(await answerTo({ status, body: { message: "Broken." } })).toMatchObject({ ok: false, code: "SOURCE_FAILED", status: 502 });
  });

  it.each([
    ["audio/mpeg", "audio"],
    ["video/mp4", "json"],
    ["application/zip", "json"],
    ["application/x-own", "json"],
    ["", "json"],
  ])("of bytes of the type %j is a block of the kind %s", async (type, kind) => {
    const result = await answerTo({ headers: { "content-type": type === "" ? undefined : type }, body: Buffer.from([0, 1, 255]) });
    const shown = type === "" ? "application/octet-stream" : type;
    const block =
      kind === "json"
        ? { type: "json", data: { mimeType: shown, bytes: 3, base64: "AAH/" } }
        : { type: kind, data: "AAH/", mimeType: shown };
    expect(result).toMatchObject({ ok: true, content: `[${shown}, 3 bytes]`, blocks: [block] });
  });
});

describe("a redirect", () => {
  it.each([
    ["post", 301, "GET"],
    ["post", 302, "GET"],
    ["post", 303, "GET"],
    ["put", 303, "GET"],
    ["put", 301, "PUT"],
    ["post", 307, "POST"],
    ["post", 308, "POST"],
    ["head", 303, "HEAD"],
  ])("of %s with %d is followed as %s", async (method, status, sent) => {
    const { host, met } = await openLoopback(({ url }) => (url === "/x" ? { status, headers: { location: "/y" } } : { body: {} }));
    await callOpenApi(toolAt(host, method), method === "head" ? {} : { body: [1] });
    const { method: last, body, headers } = met.at(-1)!;
    expect([last, body.toString()]).toEqual([sent, sent === "GET" || sent === "HEAD" ? "" : "[1]"]);
    expect(headers["content-type"]).toBe(sent === "GET" || sent === "HEAD" ? undefined : "application/json");
  });

  it("is followed five times, and no further", async () => {
    const redirects = async (count: number) => {
      const { host, met } = await openLoopback(() =>
        met.length <= count ? { status: 302, headers: { location: `/${met.length}` } } : { body: { done: true } },
      );
      return { answer: await callOpenApi(toolAt(host), {}).catch((error: unknown) => error), met, host };
    };
    expect((await redirects(5)).answer).toMatchObject({ data: { done: true } });
    const { answer, met, host } = await redirects(6);
    expect((answer as Error).message).toBe(`GET /x: ${host} redirected more than 5 times.`);
    expect(met.length).toBe(6);
  });

  it("to what is no URL is told, and without a place it is a failure", async () => {
    const failure = async (location?: string) => {
      const { host } = await openLoopback(() => ({ status: 302, headers: { location } }));
      const error: unknown = await callOpenApi(toolAt(host), {}).catch((thrown: unknown) => thrown);
      expect(ToolError.is(error), String(error)).toBe(true);
      return (error as Error).message.replace(host, "HOST");
    };
    expect(await failure("http://[")).toBe("GET /x: HOST redirected to something that is not a URL.");
    expect(await failure()).toBe("GET /x: HOST answered 302.");
  });
});

describe("a failure", () => {
  const failureOf = async (reply: Reply, method = "get", options: ReadOpenApiOptions = {}) => {
    const { host, met } = await openLoopback(() => reply);
    const error = (await callOpenApi(toolAt(host, method, options), method === "get" ? {} : { body: [] }).catch(
      (thrown: unknown) => thrown,
    )) as ToolError;
    return { code: error.code, retryable: error.retryable, said: error.message.split(" answered ")[1], met };
  };

  it.each([
    [408, true],
    [425, true],
    [429, true],
    [500, true],
    [502, true],
    [503, true],
    [504, true],
    [400, false],
    [404, false],
    [501, false],
  ])("with %d passes: %j, for what may be sent twice", async (status, passes) => {
    expect((await failureOf({ status })).retryable).toBe(passes);
    expect((await failureOf({ status }, "post")).retryable).toBe(false);
    expect((await failureOf({ status }, "put")).retryable).toBe(passes);
  });

  it.each([
    [{ error: "a" }, "400: a."],
    [{ error_description: "What happened!", error: "x" }, "400: What happened!"],
    [{ errors: { name: 1 }, title: "Wrong" }, "400: Wrong."],
    [["one", "two", "three", "four"], "400: one; two; three."],
    [{ message: "" }, '400: {"message":""}.'],
    [
      { error: { error: { error: { error: { error: { message: "deep" } } } } } },
      '400: {"error":{"error":{"error":{"error":{"error":{"message":"deep"}}}}}}.',
    ],
    [{ fault: { faultstring: "f" } }, "400: f."],
    ["x".repeat(600), `400: ${"x".repeat(500)}…`],
    ["several \n\t words", "400: several words."],
    ["", "400."],
  ])("says what the API says: %j", async (body, said) => {
    expect((await failureOf({ status: 400, body })).said).toBe(said);
  });

  it("of a page is its title, or that it is one", async () => {
    const headers = { "content-type": "text/html" };
    expect((await failureOf({ status: 502, headers, body: '<title lang="en">Bad gateway</title>' })).said).toBe("502: Bad gateway.");
    expect((await failureOf({ status: 502, headers, body: "<p>Bad</p>" })).said).toBe("502: an HTML page.");
  });

  it("is not waited for longer than half a minute", async () => {
    const { code, met } = await failureOf({ status: 429, headers: { "retry-after": "31" } }, "get", { retries: 3 });
    expect([code, met.length]).toEqual(["RATE_LIMITED", 1]);
  });

  it("names the secret only where the API refuses who calls", async () => {
    const { host } = await openLoopback(({ url }) => ({ status: Number(url.slice(1)) }));
    const components = { securitySchemes: { a: { type: "http", scheme: "bearer" }, b: { type: "http", scheme: "basic" } } };
    const paths = Object.fromEntries(["401", "403", "404"].map((status) => [`/${status}`, { get: {} }]));
    const document = { openapi: "3.0.3", servers: [{ url: `http://${host}` }], security: [{ a: [] }, { b: [] }], components, paths };
    const { tools } = readOpenApi(document, { allowHosts: [host] });
    const messages = await Promise.all(
      tools.map((tool) => callOpenApi(tool, {}, { secrets: { a: "x" } }).catch((error: unknown) => (error as Error).message)),
    );
    expect(messages).toEqual([
      `GET /401: ${host} answered 401. Check the secret "a" or "b".`,
      `GET /403: ${host} answered 403. Check the secret "a" or "b".`,
      `GET /404: ${host} answered 404.`,
    ]);
  });

  it("to reach the server passes for what may be sent twice", async () => {
    // Nothing listens on the port 1.
    const errorOf = (method: string) =>
      callOpenApi(toolAt("127.0.0.1:1", method), method === "get" ? {} : { body: [] }).catch((error: unknown) => error as ToolError);
    expect(await errorOf("get")).toMatchObject({ code: "TOOL_FAILED", retryable: true });
    expect(await errorOf("post")).toMatchObject({ code: "TOOL_FAILED", retryable: false });
  });
});

describe("pages that are asked for", () => {
  it.each([0, 1.5, 1_001, Number.NaN])("are a whole number from 1 to 1,000, and not %d", async (pages) => {
    const { host, met } = await openLoopback();
    await expect(callOpenApi(toolAt(host), {}, { pages })).rejects.toThrow("The number of pages must be from 1 to 1000.");
    expect(met).toEqual([]);
  });
});
