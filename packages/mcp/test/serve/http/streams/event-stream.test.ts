import { describe, expect, it, vi } from "vitest";
import { type EventSink, EventStream } from "../../../../src/serve/http/streams/event-stream.ts";

/** A connection that remembers what was written, and is full after so many texts. */
function createSink(room = Number.POSITIVE_INFINITY): EventSink & { written: string[]; calls: string[] } {
  const written: string[] = [];
  const calls: string[] = [];
  return {
    written,
    calls,
    write: (text) => written.push(text) <= room,
    end: () => void calls.push("end"),
    giveUp: () => void calls.push("giveUp"),
  };
}

const dataOf = (texts: readonly string[]): string[] => texts.map((text) => /^data: (.*)$/m.exec(text)?.[1] ?? text);

describe("a stream of events", () => {
  it("keeps what is said before a connection is there, and ends with the last word", () => {
    const onDone = vi.fn();
    const stream = new EventStream({ onDone, finalMessage: () => "bye" });
    stream.send("one");
    const sink = createSink();
    stream.attach(sink);
    stream.send("two");
    stream.end();
    stream.send("three");
    expect(dataOf(sink.written)).toEqual(["one", "two", "bye"]);
    expect([sink.calls, onDone.mock.calls.length, stream.isDone]).toEqual([["end"], 1, true]);
  });

  it("gives up a reader who lets too much pile up, and says so", () => {
    const onGone = vi.fn();
    const stream = new EventStream({ onGone });
    const sink = createSink(2);
    stream.attach(sink);
    for (const text of ["one", "two", "three", "four"]) stream.send(text);
    expect(dataOf(sink.written)).toEqual(["one", "two", "three"]);
    expect([sink.calls, onGone.mock.calls.length]).toEqual([["giveUp"], 1]);
  });

  it("is over when its connection is, unless it can be taken up again", () => {
    const onGone = vi.fn();
    const sink = createSink();
    const plain = new EventStream({ onGone });
    plain.attach(sink);
    plain.detach(sink);
    expect([plain.isDone, onGone.mock.calls.length]).toEqual([true, 1]);
    const lasting = new EventStream({ id: "s", onGone });
    lasting.attach(sink);
    lasting.detach(sink);
    expect([lasting.isDone, lasting.hasReader, onGone.mock.calls.length]).toEqual([false, false, 1]);
  });

  it("goes on for the next connection after the last event that was seen, and repeats nothing", () => {
    const stream = new EventStream({ id: "s" });
    const first = createSink();
    stream.attach(first);
    stream.send("one");
    stream.send("two");
    stream.detach(first);
    stream.send("three");
    stream.end();
    const second = createSink();
    stream.attach(second, 1);
    expect(first.written[0]).toBe("id: s_0\nretry: 1000\ndata: \n\n");
    expect(dataOf(first.written.slice(1))).toEqual(["one", "two"]);
    expect(dataOf(second.written)).toEqual(["two", "three"]);
    expect(stream.isDone).toBe(true);
  });

  it("keeps a bounded amount for a client that is away", () => {
    const onGone = vi.fn();
    const stream = new EventStream({ id: "s", onGone });
    for (let index = 0; index < 20; index++) stream.send("x".repeat(1024 * 1024));
    expect([stream.isDone, onGone.mock.calls.length]).toEqual([true, 1]);
  });
});
