import { describe, expect, it } from "vitest";
import { limitEvents, requestId, streamEnded } from "../../../src/upstream/http/limit-body.ts";

const sent = '{"jsonrpc":"2.0","id":7,"method":"tools/call"}';
const answer = 'data: {"jsonrpc":"2.0","id":7,"result":{}}\n\n';

/** A stream of these pieces, which ends, or breaks off. */
function stream(pieces: readonly string[], error?: Error) {
  const left = pieces.map((piece) => new TextEncoder().encode(piece));
  let cancelled: unknown = "no";
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = left.shift();
      if (next !== undefined) controller.enqueue(next);
      else if (error !== undefined) controller.error(error);
      else controller.close();
    },
    cancel: (reason) => void (cancelled = reason),
  });
  return { body, cancelled: () => cancelled };
}

async function read(
  pieces: readonly string[],
  { error, body = sent, maxBytes = 1_000 }: { error?: Error; body?: string; maxBytes?: number } = {},
) {
  return new Response(limitEvents(stream(pieces, error).body, { maxBytes, host: "example.com", sent: body })).text();
}

const errorIn = (text: string): { id: number; error: { code: number; message: string } } =>
  JSON.parse(/^data: (.*"error".*)$/m.exec(text)![1]!);

describe("the event stream of a server", () => {
  it("comes through event by event, in whatever pieces it was sent", async () => {
    for (const pieces of [[answer], [answer.slice(0, 5), answer.slice(5)], [answer.slice(0, -1), "\n"], [...answer]]) {
      const text = await read(["id: 1\ndata: \n\n", ...pieces]);
      expect(text).toContain(answer.trim());
      expect(text).not.toContain("error");
    }
  });

  it("that ends without an answer is answered in its place, unless it can be resumed", async () => {
    for (const pieces of [[], [": hello\n\n"], ['data: {"half":']]) {
      expect(errorIn(await read(pieces))).toEqual({
        jsonrpc: "2.0",
        id: 7,
        error: { code: streamEnded, message: "example.com ended the stream without an answer." },
      });
    }
    for (const first of ["id: 1\ndata: \n\n", "data: \nid: 1\n\n"]) expect(await read([first])).not.toContain("error");
    expect(await read([": the id: 1\n\n"])).toContain("error");
    expect(await read([": hello\n\n"], { body: '{"method":"notifications/x"}' })).not.toContain("error");
  });

  it("that breaks off is answered in its place, unless it can be resumed or nobody waits", async () => {
    const error = new Error("reset");
    expect(errorIn(await read([": hello\n\n"], { error })).error).toEqual({
      code: -32_091,
      message: "example.com broke the stream off before the answer.",
    });
    await expect(read(["id: 1\ndata: \n\n"], { error })).rejects.toThrow("reset");
    await expect(read([": hello\n\n"], { error, body: "{}" })).rejects.toThrow("reset");
  });

  it("may be of any length, but none of its events", async () => {
    const event = `data: ${"x".repeat(50)}\n\n`;
    expect(
      await read(
        Array.from({ length: 50 }, () => event),
        { maxBytes: 100, body: "{}" },
      ),
    ).toContain(event.trim());
    expect(await read(["x".repeat(100), "\n\n"], { maxBytes: 102, body: "{}" })).toContain("x".repeat(100));
    expect(await read(["id: 1\n\n", "x".repeat(102)], { maxBytes: 102 })).not.toContain("error");
    const long = await read([event, "data: ", "x".repeat(100)], { maxBytes: 100 });
    expect(errorIn(long).error.message).toBe("example.com sent an event of more than 100 bytes.");
    const { body, cancelled } = stream(["x".repeat(101), "more"]);
    await new Response(limitEvents(body, { maxBytes: 100, host: "example.com", sent })).text();
    expect(cancelled()).toBeUndefined();
  });

  it("is cancelled with its reader", async () => {
    const { body, cancelled } = stream([answer]);
    await limitEvents(body, { maxBytes: 100, host: "example.com", sent }).cancel("gone");
    expect(cancelled()).toBe("gone");
  });

  it("belongs to the request whose id is a number", () => {
    expect(requestId(sent)).toBe(7);
    for (const other of [undefined, "", "{", "null", "5", "[]", "{}", '{"id":"7"}']) expect(requestId(other)).toBeUndefined();
  });
});
