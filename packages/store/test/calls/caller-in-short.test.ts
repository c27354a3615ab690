import { expect, it } from "vitest";
import { callerInShort } from "../../src/calls/caller-in-short.ts";

it("a caller is kept with at most twenty inherited tools, and longer lists can be told apart", () => {
  const names = Array.from({ length: 21 }, (_, index) => `t${index}`);
  for (const caller of [{ agent: "a" }, { agent: "a", inherited: [] }, { agent: "a", inherited: names.slice(1) }])
    expect(callerInShort(caller)).toBe(caller);
  const short = callerInShort({ agent: "a", inherited: names });
  expect(short).toEqual({ agent: "a", inherited: [expect.stringMatching(/^21 tools, sha256 [0-9a-f]{16}$/)] });
  expect(callerInShort({ agent: "a", inherited: names.toReversed() })).toEqual(short);
  expect(callerInShort({ agent: "a", inherited: [...names.slice(1), "other"] })).not.toEqual(short);
});
