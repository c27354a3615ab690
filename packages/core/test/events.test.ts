import fc from "fast-check";
import { cpuTime } from "@toolrack/testkit/cpu-time";
import { describe, expect, it } from "vitest";
import { createEventLog, type EventBody, type EventLog, type ToolEvent } from "../src/events.ts";

const added = (tool: string): EventBody => ({ type: "tool-added", tool, source: "code" });

function createLog(): { log: EventLog; errors: unknown[]; time: { now: number } } {
  const errors: unknown[] = [];
  const time = { now: 0 };
  return { log: createEventLog({ now: () => time.now, onListenerError: (error) => void errors.push(error) }), errors, time };
}

/** A listener that notes the tools of the events it was told. */
function noting(): { heard: string[]; listener: (event: ToolEvent) => void } {
  const heard: string[] = [];
  return { heard, listener: (event) => void ("tool" in event && heard.push(event.tool)) };
}

describe("createEventLog", () => {
  it("tells every listener each event once, with its number and its time", () => {
    const { log, time } = createLog();
    const events: ToolEvent[] = [];
    const other = noting();
    log.subscribe((event) => void events.push(event));
    log.subscribe(other.listener);
    time.now = 5;
    log.emit(added("a"));
    time.now = 7;
    log.emit(added("b"));
    expect(events).toEqual([
      { type: "tool-added", tool: "a", source: "code", sequence: 1, time: 5 },
      { type: "tool-added", tool: "b", source: "code", sequence: 2, time: 7 },
    ]);
    expect(other.heard).toEqual(["a", "b"]);
  });

  it("tells a listener that subscribed twice once", () => {
    const { log } = createLog();
    const { heard, listener } = noting();
    log.subscribe(listener);
    log.subscribe(listener);
    log.emit(added("a"));
    expect(heard).toEqual(["a"]);
    log.unsubscribe(listener);
    expect(log.hasListeners).toBe(false);
  });

  it("tells a listener nothing after it left, and takes one that never came", () => {
    const { log } = createLog();
    const { heard, listener } = noting();
    log.subscribe(listener);
    log.emit(added("a"));
    log.unsubscribe(listener);
    log.unsubscribe(() => {});
    log.emit(added("b"));
    expect(heard).toEqual(["a"]);
  });

  it("tells a listener that left during an event not even that event", () => {
    const { log } = createLog();
    const { heard, listener } = noting();
    log.subscribe(() => log.unsubscribe(listener));
    log.subscribe(listener);
    log.emit(added("a"));
    expect(heard).toEqual([]);
  });

  it("tells a listener that came during an event only the ones that follow", () => {
    const { log } = createLog();
    const { heard, listener } = noting();
    log.subscribe(() => log.subscribe(listener));
    log.emit(added("a"));
    log.emit(added("b"));
    expect(heard).toEqual(["b"]);
  });

  it("delivers what a listener causes after the event it is looking at, to all in one order", () => {
    const { log } = createLog();
    const steps: string[] = [];
    log.subscribe((event) => {
      if (!("tool" in event)) return;
      steps.push(`first ${event.tool}`);
      if (event.tool === "a") log.emit(added("b"));
      steps.push(`first done ${event.tool}`);
    });
    log.subscribe((event) => void ("tool" in event && steps.push(`second ${event.tool}`)));
    log.emit(added("a"));
    expect(steps).toEqual(["first a", "first done a", "second a", "first b", "first done b", "second b"]);
  });

  it("goes on to the other listeners, and to the next event, after one throws", () => {
    const { log, errors } = createLog();
    const { heard, listener } = noting();
    const broken = new Error("broken");
    log.subscribe(() => {
      throw broken;
    });
    log.subscribe(listener);
    log.emit(added("a"));
    log.emit(added("b"));
    expect(heard).toEqual(["a", "b"]);
    expect(errors).toEqual([broken, broken]);
  });

  it("hears of an asynchronous listener that fails, which harms nobody either", async () => {
    const { log, errors } = createLog();
    const broken = new Error("broken later");
    log.subscribe(async () => {
      await Promise.resolve();
      throw broken;
    });
    log.emit(added("a"));
    await new Promise(setImmediate);
    expect(errors).toEqual([broken]);
  });

  it("keeps going when even the report of a broken listener throws", () => {
    const { heard, listener } = noting();
    const log = createEventLog({
      now: () => 0,
      onListenerError: () => {
        throw new Error("the logger is broken, too");
      },
    });
    log.subscribe(() => {
      throw new Error("broken");
    });
    log.subscribe(listener);
    log.emit(added("a"));
    log.emit(added("b"));
    expect(heard).toEqual(["a", "b"]);
  });

  it("counts nothing while nobody listens, so that no listener sees a gap", () => {
    const { log } = createLog();
    const numbers: number[] = [];
    const listener = (event: ToolEvent): void => void numbers.push(event.sequence);
    log.emit(added("unheard"));
    log.subscribe(listener);
    log.emit(added("a"));
    log.emit(added("b"));
    expect(numbers).toEqual([1, 2]);
  });

  it("delivers a hundred thousand events that one listener causes in linear time", () => {
    const { log } = createLog();
    let heard = 0;
    log.subscribe((event) => {
      heard++;
      if ("tool" in event && event.tool === "first") for (let index = 0; index < 100_000; index++) log.emit(added("more"));
    });
    const started = cpuTime();
    log.emit(added("first"));
    expect(heard).toBe(100_001);
    expect(cpuTime() - started).toBeLessThan(20_000);
  });

  it("gives every listener the same events in the same order without gaps, whatever listeners do meanwhile", () => {
    // Each step of a plan emits, or makes a listener come or leave; one witness stays from beginning to end.
    const step = fc.oneof(
      fc.record({ kind: fc.constant("emit" as const), causes: fc.nat(3) }),
      fc.record({ kind: fc.constantFrom("come" as const, "leave" as const), which: fc.nat(3) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (plan) => {
        const { log } = createLog();
        const all: number[] = [];
        const guests = [0, 1, 2, 3].map(() => {
          const heard: number[] = [];
          return { heard, listener: (event: ToolEvent) => void heard.push(event.sequence) };
        });
        let toCause = 0;
        log.subscribe((event) => {
          all.push(event.sequence);
          for (; toCause > 0; toCause--) log.emit(added("caused"));
        });
        for (const action of plan) {
          if (action.kind === "emit") {
            toCause = action.causes;
            log.emit(added("planned"));
          } else if (action.kind === "come") log.subscribe(guests[action.which]!.listener);
          else log.unsubscribe(guests[action.which]!.listener);
        }
        expect(all).toEqual(all.map((_, index) => index + 1));
        for (const { heard } of guests) {
          expect(new Set(heard).size).toBe(heard.length);
          expect([...heard].sort((a, b) => a - b)).toEqual(heard);
        }
      }),
    );
  });
});
