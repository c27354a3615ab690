import { describe, expect, it } from "vitest";
import { createBodyReader } from "../../src/engines/_sql/parsed-once.ts";

const bodyOf = (text: string): string => JSON.stringify({ id: "a", context: { text } });

describe("the body of a change", () => {
  it("is parsed once for everybody who follows the store", () => {
    const { read } = createBodyReader();
    const first = read(7, bodyOf("one"));
    expect(first.context).toEqual({ text: "one" });
    expect(read(7, bodyOf("one"))).toBe(first);
  });

  it("is the new one where a number was taken back and given again", () => {
    const { read } = createBodyReader();
    read(7, bodyOf("one"));
    expect(read(7, bodyOf("two")).context).toEqual({ text: "two" });
  });

  it("is not parsed at all where it was written here", () => {
    const { read, note } = createBodyReader();
    const written = JSON.parse(bodyOf("one"));
    note(7, bodyOf("one"), written);
    expect(read(7, bodyOf("one"))).toBe(written);
  });

  it("is the stored one where what was written here was taken back", () => {
    const { read, note } = createBodyReader();
    note(7, bodyOf("one"), JSON.parse(bodyOf("one")));
    expect(read(7, bodyOf("two")).context).toEqual({ text: "two" });
  });

  it("is forgotten after many others, so that memory is bounded", () => {
    const { read } = createBodyReader();
    const long = "x".repeat(100_000);
    const first = read(1, bodyOf("one"));
    for (let number = 2; number < 40; number++) read(number, bodyOf(long));
    expect(read(1, bodyOf("one"))).not.toBe(first);
  });
});
