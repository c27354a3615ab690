import { describe, expect, it } from "vitest";
import { merge } from "../../src/feed/merge.ts";
import { createRecent } from "../../src/feed/recent.ts";

async function* numbers(from: number, to: number): AsyncGenerator<number> {
  for (let number = from; number <= to; number++) yield number;
}

describe("merge", () => {
  it("gives everything of every maker, each in its own order", async () => {
    const all: number[] = [];
    for await (const number of merge([numbers(1, 50), numbers(101, 150), numbers(201, 200)])) all.push(number);
    expect(all.filter((number) => number < 100)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    expect(all.filter((number) => number > 100)).toEqual(Array.from({ length: 50 }, (_, index) => index + 101));
  });

  it("lets each maker be at most one ahead of the reader", async () => {
    let made = 0;
    async function* counted(): AsyncGenerator<number> {
      for (;;) yield ++made;
    }
    const reader = merge([counted()]);
    for (let read = 1; read <= 5; read++) {
      await reader.next();
      await new Promise((resolve) => setImmediate(resolve));
      expect(made).toBeLessThanOrEqual(read + 1);
    }
    await reader.return(undefined);
  });

  it("ends with the error of a maker that fails", async () => {
    async function* failing(): AsyncGenerator<number> {
      yield 1;
      throw new Error("broken");
    }
    const seen: number[] = [];
    await expect(
      (async () => {
        for await (const number of merge([failing()])) seen.push(number);
      })(),
    ).rejects.toThrow("broken");
    expect(seen).toEqual([1]);
  });
});

describe("createRecent", () => {
  it("keeps what was told last, and says how much it let go", async () => {
    const recent = createRecent<string>(3, (count) => `${count} dropped`);
    for (const item of ["a", "b", "c", "d", "e"]) recent.push(item);
    recent.end();
    const seen: string[] = [];
    for await (const item of recent) seen.push(item);
    expect(seen).toEqual(["2 dropped", "c", "d", "e"]);
  });
});
