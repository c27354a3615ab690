import { sendJson } from "@toolrack/testkit/loopback";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import type { ModelEnd } from "../../src/model.ts";
import type { ModelOptions } from "../../src/models/shared/options.ts";
import type { ModelClient } from "../../src/models/shared/wire.ts";
import { called, exported, failed, image, pixel, request, succeeded, user, wireName } from "./_conversation.ts";
import { counts, type Reply, type StandIn } from "./_reply.ts";
import { byteByByte, collect, type ModelServer, type Streamed } from "./_server.ts";

const key = "sk-stand-in-0123456789";
const price = { input: 2, output: 10, cachedInput: 0.5 };

/** What every client of a model has to do, whatever its vendor. */
export function describeModel(standIn: StandIn, server: () => ModelServer): void {
  const open = (options: Partial<ModelOptions> = {}): ModelClient =>
    standIn.open({ model: "stand-in", key, baseUrl: `${server().url}${standIn.base}`, prices: { "stand-in": price }, ...options });
  const answerWith = (reply: Reply): void => server().events(standIn.write(reply), standIn.contentType);
  const ask = (model: ModelClient = open(), rest: object = {}): Promise<Streamed> =>
    collect(model.stream(request([user("hello")], { tools: exported(model.target), ...rest })));
  const read = wireName(exported(standIn.open({ model: "stand-in" }).target), "files.read");
  const reply: Reply = {
    thinking: ["Let me ", "think: ä€🙂."],
    text: ["Good ", "morning ", "ä€🙂"],
    calls: [
      { name: read, input: { path: "ä🙂.txt" } },
      { name: "list", input: { path: "/" } },
    ],
  };

  describe(standIn.name, () => {
    it("sends a request to the vendor's path with the key in its header", async () => {
      answerWith({ text: ["hi"] });
      await ask(open(), { maxOutputTokens: 77 });
      const seen = server().seen.at(-1)!;
      expect([seen.method, seen.path, seen.query.toString()]).toEqual(["POST", standIn.path, standIn.query ?? ""]);
      expect(seen.headers[standIn.key[0]]).toBe(`${standIn.key[1]}${key}`);
      expect(standIn.read(server().lastBody())).toEqual({
        instructions: "Be brief.",
        turns: [{ role: "user", text: "hello" }],
        tools: [read, "list"],
        maxTokens: 77,
      });
    });

    it("streams thoughts and text as they come, and ends with the whole message, its usage and its cost", async () => {
      answerWith({ thinking: reply.thinking!, text: reply.text! });
      const { events, end } = await ask();
      expect(events).toEqual([
        ...reply.thinking!.map((text) => ({ type: "thinking", text })),
        ...reply.text!.map((text) => ({ type: "text", text })),
      ]);
      expect(end).toMatchObject({ stop: "finished", message: { role: "assistant", content: "Good morning ä€🙂", calls: [] } });
      expect(end.failure).toBeUndefined();
      const cached = standIn.tellsCached ? counts.cached : 0;
      expect(end.usage).toMatchObject({
        inputTokens: counts.input,
        outputTokens: counts.output,
        ...(cached > 0 && { cachedTokens: cached }),
      });
      expect(end.usage.costUsd).toBeCloseTo(((counts.input - cached) * 2 + cached * 0.5 + counts.output * 10) / 1e6, 12);
      expect(end.message.usage).toEqual(end.usage);
    });

    it("gives calls that came together with the tools' own names and arguments", async () => {
      answerWith(reply);
      const { end } = await ask();
      expect(end.stop).toBe("calls");
      expect(end.message.calls).toMatchObject([
        { name: "files.read", wireName: read, input: { path: "ä🙂.txt" } },
        { name: "list", wireName: "list", input: { path: "/" } },
      ]);
      expect(new Set(end.message.calls.map(({ id }) => id)).size).toBe(2);
      expect(end.message.calls.every(({ error }) => error === undefined)).toBe(true);
    });

    it("reads the same from a stream whose pieces are single bytes", async () => {
      answerWith(reply);
      const whole = await ask();
      expect(await ask(open({ fetch: byteByByte }))).toEqual(whole);
    });

    it("fails without calls where the stream is cut off at any event, and is whole once the vendor has told that it is", async () => {
      const events = standIn.write(reply);
      answerWith(reply);
      const { end: whole, text } = await ask();
      const { message } = whole;
      const endings = [(response: { end(): void }) => response.end(), (response: { destroy(): void }) => response.destroy()];
      for (let count = 0; count <= events.length; count++) {
        const close = endings[count % 2]!;
        server().answer((response) => {
          response.writeHead(200, { "content-type": standIn.contentType });
          if (count === 0) response.flushHeaders();
          response.write(events.slice(0, count).join(""), () => close(response as never));
        });
        const { end, events: seen } = await ask();
        if (count >= standIn.endsAfter(events)) {
          expect(end).toMatchObject({ stop: "calls", message: { content: message.content, calls: message.calls } });
        } else {
          expect(end).toMatchObject({ stop: "failed", message: { calls: [] }, failure: { retryable: seen.length === 0 } });
          expect(end.message.raw).toBeUndefined();
          expect(text.startsWith(end.message.content)).toBe(true);
        }
      }
    });

    it("fails where the stream is cut off inside an event", async () => {
      const events = standIn.write(reply);
      const told = events.slice(0, standIn.endsAfter(events)).join("");
      for (const length of [1, 20, told.length - 5]) {
        server().events([told.slice(0, length)], standIn.contentType);
        expect((await ask()).end).toMatchObject({ stop: "failed", message: { calls: [] } });
      }
    });

    it("marks a call that the limit of tokens cut off, and keeps the one before it", async () => {
      answerWith({ ...reply, stop: "length" });
      const { end } = await ask();
      expect(end.stop).toBe("length");
      expect(end.message.calls[0]).toMatchObject({ name: "files.read", input: { path: "ä🙂.txt" } });
      expect(end.message.calls[0]!.error).toBeUndefined();
      expect(end.message.calls[1]).toMatchObject({ name: "list", error: { code: "INPUT_INVALID" } });
    });

    const itMayRefuse = standIn.tellsRefusal ? it : () => undefined;
    itMayRefuse("tells a refusal, without calls", async () => {
      answerWith({ text: ["I cannot."], stop: "refused" });
      expect((await ask()).end).toMatchObject({
        stop: "refused",
        message: { content: "I cannot.", calls: [] },
        failure: { retryable: false },
      });
    });

    it("tells which failures may pass, when to try again, and never the key", async () => {
      const said = `The key ${key} and ${Buffer.from(key).toString("base64")} went wrong`;
      const outcomes: Record<number, ModelEnd> = {};
      for (const status of [400, 401, 404, 408, 429, 500, 529]) {
        server().refuse(status, standIn.errorBody(said), { "retry-after": "7" });
        const { end, events } = await ask();
        expect(events).toEqual([]);
        expect(end).toMatchObject({
          stop: "failed",
          message: { content: "", calls: [] },
          usage: { inputTokens: 0, outputTokens: 0 },
          failure: { status },
        });
        expect(end.failure!.message).toMatch(/^Model "stand-in" at 127\.0\.0\.1:\d+ .*went wrong.*\. \w.*\.$/);
        expect(JSON.stringify(end)).not.toContain(key);
        expect(JSON.stringify(end)).not.toContain(Buffer.from(key).toString("base64").slice(0, 20));
        outcomes[status] = end;
      }
      expect(Object.keys(outcomes).filter((status) => outcomes[Number(status)]!.failure!.retryable)).toEqual(["408", "429", "500", "529"]);
      expect(outcomes[429]!.failure!.retryAfterMs).toBe(7_000);
      expect(outcomes[401]!.failure!.message).toContain("Check the key");
    });

    it("follows no redirect", async () => {
      server().refuse(307, {}, { location: `${server().url}/elsewhere` });
      const before = server().seen.length;
      expect((await ask()).end).toMatchObject({
        stop: "failed",
        failure: { status: 307, retryable: false, message: expect.stringContaining("redirect") },
      });
      expect(server().seen.length).toBe(before + 1);
    });

    it("fails with an error that comes as an event; only before the first text it may be tried again", async () => {
      const begun = standIn.write({ text: ["Some text"] });
      const middle = begun.slice(0, begun.findIndex((event) => event.includes("Some text")) + 1);
      server().events([...middle, standIn.errorEvent("overloaded")], standIn.contentType);
      expect((await ask()).end).toMatchObject({
        stop: "failed",
        message: { content: "Some text", calls: [] },
        failure: { retryable: false },
      });
      server().events([standIn.errorEvent("overloaded")], standIn.contentType);
      expect((await ask()).end).toMatchObject({ stop: "failed", failure: { retryable: true } });
      server().events([standIn.errorEvent("invalid")], standIn.contentType);
      expect((await ask()).end).toMatchObject({ stop: "failed", failure: { retryable: false } });
    });

    it("fails with what is not JSON, and with a page in the place of a stream", async () => {
      server().events([standIn.event("x").replace('"x"', "not JSON {"), ...standIn.write(reply)], standIn.contentType);
      expect((await ask()).end).toMatchObject({
        stop: "failed",
        failure: { retryable: false, message: expect.stringContaining("not JSON") },
      });
      server().events(["<html>Sign in</html>"], "text/html");
      expect((await ask()).end).toMatchObject({
        stop: "failed",
        failure: { retryable: false, message: expect.stringContaining("text/html") },
      });
    });

    it("ends, and throws nothing, whatever the events are", async () => {
      const odd: unknown[] = [
        null,
        1,
        "text",
        [],
        {},
        [[]],
        { type: null },
        { choices: [null] },
        { candidates: [{ content: { parts: [null, { text: 1 }] } }] },
        { message: { content: 5, tool_calls: [1] }, done: true },
        { type: "content_block_start", content_block: null },
        { type: "response.completed", response: { output: [null, { type: "reasoning" }] } },
        { usage: "x" },
      ];
      for (const value of odd) {
        server().events([standIn.event(value), standIn.event(value)], standIn.contentType);
        const { end } = await ask();
        expect(end.message.calls).toEqual([]);
      }
    });

    it("fails where nothing listens, and may then try again", async () => {
      const model = open({ baseUrl: "http://127.0.0.1:9" + standIn.base });
      expect((await ask(model)).end).toMatchObject({
        stop: "failed",
        failure: { retryable: true, message: expect.stringContaining("ECONNREFUSED") },
      });
    });

    it("is cancelled before and during a request, and closes the connection", async () => {
      const before = server().seen.length;
      const gone = AbortSignal.abort();
      expect((await ask(open(), { signal: gone })).end).toMatchObject({ stop: "cancelled", message: { content: "", calls: [] } });
      expect(server().seen.length).toBe(before);
      const controller = new AbortController();
      let isClosed = false;
      server().answer((response) => {
        response.on("close", () => (isClosed = true));
        response.writeHead(200, { "content-type": standIn.contentType });
        const events = standIn.write(reply);
        response.write(events.slice(0, events.findIndex((event) => event.includes("Good ")) + 1).join(""));
      });
      const streamed = collect(untilText(open().stream(request([user("hello")], { signal: controller.signal })), () => controller.abort()));
      expect((await streamed).end).toMatchObject({ stop: "cancelled", message: { content: "Good ", calls: [] } });
      await until(() => isClosed, "The connection was not closed.");
    });

    it("closes the connection when nobody reads on", async () => {
      let isClosed = false;
      server().answer((response) => {
        response.on("close", () => (isClosed = true));
        const events = standIn.write(reply);
        response.writeHead(200, { "content-type": standIn.contentType }).write(events.slice(0, -2).join(""));
      });
      for await (const event of open().stream(request([user("hello")]))) if (event.type === "text") break;
      await until(() => isClosed, "The connection was not closed.");
    });

    it("fails when nothing comes for too long, and when too much comes", async () => {
      server().answer((response) => void response.writeHead(200, { "content-type": standIn.contentType }).flushHeaders());
      expect((await ask(open({ idleTimeoutMs: 20 }))).end).toMatchObject({
        stop: "failed",
        failure: { retryable: true, message: expect.stringContaining("nothing for 20 ms") },
      });
      answerWith({ text: ["x".repeat(5_000)] });
      expect((await ask(open({ maxReplyBytes: 4_000 }))).end).toMatchObject({
        stop: "failed",
        failure: { retryable: false, message: expect.stringContaining("4000 bytes") },
      });
    });

    it("writes a conversation with images, calls of another vendor, results, failures and a summary", async () => {
      answerWith({ text: ["ok"] });
      const messages = [
        { role: "summary", content: "They met.", upTo: 3 } as const,
        user("Look at this", [image, { type: "json", data: { a: 1 } }]),
        called(["a", "files.read", { path: "a" }], ["b", "list", { path: "b" }], ["c", "gone.tool", "{broken"]),
        {
          role: "tool",
          results: [succeeded("seen", { blocks: [{ type: "text", text: "seen" }, image] }), failed("no such folder")],
        } as const,
        { role: "assistant", content: "", calls: [] } as const,
        { role: "assistant", content: "I see.", calls: [] } as const,
        user("Thanks"),
      ];
      await collect(open().stream(request(messages, { tools: exported(open().target) })));
      const { turns } = standIn.read(server().lastBody());
      const flat = turns.map(({ role, text, calls, failed: isFailed }) => ({
        role,
        text,
        ...(calls && { calls }),
        ...(isFailed && { isFailed }),
      }));
      const assistant = flat.find(({ calls }) => calls !== undefined)!;
      expect(assistant.calls).toEqual([
        { name: read, input: { path: "a" } },
        { name: "list", input: { path: "b" } },
        { name: expect.stringMatching(/^gone.tool/), input: {} },
      ]);
      const results = turns.filter(({ role }) => role === "result");
      expect(results.map(({ text }) => text)).toEqual(["seen", "no such folder", expect.stringContaining("gave no result")]);
      expect(results.map(({ failed: isFailed }) => isFailed ?? false)).toEqual([false, true, true]);
      const words = turns
        .filter(({ role }) => role === "user")
        .map(({ text }) => text)
        .join("\n");
      for (const word of ["They met.", "Look at this", '{"a":1}', "Thanks"]) expect(words).toContain(word);
      expect(turns.some(({ role, text }) => role === "assistant" && text === "I see.")).toBe(true);
      // The image of the person and that of the tool, wherever the vendor takes the latter.
      expect(turns.flatMap(({ images = [] }) => images)).toEqual([pixel, pixel]);
    });

    it("goes on without tools where they are withheld after calls", async () => {
      answerWith({ text: ["done"] });
      const messages = [user("go"), called(["a", "list", { path: "a" }]), { role: "tool", results: [succeeded("x")] } as const];
      const { end } = await collect(open().stream(request(messages)));
      expect(end).toMatchObject({ stop: "finished", message: { content: "done" } });
      expect(standIn.read(server().lastBody()).turns).toHaveLength(3);
    });

    it("reads its key before each request, and tells what is wrong with it", async () => {
      let count = 0;
      const model = open({ key: async () => `key-number-${++count}` });
      answerWith({ text: ["hi"] });
      await ask(model);
      await ask(model);
      expect(
        server()
          .seen.slice(-2)
          .map(({ headers }) => headers[standIn.key[0]]),
      ).toEqual([`${standIn.key[1]}key-number-1`, `${standIn.key[1]}key-number-2`]);
      expect((await ask(open({ key: "a\r\nx-admin: 1" }))).end.failure!.message).toContain("cannot be sent");
      expect((await ask(open({ key: () => Promise.reject(new Error("The secret is locked.")) }))).end).toMatchObject({
        stop: "failed",
        failure: { retryable: false, message: expect.stringContaining("The secret is locked.") },
      });
      const { key: _, ...rest } = { model: "stand-in", baseUrl: `${server().url}${standIn.base}`, key };
      await ask(standIn.open(rest));
      expect(server().seen.at(-1)!.headers[standIn.key[0]]).toBeUndefined();
    });

    it("refuses options that are wrong", () => {
      expect(() => open({ baseUrl: "ftp://example.com" })).toThrow(/"baseUrl" must be a URL of http or https/);
      expect(() => open({ baseUrl: "https://user:pass@example.com" })).toThrow(/without a key in it/);
      expect(() => standIn.open({ modle: "x" } as never)).toThrow(new RegExp(`${standIn.name} has the unknown option "modle"`));
      expect(() => standIn.open({ model: "" })).toThrow(/"model" must be/);
    });

    it("adds fields and headers of the settings, and does not let them replace its own", async () => {
      answerWith({ text: ["hi"] });
      await ask(open({ body: { top_p: 0.5, stream: false, model: "other" }, headers: { "x-team": "blue" } }));
      expect(server().lastBody()).toMatchObject({ top_p: 0.5 });
      // Gemini has both in its path, where no field can change them.
      if (!standIn.path.includes("stand-in")) expect(server().lastBody()).toMatchObject({ model: "stand-in", stream: true });
      expect(server().seen.at(-1)!.headers["x-team"]).toBe("blue");
      expect((await ask()).end.stop).toBe("finished");
    });

    it("tells an error that comes as JSON with a status of success", async () => {
      server().answer((response) => sendJson(response, standIn.errorBody("The model is down")));
      expect((await ask()).end).toMatchObject({ stop: "failed", failure: { message: expect.stringContaining("The model is down") } });
    });
  });
}

async function* untilText<Event extends { readonly type: string }>(stream: AsyncIterable<Event>, act: () => void): AsyncGenerator<Event> {
  for await (const event of stream) {
    yield event;
    if (event.type === "text") act();
  }
}
