import { startLoopback } from "@toolrack/testkit/loopback";
import { describe, expect, it } from "vitest";
import { anthropicModel } from "../../src/models/anthropic.ts";
import { geminiModel } from "../../src/models/gemini.ts";
import { readRetryAfter } from "../../src/models/shared/fault.ts";
import { createGuardedModelFetch, type ModelFetchRequest } from "../../src/models/shared/fetch.ts";
import { request, user } from "./_conversation.ts";
import { collect, startModelServer } from "./_server.ts";
import { anthropic } from "./_vendors/anthropic.ts";
import { gemini } from "./_vendors/gemini.ts";

const post: ModelFetchRequest = { method: "POST", headers: {}, body: "{}", signal: new AbortController().signal, redirect: "manual" };

describe("requests to models", () => {
  it("reach no private address that was not named", async () => {
    await using server = await startLoopback((_, response) => response.end());
    const guarded = createGuardedModelFetch([]);
    for (const address of [server.url, `http://localhost:${server.host.split(":")[1]}`, "http://[::1]:9", "http://169.254.169.254"])
      await expect(guarded(`${address}/v1/messages`, post)).rejects.toMatchObject({ code: "ADDRESS_REFUSED" });
    expect(server.seen).toEqual([]);
    await using other = await startLoopback((_, response) => response.end());
    await expect(createGuardedModelFetch([other.host])(server.url, post)).rejects.toMatchObject({ code: "ADDRESS_REFUSED" });
    expect((await createGuardedModelFetch([server.host])(server.url, post)).status).toBe(200);
  });

  it("use a connection again after a reply that was read to its end", async () => {
    const ports = new Set<unknown>();
    await using server = await startModelServer();
    server.answer((response) => {
      ports.add(response.socket?.remotePort);
      response.writeHead(200, { "content-type": gemini.contentType }).end(gemini.write({ text: ["hi"] }).join(""));
    });
    const model = geminiModel({ model: "m", baseUrl: server.url });
    for (let count = 0; count < 5; count++) expect((await collect(model.stream(request([user("hello")])))).end.stop).toBe("finished");
    expect(ports.size).toBe(1);
  });

  it("end when they are given up, although the one who sends them does not listen", async () => {
    const controller = new AbortController();
    const stuck = anthropicModel({ model: "m", fetch: () => new Promise(() => undefined) });
    const streamed = collect(stuck.stream(request([user("hello")], { signal: controller.signal })));
    controller.abort();
    expect((await streamed).end.stop).toBe("cancelled");
  });

  it("tell no secret of the headers, and nothing that looks like a key", async () => {
    await using server = await startModelServer();
    server.refuse(400, anthropic.errorBody("header blue-secret-1 and sk-ant-api03-abcdefgh are wrong"));
    const model = anthropicModel({ model: "m", baseUrl: server.url, headers: { "x-team-token": "blue-secret-1" } });
    const { end } = await collect(model.stream(request([user("hello")])));
    expect(end.failure!.message).toContain("are wrong");
    expect(end.failure!.message).not.toMatch(/blue-secret-1|abcdefgh/);
  });

  it("tell no part of a key, wherever what the vendor says is cut", async () => {
    await using server = await startModelServer();
    const key = "0123456789abcdefghijABCDEFGHIJ";
    const model = anthropicModel({ model: "m", baseUrl: server.url, key });
    for (const before of [270, 280, 290, 299]) {
      server.refuse(400, anthropic.errorBody(`${"x".repeat(before)} ${key}`));
      expect((await collect(model.stream(request([user("hello")])))).end.failure!.message).not.toContain(key.slice(0, 4));
      server.events(
        [anthropic.event({ type: "error", error: { type: "e", message: `${"x".repeat(before)} ${key}` } })],
        anthropic.contentType,
      );
      expect((await collect(model.stream(request([user("hello")])))).end.failure!.message).not.toContain(key.slice(0, 4));
    }
  });

  it("take a million calls in one reply as one reply that is too large", async () => {
    await using server = await startModelServer();
    const one = JSON.stringify({
      type: "content_block_start",
      index: 0,
      content_block: { type: "tool_use", id: "a", name: "list", input: {} },
    });
    server.answer((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const more = (): void => {
        while (response.write(`data: ${one}\n\n`.repeat(1_000)));
      };
      response.on("drain", more);
      more();
    });
    const model = anthropicModel({ model: "m", baseUrl: server.url, maxReplyBytes: 1_000_000 });
    const { end } = await collect(model.stream(request([user("hello")])));
    expect(end).toMatchObject({
      stop: "failed",
      message: { calls: [] },
      failure: { retryable: false, message: expect.stringContaining("1000000 bytes") },
    });
  });
});

describe("the wait that a vendor asks for", () => {
  const headers = (given: Record<string, string>) => ({ get: (name: string) => given[name] ?? null });

  it("is read as seconds, as milliseconds of a header of its own, and as a date", () => {
    expect(readRetryAfter(headers({ "retry-after": "7" }))).toBe(7_000);
    expect(readRetryAfter(headers({ "retry-after": "1.5" }))).toBe(1_500);
    expect(readRetryAfter(headers({ "retry-after": "7", "retry-after-ms": "120" }))).toBe(120);
    expect(readRetryAfter(headers({ "retry-after": "Mon, 16 Nov 2026 10:00:30 GMT" }), Date.UTC(2026, 10, 16, 10))).toBe(30_000);
  });

  it("is never negative, never more than a day, and unknown where it cannot be read", () => {
    expect(readRetryAfter(headers({ "retry-after": "Mon, 16 Nov 2020 10:00:30 GMT" }))).toBe(0);
    expect(readRetryAfter(headers({ "retry-after": "99999999999" }))).toBe(86_400_000);
    for (const given of ["soon", "", "-3"]) expect(readRetryAfter(headers({ "retry-after": given }))).toBeUndefined();
    expect(readRetryAfter(headers({}))).toBeUndefined();
  });
});
