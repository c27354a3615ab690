import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { turns } from "@toolrack/testkit/turns";
import { describe, expect, it, vi } from "vitest";
import type { HttpAnswer, HttpRequest, Reply, Visitor } from "../../../src/serve/http/http.ts";
import { answerNode } from "../../../src/serve/http/node.ts";
import { EventStream } from "../../../src/serve/http/streams/event-stream.ts";
import { PreparedResult } from "../../../src/wire/reply.ts";

/** A response that keeps what is done with it, in order. */
class Outgoing extends EventEmitter {
  readonly done: unknown[] = [];
  writableLength = 0;
  setHeader(name: string, value: string): void {
    this.done.push(["setHeader", name, value]);
  }
  writeHead(status: number, headers?: object): this {
    this.done.push(["writeHead", status, headers]);
    return this;
  }
  flushHeaders(): void {
    this.done.push("flushHeaders");
  }
  write(text: string | Buffer): boolean {
    this.done.push(["write", String(text)]);
    return true;
  }
  end(text?: string): this {
    this.done.push(text === undefined ? "end" : ["end", text]);
    return this;
  }
  destroy(): void {
    this.done.push("destroy");
  }
}

class Connection extends EventEmitter {
  destroyed = false;
}

interface Asked {
  readonly method?: string | undefined;
  readonly headers?: Record<string, string | string[]>;
  readonly answer?: HttpAnswer;
  readonly refused?: HttpAnswer;
  readonly signedIn?: AbortSignal;
  readonly connection?: Connection;
  readonly limits?: { readonly maxBodyBytes?: number; readonly bodyTimeoutMs?: number };
}

function ask(asked: Asked = {}) {
  const { headers = {}, answer = { status: 202 }, refused, signedIn, connection = new Connection(), limits } = asked;
  const method = "method" in asked ? asked.method : "POST";
  const incoming = Object.assign(new PassThrough(), { method, headers, socket: connection });
  const outgoing = new Outgoing();
  const handled: HttpRequest[] = [];
  const handler = {
    refuse: () => refused,
    handle: (request: HttpRequest, _visitor: Visitor, reply: Reply) => (handled.push(request), reply(answer)),
    close: () => undefined,
  };
  const visitor = { caller: {}, principal: "ada", isAnonymous: false, sessionOwner: "ada", signal: signedIn };
  const onAnswer = vi.fn();
  answerNode(
    handler as never,
    incoming as unknown as IncomingMessage,
    outgoing as unknown as ServerResponse,
    visitor,
    { maxBodyBytes: 10, bodyTimeoutMs: 500, ...limits },
    onAnswer,
  );
  return { incoming, outgoing, handled, onAnswer, connection };
}

/** Everything that is done with the response to a request with an empty body. */
async function answered(answer: HttpAnswer): Promise<readonly unknown[]> {
  const { incoming, outgoing } = ask({ answer });
  incoming.end();
  await turns(5);
  return outgoing.done;
}

describe("the answer over node:http", () => {
  it.each([
    ["nothing", { status: 202, headers: { a: "b" } }, [["writeHead", 202, { a: "b" }], "end"]],
    [
      "JSON",
      { status: 200, headers: { a: "b" }, body: '"é"' },
      [
        ["writeHead", 200, { a: "b", "content-type": "application/json", "content-length": 4 }],
        ["end", '"é"'],
      ],
    ],
    [
      "a prepared result",
      { status: 200, prepared: { result: new PreparedResult("{}"), id: "é" } },
      [
        ["writeHead", 200, { "content-type": "application/json", "content-length": 39 }],
        ["write", '{"jsonrpc":"2.0","result":{},"id":'],
        ["end", '"é"}'],
      ],
    ],
  ])("can be %s", async (_name, answer, expected) => {
    expect(await answered(answer)).toEqual(expected);
  });

  it("can be a stream, whose headers go out before its first event", async () => {
    const stream = new EventStream({ id: "s" });
    stream.send("one");
    const [head, flushed, ...rest] = await answered({ status: 200, stream, after: 0, headers: { a: "b" } });
    expect([head, flushed]).toEqual([
      [
        "writeHead",
        200,
        { a: "b", "cache-control": "no-cache, no-transform", "content-type": "text/event-stream", "x-accel-buffering": "no" },
      ],
      "flushHeaders",
    ]);
    expect(rest).toEqual([["write", "id: s_1\nevent: message\ndata: one\n\n"]]);
  });

  it("is told of, with its status, and whether it is a stream", async () => {
    for (const [answer, isStream] of [
      [{ status: 200, stream: new EventStream() }, true],
      [{ status: 404 }, false],
    ] as const) {
      const { incoming, onAnswer } = ask({ answer });
      incoming.end();
      await turns(5);
      expect(onAnswer.mock.calls).toEqual([[answer.status, isStream]]);
    }
  });
});

describe("a stream over node:http", () => {
  const open = async () => {
    const onGone = vi.fn();
    const stream = new EventStream({ onGone });
    const { incoming, outgoing } = ask({ answer: { status: 200, stream } });
    incoming.end();
    await turns(5);
    outgoing.done.length = 0;
    return { stream, outgoing, onGone };
  };

  it("ends, and is then not lost", async () => {
    const { stream, outgoing, onGone } = await open();
    stream.end();
    outgoing.emit("close");
    expect([outgoing.done, onGone.mock.calls.length]).toEqual([["end"], 0]);
  });

  it("is lost with its connection", async () => {
    const { stream, outgoing, onGone } = await open();
    outgoing.emit("close");
    expect([stream.isDone, onGone.mock.calls.length]).toEqual([true, 1]);
  });

  it("is given up once more than 4 MiB wait", async () => {
    const { stream, outgoing, onGone } = await open();
    outgoing.writableLength = 4 * 1024 * 1024;
    stream.send("one");
    expect(stream.isDone).toBe(false);
    outgoing.writableLength += 1;
    stream.send("two");
    expect([outgoing.done.at(-1), onGone.mock.calls.length]).toEqual(["destroy", 1]);
  });
});

describe("a request over node:http", () => {
  it("is refused before its body is read, which is then thrown away", async () => {
    const { incoming, outgoing, handled } = ask({ refused: { status: 403 } });
    expect([outgoing.done, handled, incoming.readableFlowing]).toEqual([[["writeHead", 403, undefined], "end"], [], true]);
  });

  it.each(["GET", "DELETE", undefined])("has no body where its method is %s", (method) => {
    const { handled } = ask({ method });
    expect(handled.map(({ method: seen, body }) => [seen, body.length])).toEqual([[method ?? "GET", 0]]);
  });

  it("has one value of each header", () => {
    const { handled } = ask({ method: "GET", headers: { accept: "a", "set-cookie": ["b", "c"] } });
    expect(["accept", "set-cookie", "none"].map((name) => handled[0]!.header(name))).toEqual(["a", "b", undefined]);
  });

  const refusalWith = (status: number, message: string): readonly unknown[] => {
    const body = JSON.stringify({ jsonrpc: "2.0", error: { code: -32600, message } });
    return [
      ["setHeader", "connection", "close"],
      ["writeHead", status, { "content-type": "application/json", "content-length": body.length }],
      ["end", body],
    ];
  };

  it("may have a body of so many bytes, and no more", async () => {
    const fits = ask();
    for (const piece of ["12345", "67890"]) fits.incoming.write(piece);
    fits.incoming.end();
    await turns(5);
    expect(Buffer.from(fits.handled[0]!.body).toString()).toBe("1234567890");
    for (const headers of [{}, { "content-length": "5" }] as Record<string, string>[]) {
      const { incoming, outgoing, handled } = ask({ headers });
      incoming.write("1234567890");
      incoming.write("1");
      incoming.write("2");
      incoming.end();
      await turns(5);
      expect([outgoing.done, handled]).toEqual([refusalWith(413, "The body is larger than 10 bytes."), []]);
    }
  });

  it("is refused at once where it announces too much, and its body is thrown away", async () => {
    const { outgoing, incoming } = ask({ headers: { "content-length": "11" } });
    expect(outgoing.done).toEqual(refusalWith(413, "The body is larger than 10 bytes."));
    expect(incoming.readableFlowing).toBe(true);
    expect(ask({ headers: { "content-length": "10" } }).outgoing.done).toEqual([]);
  });

  it("is refused once where its body breaks off", async () => {
    const { incoming, outgoing } = ask();
    incoming.emit("error", new Error("reset"));
    incoming.emit("error", new Error("reset"));
    expect(outgoing.done).toEqual(refusalWith(400, "The body could not be read."));
  });

  it("is answered once, also where its connection breaks after its body", async () => {
    const { incoming, outgoing } = ask();
    incoming.end("{}");
    await turns(5);
    incoming.emit("error", new Error("reset"));
    expect(outgoing.done).toEqual([["writeHead", 202, undefined], "end"]);
  });

  it("has its time for a body that does not come at once, and leaves no timer behind", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    afterThisTest(() => vi.useRealTimers());
    const whole = ask({ headers: { "content-length": "2" } });
    whole.incoming.write("{}");
    await turns(5);
    expect(vi.getTimerCount()).toBe(0);
    const slow = ask({ headers: { "content-length": "2" } });
    slow.incoming.write("{");
    await turns(5);
    expect(vi.getTimerCount()).toBe(1);
    slow.incoming.end("}");
    await turns(5);
    expect([vi.getTimerCount(), slow.handled.length]).toEqual([0, 1]);
    const late = ask();
    late.incoming.write("{");
    await turns(5);
    vi.advanceTimersByTime(499);
    expect(late.outgoing.done).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(late.outgoing.done).toEqual(refusalWith(408, "The body did not come in in time."));
    const large = ask();
    large.incoming.write("{");
    await turns(5);
    large.incoming.write("1234567890");
    await turns(5);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("the signal of a request over node:http", () => {
  const signalOn = (connection: Connection, signedIn?: AbortSignal): AbortSignal =>
    ask({ method: "GET", connection, ...(signedIn && { signedIn }) }).handled[0]!.signal;

  it("is one for each connection and sign-in", () => {
    const connection = new Connection();
    const [first, second] = [new AbortController().signal, new AbortController().signal];
    expect(signalOn(connection, first)).toBe(signalOn(connection, first));
    expect(signalOn(connection, first)).not.toBe(signalOn(connection, second));
    expect(signalOn(connection)).toBe(signalOn(connection));
    expect(signalOn(connection)).not.toBe(signalOn(new Connection()));
  });

  it("is aborted when the client goes away, or has gone", () => {
    const [open, gone] = [new Connection(), new Connection()];
    gone.destroyed = true;
    const signal = signalOn(open);
    expect(signal.aborted).toBe(false);
    open.emit("close");
    for (const one of [signal, signalOn(gone)]) expect(one.reason).toEqual(new DOMException("The client went away.", "AbortError"));
  });

  it("is aborted when the sign-in ends, with its reason", () => {
    const [connection, controller] = [new Connection(), new AbortController()];
    const signal = signalOn(connection, controller.signal);
    controller.abort(new Error("The API key was revoked."));
    expect(signal.reason).toEqual(new DOMException("The API key was revoked.", "AbortError"));
  });
});
