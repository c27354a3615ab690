import { describe, expect, it } from "vitest";
import { toReply } from "../../../src/http/reply/answer.ts";
import { Problem } from "../../../src/http/reply/problem.ts";
import type { OpenRequest } from "../../../src/http/request/open-request.ts";
import type { RequestServices } from "../../../src/http/request/services.ts";
import type { Route, RouteAnswer, StreamEvent } from "../../../src/http/route.ts";
import type { WholeReply } from "../../../src/http/transport/exchange.ts";

interface Opened {
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly checkAnswers?: boolean;
  /** Why the request is over before it is answered. */
  readonly gone?: Error;
}

interface Replied {
  readonly reply: WholeReply;
  readonly text: () => Promise<string>;
  /** What happened to the request and to the stream that it counts as. */
  readonly events: string[];
  readonly logged: unknown[];
}

function replyTo(answer: RouteAnswer, answers: Route["answers"] = {}, options: Opened = {}): Replied {
  const { headers = {}, method = "GET", checkAnswers = true, gone } = options;
  const events: string[] = [];
  const logged: unknown[] = [];
  const services = {
    checkAnswers,
    limits: { answerBytes: 1_000 },
    streams: { enter: (principal: string) => (events.push(`${principal} enters`), () => events.push("leaves")) },
    rack: { log: { error: (message: string, fields: object) => logged.push([message, fields]) } },
  } as unknown as RequestServices;
  let listener: ((reason: Error) => void) | undefined;
  const open = {
    method,
    identity: { principal: "key ada" },
    header: (name: string) => headers[name],
    end: () => events.push("answered"),
    onGone(listen: (reason: Error) => void) {
      listener = listen;
      if (gone !== undefined) listen(gone);
    },
    abort(reason: Error) {
      events.push(reason.message);
      listener?.(reason);
    },
  } as unknown as OpenRequest;
  const reply = toReply(answer, { route: { id: "GET /x", answers } as Route, services, open, traceContext: undefined });
  return { reply, events, logged, text: () => new Response(reply.body as ReadableStream).text() };
}

const number = { 200: { description: "A number.", schema: { type: "number" } } } as const;
const text = { 200: { description: "A text.", contentType: "text/plain" } } as const;

describe("the answer of a route", () => {
  it("is sent with its status: 200 with a body, 204 without", () => {
    const none = { 204: { description: "Nothing." } };
    expect(replyTo({ body: 1 }, number).reply).toMatchObject({ status: 200, body: "1" });
    expect(replyTo({ body: undefined }, none).reply).toMatchObject({ status: 204 });
    const plain = replyTo({ text: "a", contentType: "text/plain; charset=utf-8" }, text);
    expect(plain.reply).toMatchObject({ status: 200, body: "a" });
    expect(plain.events).toEqual(["answered"]);
  });

  it.each<[string, RouteAnswer, Route["answers"]]>([
    ["answers 201, which it does not declare", { status: 201, body: 1 }, number],
    ["answers text/html, which it does not declare for 200", { text: "a", contentType: "text/html" }, text],
    ["answers text/plain, which it does not declare for 200", { text: "a", contentType: "text/plain" }, number],
    ["answers 200 with a body that it does not declare", { body: 1 }, { 200: { description: "Nothing." } }],
    ["answers 200 with", { body: "one" }, number],
    ["answers 204, which it does not declare", { body: undefined }, number],
    ["answers 200 with", { status: 200, body: undefined }, number],
  ])("is compared with what the route declares: GET /x %s", (fault, answer, answers) => {
    expect(() => replyTo(answer, answers)).toThrow(`GET /x ${fault}`);
    expect(() => replyTo(answer, answers, { checkAnswers: false })).not.toThrow();
  });

  it("is not sent again to a client that has it, whichever of its copies that is", () => {
    const answer = { body: 1, headers: { etag: '"2"' } };
    const statusFor = (known: string): number => replyTo(answer, number, { headers: { "if-none-match": known } }).reply.status;
    for (const known of ['"2"', 'W/"2"', '"1", W/"2"']) expect(statusFor(known), known).toBe(304);
    for (const known of ['"1"', '"22"', "2"]) expect(statusFor(known), known).toBe(200);
    const kept = { etag: '"2"', "cache-control": "private, no-cache", vary: "authorization" };
    expect(replyTo(answer, number).reply.headers).toMatchObject(kept);
    expect(replyTo(answer, number, { headers: { "if-none-match": '"2"' } }).reply.headers).toMatchObject(kept);
    expect(replyTo({ body: 1 }, number, { headers: { "if-none-match": '"2"' } }).reply.headers["cache-control"]).toBe("no-store");
  });

  it("may be as large as the limit, and no larger", () => {
    const answers = { 200: { description: "A text.", schema: { type: "string" } } } as const;
    expect(replyTo({ body: "x".repeat(998) }, answers).reply.status).toBe(200);
    expect(() => replyTo({ body: "x".repeat(999) }, answers)).toThrow("larger than 1000 bytes");
  });
});

describe("a stream as an answer", () => {
  async function* failing(error: Error): AsyncGenerator<StreamEvent> {
    yield { event: "a", data: 1 };
    throw error;
  }

  it("counts as one of its caller until it ends", async () => {
    async function* some(): AsyncGenerator<StreamEvent> {
      yield { event: "a", data: 1 };
    }
    const { text, events, reply } = replyTo({ events: some() });
    expect(reply.status).toBe(200);
    expect(events).toEqual(["key ada enters"]);
    expect(await text()).toContain("event: a\ndata: 1\n\n");
    expect(events).toEqual(["key ada enters", "The stream ended.", "leaves"]);
  });

  it("ends with an error event: a problem in its own words, anything else only in the log", async () => {
    const known = replyTo({ events: failing(new Problem(409, "ALREADY_THERE", "It is there.")) });
    expect(await known.text()).toMatch(/event: error\ndata: \{.*"detail":"It is there\.","code":"ALREADY_THERE"\}\n\n$/);
    expect(known.logged).toEqual([]);
    const error = new Error("hunter2");
    const unknown = replyTo({ events: failing(error) });
    expect(await unknown.text()).toMatch(/event: error\ndata: \{(?!.*hunter2).*"code":"INTERNAL".*\}\n\n$/);
    expect(unknown.logged).toEqual([["A stream failed.", { error }]]);
  });

  it("is not begun for HEAD, nor for a client that has left", () => {
    for (const options of [{ method: "HEAD" }, { gone: new Error("The client went away.") }]) {
      const { reply, events } = replyTo({ events: failing(new Error("unused")) }, {}, options);
      expect(reply.body).toBeUndefined();
      expect(events).toContain("leaves");
      expect(events).toContain("The stream ended.");
    }
  });
});
