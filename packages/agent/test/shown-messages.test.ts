import type { Message, StoredMessage } from "@toolrack/agent";
import { describe, expect, it } from "vitest";
import { boundOf, costOf } from "../src/context/cost.ts";
import { shownMessages, shownSoFar } from "../src/context/shown-messages.ts";

const meta = { callId: "c", tool: "page", durationMs: 1 };
const result = (length: number): Message => ({ role: "tool", results: [{ ok: true, content: "x".repeat(length), meta }] });
const said = (content: string): Message => ({ role: "user", content, from: { kind: "person" } });

/** Every third message is a long result, and now and then a summary stands for what was before. */
function nextMessage(seq: number): Message {
  if (seq % 11 === 0) return { role: "summary", content: `Up to ${seq - 4}.`, upTo: seq - 4 };
  return seq % 3 === 0 ? result(1_000) : said(`Message ${seq}.`);
}

describe("what is shown of a list that grows", () => {
  it("is at every length what is shown of it as a whole: after a summary, after results are shown in short", () => {
    const stored: StoredMessage[] = [];
    for (let seq = 1; seq <= 60; seq++) {
      stored.push({ session: "s", seq, at: 0, message: nextMessage(seq) });
      const options = { shortenedUpTo: Math.floor(seq / 20) * 15, maxResult: 800 };
      const { messages, bound } = shownSoFar(stored, options);
      expect(messages).toEqual(shownMessages([...stored], options));
      expect(bound).toBeGreaterThanOrEqual(messages.reduce((sum, message) => sum + costOf(message), 0));
    }
  });

  it("is a list of its own each time, so that what was sent does not grow", () => {
    const stored: StoredMessage[] = [{ session: "s", seq: 1, at: 0, message: said("a") }];
    const options = { shortenedUpTo: 0, maxResult: 800 };
    const first = shownSoFar(stored, options).messages;
    stored.push({ session: "s", seq: 2, at: 0, message: said("b") });
    expect([first.length, shownSoFar(stored, options).messages.length]).toEqual([1, 2]);
  });
});

it.each([
  ["a text", said("Äpfel, 苹果 und 🍎: 12,345.67 {}[]\n\n")],
  ["many marks", said("?!,.;:".repeat(50))],
  [
    "a small image",
    { role: "tool", results: [{ ok: true, content: "", blocks: [{ type: "image", data: "aGk=", mimeType: "image/png" }], meta }] },
  ],
  ["a text about data", said('{"data":"x"}')],
] as readonly (readonly [string, Message])[])("costs no more than its bound: %s", (_, message) => {
  expect(boundOf(message)).toBeGreaterThanOrEqual(costOf(message));
});
