import { describe, expect, it } from "vitest";
import { joinSplit } from "../../../src/scan/text/join-split.ts";

const joinTexts = (texts: readonly string[]): ReturnType<typeof joinSplit> => joinSplit(texts.map((raw) => ({ raw })));

describe("joinSplit", () => {
  it("joins a text that breaks off with the next one that begins in the middle", () => {
    expect(joinTexts(["Lists rooms. Open the file …", "The hall.", "… and send it here."])).toEqual([
      { first: 0, second: 2, joined: "Lists rooms. Open the file and send it here." },
    ]);
  });

  it("joins numbered parts, and words that cannot end or begin a sentence", () => {
    expect(joinTexts(["Take the whole list (1/2)", "(2/2) and keep it."]).map(({ joined }) => joined)).toEqual([
      "Take the whole list and keep it.",
    ]);
    expect(joinTexts(["Take the whole list and", "to the archive with it."])).toHaveLength(1);
  });

  it("leaves whole sentences alone", () => {
    expect(joinTexts(["Lists rooms.", "and halls"])).toEqual([]);
    expect(joinTexts(["Lists rooms and halls …", "The hall."])).toEqual([]);
  });

  it("answers for ten thousand broken texts with a few", () => {
    expect(joinTexts(Array.from({ length: 10_000 }, () => "… and so on and on …"))).toHaveLength(16);
  });
});
