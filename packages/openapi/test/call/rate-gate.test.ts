import type { SafeResponse } from "@toolrack/fetch";
import { describe, expect, it } from "vitest";
import { createRateGate, waitOf } from "../../src/call/rate-gate.ts";

const now = Date.parse("2026-11-16T12:00:00Z");

describe("how long an answer asks to wait", () => {
  it.each([
    [{ "retry-after": "5" }, 5_000],
    [{ "retry-after": " 1.5 " }, 1_500],
    [{ "retry-after": "Mon, 16 Nov 2026 12:01:00 GMT" }, 60_000],
    [{ "retry-after": "Mon, 16 Nov 2026 11:00:00 GMT" }, 0],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "5", "x-ratelimit-reset": "60" }, 5_000],
    [{ "retry-after": "999999" }, 3_600_000],
    [{ "retry-after-ms": "250" }, 250],
    [{ "retry-after-ms": "250", "ratelimit-reset": "60" }, 250],
    [{ ratelimit: "limit=100, remaining=0, reset=30" }, 30_000],
    [{ ratelimit: '"default";r=0;t=40' }, 40_000],
    [{ ratelimit: "limit=100" }, undefined],
    [{ "ratelimit-reset": "7" }, 7_000],
    [{ "x-ratelimit-reset": "8" }, 8_000],
    [{ "x-rate-limit-reset": "9" }, 9_000],
    [{ "x-ratelimit-reset-requests": "10s" }, 10_000],
    [{ "x-ratelimit-reset-after": "11" }, 11_000],
    [{ "x-ratelimit-reset": String(now / 1_000 + 20) }, 20_000],
    [{ "x-ratelimit-reset": String(now + 21_000) }, 21_000],
    [{ "x-ratelimit-reset": "2026-11-16T12:00:22Z" }, 22_000],
    [{ "x-ratelimit-reset": "later" }, undefined],
    [{ "x-ratelimit-reset": "-5" }, 0],
    [{}, undefined],
  ])("is read from %j", (headers, wait) => {
    expect(waitOf(headers as Record<string, string>, now)).toBe(wait);
  });
});

describe("the calls that an API allows", () => {
  function open() {
    const clock = { now };
    const gate = createRateGate(() => clock.now);
    const note = (status: number, headers: Record<string, string>, operation = "GET /x") =>
      gate.note(operation, { status, headers } as unknown as SafeResponse);
    const isOpen = (operation = "GET /x"): boolean => {
      try {
        gate.check(operation);
        return true;
      } catch {
        return false;
      }
    };
    return { clock, gate, note, isOpen };
  }

  it.each([
    [429, { "retry-after": "5" }, false],
    [503, { "retry-after": "5" }, false],
    [429, {}, true],
    [429, { "retry-after": "0" }, true],
    [200, { "retry-after": "5" }, true],
    [500, { "retry-after": "5" }, true],
    [200, { "ratelimit-remaining": "0", "ratelimit-reset": "5" }, false],
    [200, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "5" }, false],
    [200, { "x-rate-limit-remaining": "0", "x-rate-limit-reset": "5" }, false],
    [200, { "x-ratelimit-remaining": "1", "x-ratelimit-reset": "5" }, true],
    [200, { "x-ratelimit-remaining": "none", "x-ratelimit-reset": "5" }, true],
    [200, { "x-ratelimit-reset": "5" }, true],
    [200, { ratelimit: "limit=100, remaining=0, reset=30" }, false],
    [200, { ratelimit: '"default";r=3;t=40' }, true],
  ])("are closed or open after an answer with %d and %j", (status, headers, expected) => {
    const { note, isOpen } = open();
    note(status, headers as Record<string, string>);
    expect([isOpen(), isOpen("GET /other")]).toEqual([expected, true]);
  });

  it("are told with the rest of the time, and come back after it", () => {
    const { clock, gate, note, isOpen } = open();
    note(429, { "retry-after": "5" });
    clock.now += 3_500;
    expect(() => gate.check("GET /x")).toThrow(
      expect.objectContaining({
        code: "RATE_LIMITED",
        retryAfterMs: 1_500,
        message: "GET /x was not sent: the API allows no more calls for 2 s. Call again then.",
      }) as Error,
    );
    clock.now += 1_500;
    expect(isOpen()).toBe(true);
    clock.now -= 5_000;
    expect(isOpen()).toBe(true);
  });

  it("are remembered for ten thousand operations", () => {
    const { note, isOpen } = open();
    for (let index = 0; index < 10_000; index++) note(429, { "retry-after": "5" }, `GET /${index}`);
    expect(isOpen("GET /0")).toBe(false);
    note(429, { "retry-after": "5" }, "GET /more");
    expect([isOpen("GET /0"), isOpen("GET /more")]).toEqual([true, false]);
  });
});
