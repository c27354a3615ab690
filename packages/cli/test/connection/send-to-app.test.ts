import type { App, HttpRequest } from "@toolrack/server/local";
import { expect, it } from "vitest";
import { sendToApp } from "../../src/connection/send-to-app.ts";
import type { Answered, SentRequest } from "../../src/connection/send.ts";

type AppReply = Awaited<ReturnType<App["answer"]>>;

const request = (more: Partial<SentRequest> = {}): SentRequest => ({
  method: "POST",
  path: "/api/v1/tools/a/call",
  query: "x=1",
  headers: { accept: "application/json" },
  body: undefined,
  signal: undefined,
  ...more,
});

/** The request as the app sees it, and the answer as the command sees it. */
async function sent(
  more: Partial<SentRequest> = {},
  reply: AppReply = { status: 200, headers: {} },
): Promise<readonly [HttpRequest, Answered]> {
  let seen: HttpRequest | undefined;
  const app = { answer: async (given: HttpRequest) => ((seen = given), reply) } as unknown as App;
  const answered = await sendToApp(app, "http://127.0.0.1:7333")(request(more));
  return [seen!, answered];
}

it("a request arrives at an app in the same process as it would from this machine", async () => {
  const [seen] = await sent();
  expect(seen).toMatchObject({
    id: `cli-${process.pid}`,
    method: "POST",
    path: "/api/v1/tools/a/call",
    query: "x=1",
    origin: "http://127.0.0.1:7333",
    remoteAddress: "127.0.0.1",
    hasBody: false,
  });
  expect(seen.headerNames()).toEqual(["host", "accept"]);
  expect(["host", "accept", "authorization", "constructor"].map((name) => seen.header(name))).toEqual([
    "127.0.0.1",
    "application/json",
    undefined,
    undefined,
  ]);
});

it("a body is read up to a size", async () => {
  const bodyOf = async (body: string | undefined, maxBytes: number): Promise<string> => {
    const [seen] = await sent({ body });
    return new Promise((resolve) => seen.readBody(maxBytes, (bytes) => resolve(Buffer.from(bytes).toString()), resolve));
  };
  expect((await sent({ body: "{}" }))[0].hasBody).toBe(true);
  expect(await bodyOf("größer", 8)).toBe("größer");
  expect(await bodyOf("größer", 7)).toBe("too-large");
  expect(await bodyOf(undefined, 0)).toBe("");
});

it("a command that ends tells the app, whether it ends before or after it is asked", async () => {
  const stop = new AbortController();
  const [seen] = await sent({ signal: stop.signal });
  const told: string[] = [];
  seen.onLeave(() => told.push("listening"));
  expect(told).toEqual([]);
  stop.abort();
  seen.onLeave(() => told.push("later"));
  expect(told).toEqual(["listening", "later"]);
  const [unsignalled] = await sent();
  expect(() => unsignalled.onLeave(() => told.push("never"))).not.toThrow();
});

it.each<[string, AppReply["body"] | undefined, string]>([
  ["text", "äb", "äb"],
  ["bytes", new TextEncoder().encode("äb"), "äb"],
  ["a stream", new Response("äb").body!, "äb"],
  ["nothing", undefined, ""],
])("an answer that is %s is read as text", async (_kind, body, text) => {
  const reply = { status: 201, headers: { "content-type": "text/plain" }, ...(body !== undefined && { body }) };
  const [, answered] = await sent({}, reply);
  expect(answered).toMatchObject({ status: 201, contentType: "text/plain", isToolrack: true });
  expect(await answered.text()).toBe(text);
  expect((await sent())[1].contentType).toBe("");
});

it("an answer is followed only if it is a stream", async () => {
  const body = new Response("a").body!;
  expect((await sent({}, { status: 200, headers: {}, body }))[1].stream()).toBe(body);
  expect((await sent({}, { status: 200, headers: {}, body: "a" }))[1].stream()).toBeUndefined();
});
