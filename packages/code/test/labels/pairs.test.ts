import { describe, expect, test } from "vitest";
import { lowView, runWith, secrets } from "../support/low-view.ts";
import { chosenPairs } from "./chosen-pairs.ts";
import { followedPairs } from "./followed-pairs.ts";
import { morePairs } from "./more-pairs.ts";
import { ordinaryPairs } from "./ordinary-pairs.ts";
import { pairs } from "./pairs.ts";
import { untouched } from "./untouched.ts";

describe.each([
  ...Object.entries({ ...pairs, ...chosenPairs, ...followedPairs }),
  ["the secret in further ways", morePairs] as const,
  ["the secret of a task", ordinaryPairs] as const,
])("the low view does not tell %s", (_what, programs) => {
  test.each(programs)("%s", async (source) => {
    const [a, b] = await Promise.all(secrets.map((secret) => runWith(secret, source)));
    if (a === undefined || b === undefined) throw new Error("There are two secrets.");
    for (const result of [a, b]) expect(result.ok || result.error.kind).not.toBe("internal");
    expect(lowView(a)).toBe(lowView(b));
    expect(a.warnings).toEqual(b.warnings);
  });
});

test.each([...Object.values({ ...chosenPairs, ...followedPairs }).flat(), ...ordinaryPairs])(
  "a program that is stored at every call and after every few steps keeps its labels: %s",
  async (source) => {
    for (const secret of secrets) {
      const whole = await runWith(secret, source);
      const stored = await runWith(secret, source, 50);
      expect([stored.labels, stored.calls.map(({ labels }) => labels)]).toEqual([whole.labels, whole.calls.map(({ labels }) => labels)]);
    }
  },
);

test.each(untouched)("what the secret does not touch stays clean: %s", async (source) => {
  for (const secret of secrets) {
    const result = await runWith(secret, source);
    expect(result).toMatchObject({ ok: true, labels: [] });
    for (const { tool, inputLabels } of result.calls) if (tool === "send") expect(inputLabels["/to"] ?? []).toEqual([]);
  }
});
