import { expect, it } from "vitest";
import { createChangeWatch } from "../../../src/http/transport/certificate.ts";

it("a certificate is read again once its files have stopped changing, and once for each change", () => {
  const hasChanged = createChangeWatch("a");
  const looks: [string, boolean][] = [
    ["a", false],
    ["b", false],
    ["c", false],
    ["c", true],
    ["c", false],
    ["half", false],
    ["c", false],
    ["c", false],
    ["gone", false],
    ["gone", true],
    ["a", false],
    ["a", true],
  ];
  for (const [now, expected] of looks) expect(hasChanged(now), now).toBe(expected);
});
