import { PassThrough } from "node:stream";
import { relayStdio } from "@toolrack/mcp/relay";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { turns } from "@toolrack/testkit/turns";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it, vi } from "vitest";
import { _meta, answer, event, events, handshake, relayTo, type Relayed, result, type Sent, session } from "./_scripted.ts";

/** From now on only the test lets time pass for timers. */
function stopTime(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  afterThisTest(() => vi.useRealTimers());
}

const isOver = async ({ done }: Relayed): Promise<boolean> => {
  let over = false;
  void done.then(() => (over = true));
  await turns();
  return over;
};

/** A request that is answered when the test says so, or never. */
function pending(): { readonly answered: Promise<ReturnType<typeof answer>>; give(value: ReturnType<typeof answer>): void } {
  let give: (value: ReturnType<typeof answer>) => void = () => undefined;
  const answered = new Promise<ReturnType<typeof answer>>((resolve) => (give = resolve));
  return { answered, give: (value) => give(value) };
}

describe("when the input of a relay ends", () => {
  it("an answer that is on its way still arrives, and nothing is left behind", async () => {
    const { answered, give } = pending();
    const relayed = relayTo(() => answered);
    relayed.write({ id: 1, method: "tools/list", params: { _meta } });
    await until(() => relayed.sent.length === 1);
    stopTime();
    relayed.input.end();
    expect(await isOver(relayed)).toBe(false);
    give(result(relayed.sent[0]!));
    await relayed.done;
    expect(relayed.messages()).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("a call is cancelled after a second, without a word to the client", async () => {
    const relayed = relayTo(({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))));
    relayed.write({ id: 1, method: "tools/call", params: { name: "slow", _meta } });
    await until(() => relayed.sent.length === 1);
    stopTime();
    relayed.input.end();
    await turns();
    vi.advanceTimersByTime(999);
    expect(await isOver(relayed)).toBe(false);
    expect(relayed.sent[0]!.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    await relayed.done;
    await turns();
    expect(relayed.sent[0]!.signal.aborted).toBe(true);
    expect(relayed.lines).toEqual([]);
  });

  it("a subscription is cancelled at once", async () => {
    const relayed = relayTo((request) => events(request, [], "stays open"));
    relayed.write({ id: 1, method: "subscriptions/listen", params: { notifications: {}, _meta } });
    await until(() => relayed.sent.length === 1);
    stopTime();
    relayed.input.end();
    expect(await isOver(relayed)).toBe(true);
    expect(relayed.sent[0]!.signal.aborted).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
    expect(relayed.lines).toEqual([]);
  });

  it("the session is ended within a second, whether the server answers or not", async () => {
    const limit = new AbortController();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(limit.signal);
    afterThisTest(() => timeout.mockRestore());
    const relayed = relayTo((request) => {
      if (request.method !== "DELETE") return session(request, "s1");
      return new Promise((_, reject) => request.signal.addEventListener("abort", () => reject(request.signal.reason)));
    });
    await relayed.ask(1, "initialize", handshake);
    relayed.input.end();
    expect(await isOver(relayed)).toBe(false);
    expect(timeout.mock.calls).toEqual([[1_000]]);
    limit.abort(new Error("Too late."));
    expect(await relayed.done).toBeUndefined();
  });
});

it("a relay that is ended by its signal takes nothing more from its input", async () => {
  const controller = new AbortController();
  const input = new PassThrough();
  const done = relayStdio({ input, write: () => undefined, send: async () => answer(200), signal: controller.signal });
  expect(input.isPaused()).toBe(false);
  controller.abort();
  await done;
  expect(input.isPaused()).toBe(true);
});

describe("a cancelled request", () => {
  const cancel = (requestId: unknown): object => ({ method: "notifications/cancelled", params: { requestId } });

  it.each(["ends", "breaks off"])("of the modern era is cut off, and is not answered where the stream then %s", async (how) => {
    const relayed = relayTo((request) => {
      const { message, signal } = request;
      if (message.id !== 1) return result(request);
      const stream = new ReadableStream<Uint8Array>({
        start: (controller) =>
          signal.addEventListener("abort", () => (how === "ends" ? controller.close() : controller.error(signal.reason))),
      });
      return { ...answer(200, "", { "content-type": "text/event-stream" }), stream: () => stream };
    });
    relayed.write({ id: 1, method: "tools/call", params: { name: "slow", _meta } });
    await until(() => relayed.sent.length === 1);
    relayed.write(cancel(1));
    await turns();
    expect(relayed.sent[0]!.signal.aborted).toBe(true);
    await relayed.ask(2, "tools/list", { _meta });
    // Its end said everything: no message was sent.
    expect(relayed.sent.map(({ message }) => message.id)).toEqual([1, 2]);
    expect(relayed.messages().map(({ id }) => id)).toEqual([2]);
  });

  /** A server of the legacy era that ends every call without a response when the call is cancelled. */
  function ending(): Relayed {
    const open: (() => void)[] = [];
    return relayTo((request: Sent) => {
      if (request.method === "DELETE") return answer(204);
      const { method } = request.message;
      if (method === "initialize") return session(request, "s1");
      if (method === "ping") return result(request);
      if (method === "notifications/cancelled") for (const end of open.splice(0)) end();
      if (method !== "tools/call") return answer(202);
      if (request.message.params?.["name"] === "unanswered") return events(request, [], "ends");
      const stream = new ReadableStream<Uint8Array>({ start: (controller) => void open.push(() => controller.close()) });
      return { ...answer(200, "", { "content-type": "text/event-stream" }), stream: () => stream };
    });
  }
  const ended = "The server ended the connection before it answered. A call may have run: look with toolrack calls, then try again.";

  it("of the legacy era is cancelled by its message, and is not answered", async () => {
    const relayed = ending();
    await relayed.ask(1, "initialize", handshake);
    relayed.write({ id: 2, method: "tools/call", params: { name: "slow" } });
    await until(() => relayed.sent.length === 2);
    relayed.write(cancel(2));
    await until(() => relayed.sent.length === 3);
    expect(relayed.sent[2]!.message).toEqual({ jsonrpc: "2.0", ...cancel(2) });
    await turns();
    expect(relayed.sent[1]!.signal.aborted).toBe(false);
    expect(relayed.lines).toHaveLength(1);
    // The same id again is another request.
    expect((await relayed.ask(2, "tools/call", { name: "unanswered" })).error).toEqual({ code: -32603, message: ended });
  });

  it("that was answered already changes nothing for the next one with its id", async () => {
    const relayed = ending();
    await relayed.ask(1, "initialize", handshake);
    await relayed.ask(2, "ping");
    relayed.write(cancel(2));
    await until(() => relayed.sent.length === 3);
    relayed.write({ id: 2, method: "tools/call", params: { name: "unanswered" } });
    await until(() => relayed.lines.length === 3);
    expect(relayed.messages().at(-1)).toEqual({ jsonrpc: "2.0", id: 2, error: { code: -32603, message: ended } });
  });

  it("is not what another notification names", async () => {
    const relayed = ending();
    await relayed.ask(1, "initialize", handshake);
    relayed.write({ id: 2, method: "tools/call", params: { name: "slow" } });
    await until(() => relayed.sent.length === 2);
    relayed.write({ method: "notifications/progress", params: { requestId: 2 } });
    relayed.write(cancel(9));
    await until(() => relayed.lines.length === 2);
    expect(relayed.messages().at(-1)).toEqual({ jsonrpc: "2.0", id: 2, error: { code: -32603, message: ended } });
  });
});

describe("what comes for a request", () => {
  it("reaches the client as it was written, byte for byte", async () => {
    const text = (id: unknown): string => `{ "result" : { "n": 1.0, "s": "\\u0041" },"jsonrpc":"2.0", "id":${String(id)} }`;
    const relayed = relayTo(({ message }) => answer(200, text(message.id)));
    await relayed.ask(1, "tools/list", { _meta });
    expect(relayed.lines).toEqual([text(1)]);
  });

  it.each([
    ["modern", { _meta }],
    ["legacy", {}],
  ])("is refused once, whatever follows (%s)", async (_era, params) => {
    const relayed = relayTo(({ message }) =>
      answer(message.id === 1 ? 300 : 299, JSON.stringify({ jsonrpc: "2.0", id: message.id, result: {} })),
    );
    expect(await relayed.ask(1, "tools/list", params)).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32603, message: "The server answered with status 300." },
    });
    await relayed.ask(2, "tools/list", params);
    await turns();
    expect(relayed.messages().slice(1)).toEqual([{ jsonrpc: "2.0", id: 2, result: {} }]);
  });

  it.each([
    ["is no object", "No."],
    ["has no message", { code: -32099 }],
    ["has no code", { message: "No." }],
  ])("is a refusal with its status where its error %s", async (_name, error) => {
    const relayed = relayTo(() => answer(400, JSON.stringify({ error })));
    expect((await relayed.ask(1, "tools/list", { _meta })).error).toEqual({
      code: -32603,
      message: "The server answered with status 400.",
    });
  });

  it("are also requests of the server and texts that are no objects, which do not end it", async () => {
    const asked = { jsonrpc: "2.0", id: 1, method: "roots/list" };
    const response = { jsonrpc: "2.0", id: 1, result: {} };
    const relayed = relayTo((request) =>
      events(request, [event(asked), "data: 7\n\n", 'data: {"jsonrpc":"2.0"}\n\n', event(response), event(asked)], "ends"),
    );
    await relayed.ask(1, "tools/call", { name: "x", _meta });
    await turns();
    expect(relayed.messages()).toEqual([asked, 7, { jsonrpc: "2.0" }, response]);
  });

  it("may be cut anywhere, also within a letter", async () => {
    const bytes = Buffer.from(event({ id: 1, result: { text: "Zürich" } }));
    const cut = bytes.indexOf("ü") + 1;
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of [bytes.subarray(0, cut), bytes.subarray(cut)]) controller.enqueue(piece);
        controller.close();
      },
    });
    const relayed = relayTo(() => ({ ...answer(200, "", { "content-type": "text/event-stream" }), stream: () => stream }));
    expect((await relayed.ask(1, "tools/list", { _meta })).result).toEqual({ text: "Zürich" });
  });

  it.each([
    ["an empty text", answer(202)],
    ["a stream that has no body", answer(200, "", { "content-type": "text/event-stream;charset=utf-8" })],
  ])("is no response: %s", async (_name, played) => {
    const relayed = relayTo(() => played);
    expect((await relayed.ask(1, "tools/list", { _meta })).error).toEqual({
      code: -32603,
      message: "The server ended the connection before it answered. A call may have run: look with toolrack calls, then try again.",
    });
    expect(relayed.lines).toHaveLength(1);
  });
});
