import { describe, expect, it, vi } from "vitest";
import { startProgress } from "../lib/progress.mjs";

function follow(isTTY, outcome) {
  vi.useFakeTimers();
  let [text, ms] = ["", 0];
  const end = startProgress("building", { output: { isTTY, write: (part) => (text += part) }, now: () => ms });
  for (let step = 0; step < 31; step += 1) {
    ms += 1_000;
    vi.advanceTimersByTime(1_000);
  }
  end(outcome);
  vi.useRealTimers();
  return text;
}

describe("what npm start says while it installs and builds", () => {
  it("is one line on a terminal, whose seconds count up", () => {
    const parts = follow(true, "done").split("\r\u001b[2K");
    expect(parts.slice(1, 4)).toEqual(["building …", "building … 1 s", "building … 2 s"]);
    expect(parts.at(-1)).toBe("building … 31.0 s\n");
  });

  it("is a line every ten seconds elsewhere, and says when it failed", () => {
    expect(follow(false, "failed").split("\n")).toEqual([
      "building …",
      "building … 10 s",
      "building … 20 s",
      "building … 30 s",
      "building … failed after 31.0 s",
      "",
    ]);
  });
});
