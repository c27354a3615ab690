import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBoundedMap } from "../../../../src/call/wrappers/limits/_bounded-map.ts";

describe("createBoundedMap", () => {
  it("never holds more than its limit, always the half used last, and never a wrong value", () => {
    const step = fc.record({ key: fc.integer({ min: 0, max: 30 }), do: fc.constantFrom("get", "set", "delete") });
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 12 }), fc.array(step, { maxLength: 200 }), (limit, steps) => {
        const map = createBoundedMap<number>(limit);
        const truth = new Map<string, number>();
        let used: string[] = [];
        let value = 0;
        for (const { key, do: action } of steps) {
          const name = String(key);
          if (action === "delete") {
            map.delete(name);
            truth.delete(name);
            used = used.filter((other) => other !== name);
          } else {
            if (action === "set") {
              map.set(name, ++value);
              truth.set(name, value);
            }
            const found = map.get(name);
            if (found !== undefined) {
              expect(found).toBe(truth.get(name));
              used = [name, ...used.filter((other) => other !== name)];
            } else expect(used.slice(0, Math.floor(limit / 2))).not.toContain(name);
          }
          expect(map.size).toBeLessThanOrEqual(limit);
        }
      }),
    );
  });
});
