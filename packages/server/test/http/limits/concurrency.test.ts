import { describe, expect, it } from "vitest";
import { createConcurrencyLimit } from "../../../src/http/limits/concurrency.ts";

describe("a concurrency limit", () => {
  it("SD12: are bounded for each caller and for all together, and free again once they are given back", () => {
    const limit = createConcurrencyLimit({ perCaller: 2, total: 3, code: "TOO_MANY_REQUESTS", what: "requests under way" });
    const refused = expect.objectContaining({ status: 429, code: "TOO_MANY_REQUESTS" });
    const leave = limit.enter("anna");
    limit.enter("anna");
    expect(() => limit.enter("anna")).toThrow(refused);
    limit.enter("ben");
    expect(() => limit.enter("cara")).toThrow(refused);
    leave();
    limit.enter("cara");
    expect(limit.taken).toBe(3);
  });

  it("SD12: that are given back twice count once", () => {
    const limit = createConcurrencyLimit({ perCaller: 2, total: 2, code: "TOO_MANY_STREAMS", what: "streams open" });
    const leave = limit.enter("anna");
    limit.enter("anna");
    leave();
    leave();
    expect(limit.taken).toBe(1);
    limit.enter("anna");
    expect(() => limit.enter("ben")).toThrow(expect.objectContaining({ status: 429 }));
  });
});
