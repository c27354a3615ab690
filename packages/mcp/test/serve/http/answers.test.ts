import { turns } from "@toolrack/testkit/turns";
import { describe, expect, it, vi } from "vitest";
import { McpError } from "../../../src/errors.ts";
import { readsStreams, refusal, serve } from "../../../src/serve/http/answers.ts";
import type { HttpAnswer, Visitor } from "../../../src/serve/http/http.ts";
import { type ExchangeParts, HttpExchange } from "../../../src/serve/http/http-exchange.ts";
import { EventStream } from "../../../src/serve/http/streams/event-stream.ts";
import { PreparedResult, type ResultJson } from "../../../src/wire/reply.ts";

interface Played {
  readonly exchange: HttpExchange;
  readonly answers: HttpAnswer[];
  /** What the sign-in was told of each request: its error, or undefined. */
  readonly results: (string | undefined)[];
  readonly onEnd: ReturnType<typeof vi.fn>;
  readonly signIn: AbortController;
  readonly connection: AbortController;
}

/** A request with everything around it played. */
function play(more: Partial<ExchangeParts> = {}, accept?: string, visit: Partial<Visitor> = {}): Played {
  const [signIn, connection] = [new AbortController(), new AbortController()];
  const results: (string | undefined)[] = [];
  const onResult = (error: string | undefined): void => void results.push(error);
  const exchange = new HttpExchange({
    era: "modern",
    message: { kind: "request", id: 5, method: "tools/call", params: { name: "x" } },
    http: { method: "POST", header: (name) => (name === "accept" ? accept : undefined), body: new Uint8Array(), signal: connection.signal },
    visitor: { caller: {}, principal: "ada", isAnonymous: false, sessionOwner: "ada", signal: signIn.signal, onResult, ...visit },
    capabilities: {},
    clientInfo: undefined,
    logLevel: undefined,
    openStream: () => new EventStream(),
    hasOwnEnd: true,
    ...more,
  });
  const onEnd = vi.fn();
  exchange.onEnd = onEnd;
  return { exchange, answers: [], results, onEnd, signIn, connection };
}

/** Answers a played request with what `answer` gives, throws or promises. */
async function served(played: Played, answer: (exchange: HttpExchange) => ResultJson | Promise<ResultJson>): Promise<Played> {
  serve({ has: () => true, answer: (exchange) => answer(exchange as HttpExchange) }, played.exchange, (one) => played.answers.push(one));
  await turns(5);
  return played;
}

/** Everything that a stream has to say. */
function textOf({ stream }: HttpAnswer): string {
  let text = "";
  stream!.attach({ write: (more) => ((text += more), true), end: () => (text += "<end>"), giveUp: () => (text += "<given up>") });
  return text;
}

const message = (json: string): string => `event: message\ndata: {"jsonrpc":"2.0",${json}}\n\n`;

describe("the answer to a request", () => {
  it.each([
    ["at once", () => '{"a":1}'],
    ["later", async () => '{"a":1}'],
  ])("is JSON where its result comes %s, and the request is over", async (_when, answer) => {
    const { answers, results, onEnd } = await served(play(), answer);
    expect(answers).toEqual([{ status: 200, body: '{"jsonrpc":"2.0","id":5,"result":{"a":1}}' }]);
    expect([results, onEnd.mock.calls]).toEqual([[undefined], [[]]]);
  });

  it("is a prepared result as it is", async () => {
    const result = new PreparedResult("{}");
    expect((await served(play(), () => result)).answers).toEqual([{ status: 200, prepared: { result, id: 5 } }]);
  });

  it.each([
    ["at once", (): never => fail()],
    ["later", async () => fail()],
  ])("is an error where it is thrown %s, with its status, and its code is told", async (_when, answer) => {
    const body = '{"jsonrpc":"2.0","id":5,"error":{"code":-32601,"message":"No."}}';
    const modern = await served(play(), answer);
    expect(modern.answers).toEqual([{ status: 404, body }]);
    expect([modern.results, modern.onEnd.mock.calls]).toEqual([["-32601"], [[]]]);
    expect((await served(play({ era: "legacy" }), answer)).answers).toEqual([{ status: 200, body }]);
  });

  function fail(): never {
    throw new McpError("methodNotFound", "No.");
  }

  it("has status 200 for an error that a method met", async () => {
    const { answers } = await served(play(), () => Promise.reject(new McpError("invalidParams", "No.")));
    expect(answers).toEqual([{ status: 200, body: '{"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"No."}}' }]);
  });

  it.each([
    ["a result", async () => "{}", '"id":5,"result":{}', undefined],
    ["an error", async () => fail(), '"id":5,"error":{"code":-32601,"message":"No."}', "-32601"],
  ])("is a stream where something is said before it, which ends with %s", async (_what, answer, last, told) => {
    const { answers, results, onEnd } = await served(play(), async (exchange) => {
      exchange.notify("notifications/progress", { progress: 1 });
      await turns(2);
      return answer();
    });
    expect(answers).toEqual([{ status: 200, stream: expect.any(EventStream) }]);
    expect(textOf(answers[0]!)).toBe(`${message('"method":"notifications/progress","params":{"progress":1}')}${message(last)}<end>`);
    expect([results, onEnd.mock.calls]).toEqual([[told], [[]]]);
  });

  it("is a stream of one event for a client that names streams first, also where the result is there at once", async () => {
    const { answers } = await served(play({}, "text/event-stream, application/json"), () => "{}");
    expect(answers).toEqual([{ status: 200, stream: expect.any(EventStream) }]);
    expect(textOf(answers[0]!)).toBe(`${message('"id":5,"result":{}')}<end>`);
    expect((await served(play({}, "application/json, text/event-stream"), () => "{}")).answers).toMatchObject([
      { body: expect.any(String) },
    ]);
  });

  it("is no stream for a client that reads none", async () => {
    const { answers } = await served(play({ openStream: undefined }, "text/event-stream"), async (exchange) => {
      exchange.notify("notifications/progress", { progress: 1 });
      return "{}";
    });
    expect(answers).toEqual([{ status: 200, body: '{"jsonrpc":"2.0","id":5,"result":{}}' }]);
  });

  it("is the reason why the access has ended, where it ended meanwhile, and no result", async () => {
    const played = play();
    const { answers, results } = await served(played, async () => {
      played.signIn.abort(new Error("The API key was revoked."));
      return '{"secret":1}';
    });
    expect(answers).toEqual([
      { status: 200, body: '{"jsonrpc":"2.0","id":5,"error":{"code":-32600,"message":"The API key was revoked."}}' },
    ]);
    expect(results).toEqual(["-32600"]);
  });

  it("tells that a tool failed", async () => {
    const { results } = await served(play(), async (exchange) => (exchange.toolFailed(), "{}"));
    expect(results).toEqual(["tool_error"]);
  });
});

describe("a refusal", () => {
  it.each([
    ["methodNotFound", 404],
    ["headerMismatch", 400],
    ["missingCapability", 400],
    ["unsupportedVersion", 400],
    ["invalidParams", 418],
  ] as const)("for %s has status %d", (name, status) => {
    expect(refusal("a", new McpError(name, "No.", { why: 1 }), 418)).toEqual({
      status,
      body: JSON.stringify({ jsonrpc: "2.0", id: "a", error: { code: new McpError(name, "").code, message: "No.", data: { why: 1 } } }),
    });
  });

  it("has status 400 and no id where nothing else is known", () => {
    expect(refusal(undefined, new McpError("parse", "No."))).toEqual({
      status: 400,
      body: '{"jsonrpc":"2.0","error":{"code":-32700,"message":"No."}}',
    });
  });
});

it.each([
  [undefined, true],
  ["*/*", true],
  ["application/json, text/event-stream", true],
  ["application/json", false],
])("a client that accepts %s reads streams: %s", (accept, expected) => {
  expect(readsStreams({ header: (name) => (name === "accept" ? accept : "none") })).toBe(expected);
});

describe("a request with an end of its own", () => {
  it("is cancelled when its client goes away, or had gone before", async () => {
    const { exchange, connection } = play();
    const { signal } = exchange;
    expect([signal.aborted, signal === exchange.signal]).toEqual([false, true]);
    connection.abort();
    expect(signal.reason).toEqual(new DOMException("The client went away.", "AbortError"));
    const late = play();
    late.connection.abort(new Error("It was gone."));
    expect(late.exchange.signal.reason).toEqual(new Error("It was gone."));
  });

  it("shares the signal of its connection where it has none", () => {
    const { exchange, connection } = play({ hasOwnEnd: false });
    expect(exchange.signal).toBe(connection.signal);
  });

  it("outlives its connection once it is detached, or has a stream that can be taken up again", () => {
    const detached = play();
    detached.exchange.detach();
    const taken = play({ canResume: true });
    taken.exchange.openStream();
    const [plain, unopened] = [play({ canResume: false }), play({ canResume: true })];
    plain.exchange.openStream();
    const all = [detached, taken, plain, unopened];
    const signals = all.map(({ exchange }) => exchange.signal);
    for (const { connection } of all) connection.abort();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, true, true]);
    for (const { exchange } of all.slice(0, 2)) exchange.streamWent();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true, true, true]);
    expect(signals[1]!.reason).toEqual(new DOMException("The client went away.", "AbortError"));
  });

  it("does not outlive the sign-in, and says why", () => {
    const { exchange, signIn, connection } = play({ canResume: true });
    exchange.openStream();
    const { signal } = exchange;
    signIn.abort();
    connection.abort(new Error("The API key was revoked."));
    expect(signal.reason).toEqual(new DOMException("The API key was revoked.", "AbortError"));
  });

  it("no longer listens to its connection when it is over, and is then not cancelled", () => {
    const { exchange, connection, results, onEnd } = play();
    const { signal } = exchange;
    const leave = vi.spyOn(connection.signal, "removeEventListener");
    exchange.end();
    exchange.end("again");
    expect(leave).toHaveBeenCalledWith("abort", expect.any(Function));
    connection.abort();
    expect([signal.aborted, results, onEnd.mock.calls.length]).toEqual([false, [undefined], 2]);
  });

  it("can be cancelled before anybody looked at its signal, and not after its end", () => {
    const { exchange } = play();
    exchange.cancel("Enough.");
    expect(exchange.signal.reason).toEqual(new DOMException("Enough.", "AbortError"));
    const over = play();
    over.exchange.end();
    over.exchange.cancel("Enough.");
    expect(over.exchange.signal.aborted).toBe(false);
  });

  it("opens no stream after its end, and one at most before it", () => {
    const { exchange } = play();
    const heard = vi.fn();
    exchange.whenStreaming(heard);
    const stream = exchange.openStream();
    expect([exchange.openStream(), exchange.stream]).toEqual([stream, stream]);
    expect(heard.mock.calls).toEqual([[stream]]);
    const late = vi.fn();
    exchange.whenStreaming(late);
    expect(late.mock.calls).toEqual([[stream]]);
    const over = play();
    over.exchange.end();
    expect(over.exchange.openStream()).toBeUndefined();
  });

  it("closes the connection of its stream only where that can be taken up again", () => {
    for (const canResume of [true, false]) {
      const stream = new EventStream({ id: "s" });
      const close = vi.spyOn(stream, "closeConnection");
      play({ canResume, openStream: () => stream }).exchange.closeStream();
      expect(close).toHaveBeenCalledTimes(canResume ? 1 : 0);
    }
  });

  it("has a caller with its session, unless the caller has one already", () => {
    const callerOf = (more: Partial<ExchangeParts>, visit: Partial<Visitor>): unknown => play(more, undefined, visit).exchange.caller;
    expect(callerOf({}, { caller: { agent: "ada" } })).toEqual({ agent: "ada" });
    expect(callerOf({ session: "s1" }, { caller: { agent: "ada" } })).toEqual({ agent: "ada", session: "s1" });
    expect(callerOf({ session: "s1" }, { caller: { agent: "ada", session: "s0" } })).toEqual({ agent: "ada", session: "s0" });
  });

  it("asks its client only where that reads streams", async () => {
    const ask = vi.fn(async () => "yes");
    const { exchange } = play({ ask });
    expect(await exchange.request!("roots/list", { a: 1 })).toBe("yes");
    expect(ask.mock.calls).toEqual([["roots/list", { a: 1 }, exchange]]);
    expect(play({ ask, openStream: undefined }).exchange.request).toBeUndefined();
    expect(play().exchange.request).toBeUndefined();
  });
});
