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

  it("replaces the connection that it has, and takes no notice when the old one ends", () => {
    const stream = new EventStream({ id: "s" });
    const [first, second] = [createSink(), createSink()];
    stream.attach(first);
    stream.attach(second, 0);
    expect(first.calls).toEqual(["end"]);
    stream.detach(first);
    stream.send("one");
    expect([stream.hasReader, dataOf(second.written), first.written.length]).toEqual([true, ["one"], 1]);
  });

  it("writes what waited once, where it cannot be taken up again", () => {
    const stream = new EventStream({ first: ": hello\n\n" });
    stream.send("one");
    const sink = createSink();
    stream.attach(sink);
    stream.attach(sink);
    expect(dataOf(sink.written)).toEqual([": hello\n\n", "one"]);
  });

  it("closes its connection, or the next one where it has none, and goes on", () => {
    const stream = new EventStream({ id: "s" });
    stream.closeConnection();
    const [first, second, third] = [createSink(), createSink(), createSink()];
    stream.attach(first);
    expect([first.calls, stream.hasReader]).toEqual([["end"], false]);
    stream.attach(second);
    expect([second.calls, stream.hasReader]).toEqual([[], true]);
    stream.closeConnection();
    expect([second.calls, stream.hasReader, stream.isDone]).toEqual([["end"], false, false]);
    stream.attach(third);
    expect(third.calls).toEqual([]);
    const plain = new EventStream();
    plain.attach(third);
    plain.closeConnection();
    expect([third.calls, plain.hasReader]).toEqual([[], true]);
  });

  it("is over once, whatever comes after its end", () => {
    const [onGone, onDone] = [vi.fn(), vi.fn()];
    const stream = new EventStream({ id: "s", onGone, onDone });
    const sink = createSink();
    stream.attach(sink);
    stream.end();
    stream.end();
    stream.giveUp();
    stream.stayAlive();
    stream.send("late");
    stream.detach(sink);
    expect([onGone.mock.calls.length, onDone.mock.calls.length, sink.calls[0]]).toEqual([0, 1, "end"]);
    expect(sink.written).toHaveLength(1);
  });

  it("that was ended without a reader is not lost where it is given up", () => {
    const [onGone, onDone] = [vi.fn(), vi.fn()];
    const stream = new EventStream({ onGone, onDone });
    stream.send("one");
    stream.end();
    expect([stream.isDone, onDone.mock.calls.length]).toEqual([false, 0]);
    stream.giveUp();
    expect([stream.isDone, onDone.mock.calls.length, onGone.mock.calls.length]).toEqual([true, 1, 0]);
    const sink = createSink();
    stream.attach(sink);
    expect(sink.written).toEqual([]);
  });

  it("keeps 8 MiB, and no more, for a reader that has not come", () => {
    const event = "event: message\ndata: \n\n".length;
    for (const [more, isDone] of [
      [0, false],
      [1, true],
    ] as const) {
      const stream = new EventStream();
      stream.send("x".repeat(8 * 1024 * 1024 - event + more));
      expect(stream.isDone).toBe(isDone);
    }
  });

  it("keeps a bounded amount for a client that is away", () => {
    const onGone = vi.fn();
    const stream = new EventStream({ id: "s", onGone });
    for (let index = 0; index < 20; index++) stream.send("x".repeat(1024 * 1024));
    expect([stream.isDone, onGone.mock.calls.length]).toEqual([true, 1]);
  });
});
