import { describe, expect, it } from "vitest";
import { ToolError } from "../../../src/errors.ts";
import { defineProvider } from "../../../src/providers/define-provider.ts";
import { providerFor, type ProviderTarget, providerTargets } from "../../../src/providers/providers.ts";
import { readCalls } from "../../../src/providers/wire/calls.ts";
import { exportTools } from "../../../src/providers/wire/export.ts";
import { toolNamed } from "../tools.ts";
import { replyFixtures } from "./replies.ts";
import { textReplies } from "./replies/text.ts";

/** The message of the refusal, or undefined where the reply was read. */
function refusal(reply: unknown, source: Parameters<typeof readCalls>[1]): string | undefined {
  try {
    readCalls(reply, source);
    return undefined;
  } catch (error) {
    expect(ToolError.is(error)).toBe(true);
    expect((error as ToolError).code).toBe("REPLY_INVALID");
    return (error as ToolError).message;
  }
}

/** Vendors with one wire format read each other's replies. */
const families: readonly (readonly ProviderTarget[])[] = [
  ["anthropic", "anthropic-strict"],
  ["openai", "openai-responses", "openai-strict"],
  ["openai-chat", "deepseek", "xai", "openrouter", "groq", "mistral"],
  ["cohere"],
  ["ollama"],
  ["gemini", "gemini-openapi"],
  ["bedrock"],
  ["generic"],
];
const familyOf = (target: string): readonly string[] => families.find((family) => family.some((name) => name === target))!;

const forms = replyFixtures.flatMap(({ target, whole, streamed }) => [
  { target, form: "whole", reply: whole },
  ...(streamed === undefined ? [] : [{ target, form: "streamed", reply: streamed }]),
]);

describe.each(providerTargets)("readCalls for %s", (asked) => {
  it.each(forms)("never answers that a $form reply of $target holds no calls", ({ target, reply }) => {
    const message = refusal(reply, asked);
    if (message === undefined) return void expect(readCalls(reply, asked).map(({ name }) => name)).toEqual(["weather", "files_read"]);
    expect(message).toContain(`"${asked}"`);
    const [, named] = /looks like one of "([^"]+)"\. Use readCalls\(reply, "\1"\)/.exec(message) ?? [];
    expect(familyOf(target)).toContain(named);
  });

  it.each(textReplies)("reads a $form of $target without calls only if it is of its own kind", ({ target, reply }) => {
    const message = refusal(reply, asked);
    expect(message === undefined).toBe(familyOf(target).includes(asked));
  });

  it.each([
    [undefined, "is undefined. Pass what the vendor answered."],
    [null, "is null."],
    ["Hello", "is text. Pass the whole reply instead of its text"],
    ['{"content":[]}', "parse it first if it is still JSON"],
    [5, "is a number. Pass the whole reply as the vendor sent it"],
    [{}, "is an empty object."],
    [[null, 1, "x"], "is a list without events of that vendor."],
    [{ answer: 1, b: 2 }, 'is an object with "answer", "b".'],
    [Promise.resolve({}), "is a promise. Await it."],
    [(async function* () {})(), "is a stream. Collect its events in a list"],
    [{ stream: (async function* () {})() }, "is a stream."],
    [new Response("{}"), "is an HTTP response. Pass its body: await response.json()."],
    [{ content: null, choices: 3, output: "x", candidates: 7, message: [] }, 'is an object with "content", "choices"'],
    [[{ type: { toString: 1 }, index: { toString: 1 }, output_index: { toString: 1 } }], "is a list"],
  ])("refuses %j and says what it is", (reply, fact) => {
    const message = refusal(reply, asked);
    expect(message).toContain(`readCalls was asked for a reply of "${asked}", and this`);
    expect(message).toContain(fact);
    expect(message).not.toContain("sk-secret");
  });

  it("takes an empty list for a stream that has not begun", () => {
    expect(readCalls([], asked)).toEqual([]);
  });
});

describe("a stream", () => {
  const streams = replyFixtures.filter(({ streamed }) => streamed !== undefined);

  it.each(streams)("of $target is read at every point", ({ target, streamed = [] }) => {
    for (let length = 0; length <= streamed.length; length++) expect(refusal(streamed.slice(0, length), target)).toBeUndefined();
  });

  it("of which only one event was handed over is refused", () => {
    expect(refusal({ type: "message_start", message: { id: "m" } }, "anthropic")).toContain('one event of a stream of "anthropic"');
    expect(refusal({ choices: [{ index: 0, delta: { content: "Hi" } }] }, "openai-chat")).toContain(
      'one event of a stream of "openai-chat"',
    );
    expect(refusal({ choices: [{ index: 0, delta: { content: "Hi" } }] }, "gemini")).toContain('one event of a stream of "openai-chat"');
  });
});

it("a reply for tools that were exported for another vendor names both", () => {
  const exported = exportTools([toolNamed("weather")], "openai-chat");
  const reply = { type: "message", role: "assistant", content: [{ type: "tool_use", id: "1", name: "weather", input: {} }] };
  expect(refusal(reply, exported)).toBe(
    'readCalls was asked for a reply of "openai-chat", and this looks like one of "anthropic". Use readCalls(reply, "anthropic"), or give it the tools that were exported for "anthropic".',
  );
});

it("a provider that does not tell replies apart takes every value for one", () => {
  const { isReply: _, ...wire } = providerFor("openai-chat").wire;
  const acme = defineProvider({ ...providerFor("openai-chat"), name: "acme", wire });
  expect(readCalls("text", acme)).toEqual([]);
  expect(refusal("text", defineProvider({ ...providerFor("openai-chat"), name: "other" }))).toContain('a reply of "other"');
});
