import { describe, expect, it } from "vitest";
import { splitClauses } from "../../../src/search/query/clauses.ts";
import { splitWords } from "../../../src/search/words/split-words.ts";
import { stem } from "../../../src/search/words/stem.ts";

describe("words", () => {
  it.each([
    ["getHTTPStatus_v2", ["get", "http", "status", "v", "2"]],
    ["stock-price.daily/4K", ["stock", "price", "daily", "4", "k"]],
    ["URL of an API", ["url", "of", "an", "api"]],
    ["  --  ", []],
    ["Café déjàVu", ["cafe", "deja", "vu"]],
    ["東京駅", ["東京", "京駅"]],
    ["пошук2файлів", ["пошук", "2", "файлів"]],
  ])("of %j are %j", (text, words) => {
    expect(splitWords(text)).toEqual(words.map((word) => word.normalize("NFKD").replace(/\p{M}/gu, "")));
  });

  it.each([
    ["search", "searches", "searching", "searched"],
    ["city", "cities"],
    ["movie", "movies"],
    ["calculate", "calculates", "calculating", "calculation", "calculator"],
    ["delete", "deletes", "deleted", "deleting", "deletion"],
    ["recommend", "recommends", "recommendation", "recommended"],
    ["box", "boxes"],
    ["run", "running"],
    ["translate", "translation", "translator"],
  ])("%s and its other forms are one", (first, ...others) => {
    for (const other of others) expect(stem(other), other).toBe(stem(first));
  });

  it("that only look like other forms stay apart", () => {
    expect(stem("news")).not.toBe(stem("new"));
    expect(stem("status")).toBe("status");
    expect(stem("is")).toBe("is");
    expect(stem("sing")).toBe("sing");
  });
});

describe("clauses", () => {
  const textsOf = (request: string) =>
    splitClauses(request).map((clause) =>
      clause.map(({ text, quoted }) => (quoted ? `<${text}>` : text.trim())).filter((text) => text !== ""),
    );

  it("end where a sentence, a list or a next step does", () => {
    expect(textsOf("Book a room, then mail Ann. Also check v1.2 of sand!")).toEqual([
      ["Book a room"],
      ["mail Ann"],
      ["check v1.2 of sand"],
    ]);
  });

  it("are no lists of names or things", () => {
    expect(textsOf("Mail Ann, Bob and Eve the time and place, and I need their addresses")).toEqual([
      ["Mail Ann, Bob and Eve the time and place"],
      ["I need their addresses"],
    ]);
  });

  it("know what is quoted, but not every apostrophe", () => {
    expect(textsOf("Ann's note says 'buy milk'. Then \"sell tea\"")).toEqual([["Ann's note says", "<buy milk>"], ["<sell tea>"]]);
  });

  it("are few, however long the request is", () => {
    expect(splitClauses("go home. ".repeat(500))).toHaveLength(32);
  });
});
