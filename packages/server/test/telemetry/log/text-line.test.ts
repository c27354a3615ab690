import { afterEach, describe, expect, it, vi } from "vitest";
import { toTextLine } from "../../../src/telemetry/log/text-line.ts";
import { keepLog } from "./lines.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

describe("a line for people", () => {
  it("is time, level, message and fields", () => {
    vi.useFakeTimers({ now: Date.parse("2026-11-15T20:14:32.123Z") });
    const { log, text } = keepLog({ format: "text" });
    log.info("call", { tool: "echo", agent: "anna", principal: "key anna", status: 200, code: undefined, durationMs: 0.412 });
    log.warn("A source failed.", { source: "github", error: "connect ECONNREFUSED", tried: ["a", "b"] });
    log.error("Server stopped.");
    expect(text().split("\n")).toEqual([
      '2026-11-15T20:14:32.123Z INFO  call     tool=echo agent=anna principal="key anna" status=200 durationMs=0.412',
      '2026-11-15T20:14:32.123Z WARN  A source failed. source=github error="connect ECONNREFUSED" tried=["a","b"]',
      "2026-11-15T20:14:32.123Z ERROR Server stopped.",
      "",
    ]);
  });

  it("LG6: names that hold line breaks, escape codes or marks of direction stay inside of it", () => {
    vi.useFakeTimers({ now: Date.parse("2026-11-15T20:14:32.123Z") });
    const { log, text } = keepLog({ format: "text" });
    const hostile = 'x\n2026-11-15T20:14:32.123Z ERROR forged\r\u001B[2J\u001B]0;title\u0007\u009B31m\u202Eabc\u2028"=y';
    log.info(`call ${hostile}`, { tool: hostile, agent: "a b", [hostile]: 1, nested: { deep: hostile } });
    const lines = text().split("\n");
    expect(lines).toHaveLength(2);
    expect(text().slice(0, -1)).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
    expect(lines[0]).toContain(
      String.raw`tool="x\n2026-11-15T20:14:32.123Z ERROR forged\r\u001b[2J\u001b]0;title\u0007\u009b31m\u202eabc\u2028\"=y"`,
    );
  });

  it("LG6: a JSON line stays one line, and has each key once, whatever is in it", () => {
    const { log, text, lines } = keepLog({ format: "json" });
    log.info("call", { tool: "x\ny\u001B[2J", level: "error", time: "never", message: "other" });
    expect(text().trimEnd()).not.toMatch(/\p{Cc}/u);
    expect(lines()).toMatchObject([
      { level: "info", message: "call", tool: "x\ny\u001B[2J", level_: "error", time_: "never", message_: "other" },
    ]);
  });

  it("is coloured on a terminal alone, and not where NO_COLOR is set", () => {
    const write = (options: Parameters<typeof keepLog>[0]): string => {
      const { log, text } = keepLog(options);
      log.info("call", { tool: "echo" });
      return text();
    };
    vi.stubEnv("NO_COLOR", "");
    vi.stubEnv("TERM", "xterm");
    expect(write({ isTerminal: true, format: "text" })).toContain("\u001B[32mINFO \u001B[0m");
    expect(write({ isTerminal: false })).toMatch(/^\{"level":"info"/);
    expect(write({ isTerminal: false, format: "text" })).not.toContain("\u001B");
    expect(write({ isTerminal: true, format: "json" })).toMatch(/^\{"level":"info"/);
    vi.stubEnv("NO_COLOR", "1");
    expect(write({ isTerminal: true })).not.toContain("\u001B");
    expect(toTextLine("info", "call", {}, false)).not.toContain("\u001B");
  });
});
