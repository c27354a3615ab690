import { turns } from "@toolrack/testkit/turns";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it, vi } from "vitest";
import { answerFetch } from "../../../src/serve/http/fetch.ts";
import type { HttpAnswer, HttpRequest, Visitor } from "../../../src/serve/http/http.ts";
import { EventStream } from "../../../src/serve/http/streams/event-stream.ts";
import { PreparedResult } from "../../../src/wire/reply.ts";

interface Asked {
  readonly answer?: HttpAnswer;
  readonly refused?: HttpAnswer;
  readonly visit?: Partial<Visitor>;
  readonly limits?: { readonly maxBodyBytes?: number; readonly bodyTimeoutMs?: number };
}

/** Passes a request to a handler that keeps what it gets. */
async function ask(request: Request, { answer = { status: 202 }, refused, visit, limits }: Asked = {}): Promise<[Response, HttpRequest[]]> {
  const handled: HttpRequest[] = [];
  const handler = {
    refuse: () => refused,
    handle(one: HttpRequest, _visitor: Visitor, reply: (given: HttpAnswer) => void) {
      handled.push(one);
      reply(answer);
    },
    close: () => undefined,
  };
  const visitor = { caller: {}, principal: "ada", isAnonymous: false, sessionOwner: "ada", ...visit };
  return [await answerFetch(handler, request, visitor, { maxBodyBytes: 10, bodyTimeoutMs: 60_000, ...limits }), handled];
}

const posted = (body: RequestInit["body"], headers: Record<string, string> = {}, more: RequestInit = {}): Request =>
  new Request("http://here:7333/mcp", { method: "POST", body, headers, duplex: "half", ...more } as RequestInit);

const whole = async (response: Response): Promise<[number, Record<string, string>, string]> => [
  response.status,
  Object.fromEntries(response.headers),
  await response.text(),
];

const refusal = (message: string): string => JSON.stringify({ jsonrpc: "2.0", error: { code: -32600, message } });

describe("the answer to a request of the web", () => {
  it.each([
    ["nothing", { status: 202, headers: { a: "b" } }, [202, { a: "b" }, ""]],
    ["JSON", { status: 200, headers: { a: "b" }, body: "{}" }, [200, { a: "b", "content-type": "application/json" }, "{}"]],
    [
      "a prepared result",
      { status: 200, prepared: { result: new PreparedResult('{"a":1}'), id: "é" } },
      [200, { "content-type": "application/json" }, '{"jsonrpc":"2.0","result":{"a":1},"id":"é"}'],
    ],
  ])("can be %s", async (_name, answer, expected) => {
    expect(await whole((await ask(posted("{}"), { answer }))[0])).toEqual(expected);
  });

  it("is a refusal before its body is read", async () => {
    const request = posted("{}");
    const [response, handled] = await ask(request, { refused: { status: 403, body: "{}" } });
    expect([response.status, handled, request.bodyUsed]).toEqual([403, [], false]);
  });

  it("can be a stream, from its beginning or after an event", async () => {
    const stream = new EventStream({ id: "s" });
    stream.send("one");
    stream.send("two");
    stream.end();
    const [response] = await ask(posted("{}"), { answer: { status: 200, stream, after: 1, headers: { a: "b" } } });
    expect(await whole(response)).toEqual([
      200,
      { a: "b", "cache-control": "no-cache, no-transform", "content-type": "text/event-stream", "x-accel-buffering": "no" },
      "id: s_2\nevent: message\ndata: two\n\n",
    ]);
  });
});

describe("a stream as the body of a response", () => {
  const open = async (onGone = vi.fn()): Promise<[EventStream, Response, ReturnType<typeof vi.fn>]> => {
    const stream = new EventStream({ onGone });
    return [stream, (await ask(posted("{}"), { answer: { status: 200, stream } }))[0], onGone];
  };

  it("is over for the server when its reader goes away, and what is said then is dropped", async () => {
    const [stream, response, onGone] = await open();
    await response.body!.cancel();
    expect([stream.isDone, onGone.mock.calls.length]).toEqual([true, 1]);
    stream.send("nobody hears this");
  });

  it("is given up once more than 4 MiB wait for a reader that does not read", async () => {
    const [stream, response, onGone] = await open();
    const mebibyte = "x".repeat(1024 * 1024);
    // With what a stream takes before it is full, a little more than 4 MiB have room.
    for (let count = 0; count < 4; count++) stream.send(mebibyte);
    expect(stream.isDone).toBe(false);
    stream.send(mebibyte);
    expect([stream.isDone, onGone.mock.calls.length]).toEqual([true, 1]);
    await expect(response.text()).rejects.toThrow("The reader was too slow.");
  });

  it("that has ended is not written to, ended or given up once more", async () => {
    const [stream, response] = await open();
    stream.send("one");
    stream.end();
    stream.stayAlive();
    stream.giveUp();
    expect(await response.text()).toBe("event: message\ndata: one\n\n");
  });

  it("counts what waits, not what was read", async () => {
    const [stream, response] = await open();
    const reader = response.body!.getReader();
    for (let count = 0; count < 10; count++) {
      stream.send("x".repeat(1024 * 1024));
      await reader.read();
    }
    expect(stream.isDone).toBe(false);
    stream.end();
    expect((await reader.read()).done).toBe(true);
  });
});

describe("the body of a request of the web", () => {
  const bodyOf = async (request: Request, limits: Asked["limits"] = {}): Promise<string | [number, string]> => {
    const [response, [handled]] = await ask(request, { limits });
    return handled === undefined ? [response.status, await response.text()] : Buffer.from(handled.body).toString();
  };
  const pieces = (...texts: string[]): ReadableStream<Uint8Array> => new Blob(texts).stream() as ReadableStream<Uint8Array>;
  const tooLarge = [413, refusal("The body is larger than 10 bytes.")];

  it.each([
    ["in pieces, of unknown length", (text: string) => posted(pieces(text.slice(0, 5), text.slice(5)))],
    ["of the length that it announces", (text: string) => posted(text, { "content-length": String(text.length) })],
    ["longer than it announces", (text: string) => posted(text, { "content-length": "1" })],
  ])("may have so many bytes, and no more: %s", async (_name, make) => {
    expect(await bodyOf(make("x".repeat(10)))).toBe("x".repeat(10));
    expect(await bodyOf(make("x".repeat(11)))).toEqual(tooLarge);
  });

  it("is not read where it announces too much", async () => {
    const request = posted("{}", { "content-length": "11" });
    expect(await bodyOf(request)).toEqual(tooLarge);
    expect(request.bodyUsed).toBe(false);
  });

  it("may be missing", async () => {
    expect(await bodyOf(posted(null))).toBe("");
    expect(await bodyOf(posted(null, { "content-length": "0" }))).toBe("");
    expect(await bodyOf(new Request("http://here/mcp", { headers: { "content-length": "99" } }))).toBe("");
  });

  it("that breaks off is refused", async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("reset")) });
    expect(await bodyOf(posted(broken))).toEqual([400, refusal("The body could not be read.")]);
  });

  it("has its time, and leaves no timer behind", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    afterThisTest(() => vi.useRealTimers());
    expect(await bodyOf(posted(pieces("{}")))).toBe("{}");
    expect(vi.getTimerCount()).toBe(0);
    let answered: unknown;
    void bodyOf(posted(new ReadableStream()), { bodyTimeoutMs: 500 }).then((answer) => (answered = answer));
    await turns(5);
    vi.advanceTimersByTime(499);
    await turns(5);
    expect(answered).toBeUndefined();
    vi.advanceTimersByTime(1);
    await turns(5);
    expect(answered).toEqual([408, refusal("The body did not come in in time.")]);
  });
});

describe("what a handler sees of a request of the web", () => {
  it("is its method and its headers, and the host of its address where no header names it", async () => {
    const [, [made]] = await ask(posted("{}", { accept: "a" }));
    expect([made!.method, made!.header("accept"), made!.header("host"), made!.header("origin")]).toEqual([
      "POST",
      "a",
      "here:7333",
      undefined,
    ]);
    const passed = { ...posted("{}"), method: "GET", url: "http://here/", headers: new Headers({ host: "there" }) };
    expect((await ask(passed as unknown as Request))[1][0]!.header("host")).toBe("there");
  });

  it("is the end of its connection, and of the sign-in", async () => {
    const [connection, signIn] = [new AbortController(), new AbortController()];
    const handledWith = async (signal?: AbortSignal): Promise<HttpRequest> =>
      (await ask(posted("{}", {}, { signal: connection.signal }), { visit: { signal } }))[1][0]!;
    const [alone, ended, gone] = [await handledWith(), await handledWith(signIn.signal), await handledWith(new AbortController().signal)];
    const signals = [alone, ended, gone].map(({ signal }) => signal);
    expect(ended.signal).toBe(signals[1]);
    signIn.abort(new Error("The API key was revoked."));
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true, false]);
    expect(signals[1]!.reason).toEqual(new DOMException("The API key was revoked.", "AbortError"));
    connection.abort(new Error("reset"));
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
    expect([signals[0]!.reason, signals[2]!.reason]).toEqual([new Error("reset"), new Error("reset")]);
    expect(signals[1]!.reason).toEqual(new DOMException("The API key was revoked.", "AbortError"));
  });
});
