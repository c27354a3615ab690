import { describe, expect, it } from "vitest";
import { createTurns } from "../../src/engines/_turns.ts";

describe("turns", () => {
  /** Starts work by the names of its doings, and tells the order in which they begin and end. */
  function watch(): { told: string[]; work(name: string): () => Promise<string>; end(name: string): Promise<void> } {
    const told: string[] = [];
    const ends = new Map<string, () => void>();
    return {
      told,
      work: (name) => async () => {
        told.push(`${name} begins`);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        told.push(`${name} ends`);
        return name;
      },
      async end(name) {
        ends.get(name)!();
        await new Promise((resolve) => setImmediate(resolve));
      },
    };
  }

  it("let those go on together that may, and wait for those that are alone, in the order in which they came", async () => {
    const turns = createTurns();
    const { told, work, end } = watch();
    const all = [
      turns.together(work("a")),
      turns.together(work("b")),
      turns.alone(work("C")),
      turns.together(work("d")),
      turns.alone(work("E")),
    ];
    await new Promise((resolve) => setImmediate(resolve));
    expect(told.splice(0)).toEqual(["a begins", "b begins"]);
    await end("b");
    expect(told.splice(0)).toEqual(["b ends"]);
    await end("a");
    expect(told.splice(0)).toEqual(["a ends", "C begins"]);
    await end("C");
    expect(told.splice(0)).toEqual(["C ends", "d begins"]);
    await end("d");
    await end("E");
    expect(told).toEqual(["d ends", "E begins", "E ends"]);
    expect(await Promise.all(all)).toEqual(["a", "b", "C", "d", "E"]);
  });

  it("go on after one that failed, and keep its failure to itself", async () => {
    const turns = createTurns();
    const fail = (text: string) => () => Promise.reject(new Error(text));
    const outcomes = await Promise.allSettled([
      turns.together(fail("one")),
      turns.alone(async () => 2),
      turns.alone(fail("three")),
      turns.together(async () => 4),
    ]);
    expect(outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : String(outcome.reason)))).toEqual([
      "Error: one",
      2,
      "Error: three",
      4,
    ]);
  });
});
