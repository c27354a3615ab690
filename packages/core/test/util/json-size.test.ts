import fc from "fast-check";
import { cpuTime } from "@toolrack/testkit/cpu-time";
import { describe, expect, it } from "vitest";
import { jsonSize } from "../../src/util/json-size.ts";

describe("jsonSize", () => {
  it("is near the length of the JSON for any data", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const unescaped = JSON.stringify(value).replaceAll(/\\(u[0-9a-f]{4}|.)/g, "x");
        const size = jsonSize(value, 1e9)!;
        expect(size).toBeGreaterThan(0);
        expect(size).toBeLessThanOrEqual(4 * Buffer.byteLength(unescaped) + 8);
        expect(Buffer.byteLength(unescaped)).toBeLessThanOrEqual(8 * size + 8);
      }),
    );
  });

  it("is undefined for what is larger than the limit, without looking at all of it", () => {
    const started = cpuTime();
    const rows = Array.from({ length: 100_000 }, () => "x".repeat(1_000));
    for (const large of ["x".repeat(50_000_000), Array(1e9), Buffer.alloc(50_000_000), rows, { rows }])
      expect(jsonSize(large, 10_000)).toBeUndefined();
    expect(cpuTime() - started).toBeLessThan(20_000);
  });

  it("ends for data that contains itself", () => {
    const circular: Record<string, unknown> = {};
    circular["self"] = [circular, circular];
    expect(jsonSize(circular, 100_000)).toBeUndefined();
  });
});
