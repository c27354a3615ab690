import { secretForms, secretsToHide } from "@toolrack/testkit/secret-forms";
import { createRegistry } from "@toolrack/core";
import { expect, it } from "vitest";
import { createScrubber } from "../../../src/upstream/credentials/scrub.ts";
import { httpServer, sourceOf } from "../upstreams.ts";

const cases = secretsToHide.flatMap((secret) => Object.keys(secretForms).map((form) => [form, secret] as const));

it.each(cases)("S28: a credential leaves in no answer and no error of its server: %s of %j", (form, secret) => {
  const text = secretForms[form]!(secret);
  const scrub = createScrubber([]);
  scrub.learn([secret]);
  const error = scrub.error(new Error(text, { cause: new Error(text) }));
  const parts = [
    scrub.text(text),
    JSON.stringify(scrub.value({ [text]: [text] })),
    error.message,
    error.stack,
    (error.cause as Error).message,
  ];
  for (const part of parts) {
    expect(part).toContain("[redacted]");
    expect(part).not.toContain(text);
  }
});

it("S28: an error that is cut in the middle of a credential tells no part of it", async () => {
  const token = "t0k3n-0123456789-abcdefghij";
  const server = await httpServer({
    json: true,
    before(_request, response, body) {
      const { id, method } = (body === "" ? {} : JSON.parse(body)) as { id?: number; method?: string };
      if (method !== "tools/call") return false;
      const message = `${"x".repeat(1_000 - token.length + 1)}${token}`;
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_000, message } }));
      return true;
    },
  });
  const registry = createRegistry();
  await registry.addSource(sourceOf({ name: "hand", url: server.url, allowHosts: [server.host], headers: { authorization: token } }));
  const result = await registry.invoke("hand__echo", { text: "x" });
  expect(result.ok).toBe(false);
  expect(JSON.stringify(result)).not.toContain(token.slice(0, 8));
});

it("S28: an error whose message cannot be changed is replaced where it holds a credential, and else stays", () => {
  const scrub = createScrubber(["t0k3n-0123456789"]);
  const timedOut = new DOMException("Timed out", "TimeoutError");
  expect(scrub.error(timedOut)).toBe(timedOut);
  const told = scrub.error(new DOMException("t0k3n-0123456789 is late", "TimeoutError"));
  expect(told).toMatchObject({ name: "TimeoutError", message: "[redacted] is late" });
  const caused = scrub.error(new Error("late", { cause: new DOMException("t0k3n-0123456789 is late", "TimeoutError") }));
  expect(caused.cause).toMatchObject({ name: "TimeoutError", message: "[redacted] is late" });
});

it("a list that does not come in time is told as that", async () => {
  const server = await httpServer({ before: (_request, _response, body) => body.includes('"tools/list"') });
  const registry = createRegistry();
  await registry.addSource(sourceOf({ name: "hand", url: server.url, allowHosts: [server.host], listTimeoutMs: 300 }));
  expect(registry.sources()).toMatchObject([{ state: "failed", error: 'MCP server "hand" did not answer in time.' }]);
});

it("S28: the credentials of the start are kept for ever, of those that come later the last two hundred", () => {
  const fixed = "t0k3n-of-the-start";
  const later = Array.from({ length: 201 }, (_, index) => `t0k3n-that-came-later-${1_000 + index}`);
  const scrub = createScrubber([fixed]);
  scrub.learn(later.slice(0, 200));
  expect(scrub.text(later[0]!)).toBe("[redacted]");
  scrub.learn([fixed, later[1]!, later[200]!]);
  expect([fixed, later[0]!, later[1]!, later[200]!].map((text) => scrub.text(text))).toEqual([
    "[redacted]",
    later[0],
    "[redacted]",
    "[redacted]",
  ]);
});

it("S28: an error is cleaned with its data and its causes, as deep as errors go", () => {
  const token = "t0k3n-0123456789";
  const scrub = createScrubber([token]);
  let error = new Error(`${token} 0`);
  for (let depth = 1; depth < 9; depth++)
    error = Object.assign(new Error(`${token} ${depth}`, { cause: error }), { data: { said: token } });
  const cleaned: unknown[] = [];
  for (let one = scrub.error(error) as Error & { data?: unknown }; one !== undefined; one = one.cause as typeof one)
    cleaned.push(one.message.includes(token), JSON.stringify(one.data ?? "").includes(token), one.stack!.includes(token));
  expect(cleaned.slice(0, 8 * 3)).not.toContain(true);
  expect(cleaned.slice(8 * 3)).toEqual([true, false, true]);
  const bare = new Error(token);
  delete bare.stack;
  expect(Object.keys(scrub.error(bare))).not.toContain("data");
  expect(scrub.error("no error")).toBe("no error");
});
