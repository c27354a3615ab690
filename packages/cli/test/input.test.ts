import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { readInput } from "../src/commands/_input.ts";

const nothing = Readable.from([]);

describe("the input of a call", () => {
  it("is JSON, or pairs of names and values", async () => {
    expect(await readInput(['{"a": 1}'], nothing)).toEqual({ a: 1 });
    expect(await readInput(["a=1", "b=two"], nothing)).toEqual({ a: 1, b: "two" });
    expect(await readInput(["-"], Readable.from(['{"a": 2}']))).toEqual({ a: 2 });
    await expect(readInput(["{a: 1}"], nothing)).rejects.toThrow(/not valid JSON/);
  });

  it("SD15: is refused where two programs could read it differently, as bodies are", async () => {
    await expect(readInput(['{"path": "a", "path": "b"}'], nothing)).rejects.toThrow(/path/);
    await expect(readInput(["-"], Readable.from(['{"amount": 12345678901234567890}']))).rejects.toThrow(/number/i);
  });
});
