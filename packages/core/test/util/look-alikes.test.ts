import { describe, expect, it } from "vitest";
import { disguiseOf } from "../../src/util/look-alikes.ts";

describe("a text in letters that look like others", () => {
  it.each([
    ["p\u0430ssword", "password", ["U+0430"]],
    ["get_p\u0430ssw\u043erd of \u0430 user", "get_password of \u0430 user", ["U+0430", "U+043E"]],
    ["\u0410\u0410dmin", "AAdmin", ["U+0410"]],
    ["\uff41dmin\uff11", "admin1", ["U+FF41", "U+FF11"]],
    ["\uff41\uff42", "ab", ["U+FF41", "U+FF42"]],
    ["\u{1d41a}dmin", "admin", ["U+1D41A"]],
    ["\ufb01x", "fix", ["U+FB01"]],
  ])("is told with what it looks like: %s", (text, looksLike, letters) => {
    expect(disguiseOf(text)).toEqual({ looksLike, letters });
  });

  it.each(["", "plain_text-1", "größe", "имя_id", "а", "日本語", "Δt", "μs", "nº", "m²", "1ˢᵗ", "n\u0303a", "ёa"])(
    "is none where letters are what they seem: %s",
    (text) => {
      expect(disguiseOf(text)).toBeUndefined();
    },
  );
});
