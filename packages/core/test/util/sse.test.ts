import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEventReader, type ServerSentEvent, toEventText } from "../../src/util/sse.ts";

/** All events of a text, given in pieces of this size. */
function read(text: string, size = text.length): ServerSentEvent[] {
  const take = createEventReader();
  const events: ServerSentEvent[] = [];
  for (let at = 0; at < text.length; at += size) events.push(...take(text.slice(at, at + size)));
  return events;
}

describe("the reader of server-sent events", () => {
  it.each([
    ["an event with its id and name", "id: 3\nevent: call-end\ndata: 1\n\n", [{ id: "3", event: "call-end", data: "1" }]],
    ["data on several lines", "data: a\ndata: b\n\n", [{ event: "message", data: "a\nb" }]],
    ["no space after the colon", "event:x\ndata:1\n\n", [{ event: "x", data: "1" }]],
    ["one space of two", "data:  1\n\n", [{ event: "message", data: " 1" }]],
    ["a field without a colon", "data\n\n", [{ event: "message", data: "" }]],
    ["lines that end with \\r\\n", "event: x\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n", [{ event: "x", data: "1" }, { event: "message", data: "2" }]], // oxfmt-ignore
    ["lines that end with \\r", "event: x\rdata: 1\r\r", [{ event: "x", data: "1" }]],
    ["lines that end in different ways", "data: 1\n\r\ndata: 2\r\n\ndata: 3\r\r\n", [{ event: "message", data: "1" }, { event: "message", data: "2" }, { event: "message", data: "3" }]], // oxfmt-ignore
    ["a byte order mark", "\uFEFFdata: 1\n\n", [{ event: "message", data: "1" }]],
    [
      "comments, other fields and events without data",
      ": hello\n\nretry: 10\n\nevent: x\n\ndata: 1\n\n",
      [{ event: "message", data: "1" }],
    ],
    ["an event that has not ended", "data: 1\n", []],
    ["an id that belongs to the event before", "id: 1\ndata: a\n\ndata: b\n\n", [{ id: "1", event: "message", data: "a" }, { event: "message", data: "b" }]], // oxfmt-ignore
  ])("reads %s, in whatever pieces it comes", (_name, text, events) => {
    for (const size of [1, 2, 3, 100]) expect(read(text, size)).toEqual(events);
  });

  it("leaves out a byte order mark at the beginning of the stream only", () => {
    const take = createEventReader();
    expect(["\uFEFFdata: ", "\uFEFF1\n\n"].flatMap(take)).toEqual([{ event: "message", data: "\uFEFF1" }]);
  });

  it("reads what is written", () => {
    const lineOf = fc.string().map((text) => text.replaceAll(/[\r\n]/g, ""));
    const name = lineOf.filter((text) => text !== "");
    const data = fc.array(lineOf, { minLength: 1 }).map((lines) => lines.join("\n"));
    const event = fc.record({ id: lineOf, event: name, data }, { requiredKeys: ["event", "data"] });
    fc.assert(
      fc.property(fc.array(event), fc.integer({ min: 1, max: 20 }), (events, size) => {
        expect(read(events.map(toEventText).join(""), size)).toEqual(events);
      }),
    );
  });
});

describe("the text of an event", () => {
  it("has no other fields than those it was given: an id or a name of several lines is refused", () => {
    for (const wrong of ["1\ndata: forged", "1\rdata: forged", "1\r\n\r\n", "1\0"]) {
      expect(() => toEventText({ id: wrong, event: "x", data: "1" })).toThrow(/^The id of an event must be one line/);
      expect(() => toEventText({ id: "1", event: wrong, data: "1" })).toThrow(/^The name of an event must be one line/);
    }
  });

  it("keeps data with any kind of line break together", () => {
    expect(read(toEventText({ event: "x", data: "a\rb\r\nc\n\nevent: y" }))).toEqual([{ event: "x", data: "a\nb\nc\n\nevent: y" }]);
  });
});
