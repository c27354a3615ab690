import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { _meta, answer, events, relayTo, result } from "./_scripted.ts";

describe("an answer of several lines", () => {
  const pretty = (id: unknown): string => JSON.stringify({ jsonrpc: "2.0", id, result: { text: "a\nb" } }, undefined, 2);

  it.each([
    ["as JSON", "\n"],
    ["as JSON with Windows line ends", "\r\n"],
  ])("arrives as one line: %s", async (_name, lineEnd) => {
    const relayed = relayTo(({ message }) => answer(200, pretty(message.id).replaceAll("\n", lineEnd)));
    await relayed.ask(1, "tools/list", { _meta });
    expect(relayed.lines).toEqual(['{"jsonrpc":"2.0","id":1,"result":{"text":"a\\nb"}}']);
  });

  it("arrives as one line: as an event", async () => {
    const relayed = relayTo((request) => events(request, [`${pretty(request.message.id).replaceAll(/^/gm, "data: ")}\n\n`], "ends"));
    await relayed.ask(1, "tools/list", { _meta });
    expect(relayed.lines).toEqual(['{"jsonrpc":"2.0","id":1,"result":{"text":"a\\nb"}}']);
  });
});

describe("a refusal of the HTTP server", () => {
  it.each([
    [403, JSON.stringify({ title: "Forbidden", status: 403, detail: 'Agent "anna" may not use MCP.' }), 'Agent "anna" may not use MCP.'],
    [403, JSON.stringify({ title: "Forbidden", detail: 7 }), "status 403"],
    [502, "<h1>Bad gateway</h1>", "status 502"],
  ])("reaches the client with its reason (%i)", async (status, text, message) => {
    const relayed = relayTo(() => answer(status, text, { "content-type": "application/problem+json" }));
    expect(await relayed.ask(1, "tools/list", { _meta })).toMatchObject({
      error: { code: -32603, message: expect.stringContaining(message) },
    });
  });
});

describe("a line of the client", () => {
  const maxBytes = 10 * 1024 * 1024;

  /** A message of exactly so many bytes. */
  function messageOf(bytes: number): string {
    const text = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta, filler: "" } });
    return text.replace('"filler":""', `"filler":"${"x".repeat(bytes - text.length)}"`);
  }

  it("may have 10 MiB", async () => {
    const relayed = relayTo((request) => result(request));
    relayed.input.write(`${messageOf(maxBytes)}\n`);
    await until(() => relayed.lines.length > 0);
    expect(relayed.messages()).toMatchObject([{ id: 1, result: {} }]);
  });

  it.each([
    ["before it has ended", ""],
    ["that has ended", "\n"],
  ])("over 10 MiB, %s, is answered with -32700, and is not sent", async (_name, lineEnd) => {
    const relayed = relayTo((request) => result(request));
    relayed.input.end(`${messageOf(maxBytes + 1)}${lineEnd}`);
    await relayed.done;
    expect(relayed.messages()).toMatchObject([{ error: { code: -32700, message: expect.stringContaining(String(maxBytes)) } }]);
    expect(relayed.sent).toEqual([]);
  });
});
