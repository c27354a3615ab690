import { describe, expect, it } from "vitest";
import { createSeats } from "../../../src/http/limits/seats.ts";

describe("seats", () => {
  it("SD12: are bounded for each caller and for all together, and free again once they are given back", () => {
    const seats = createSeats({ perCaller: 2, total: 3, code: "TOO_MANY_REQUESTS", what: "requests under way" });
    const refused = expect.objectContaining({ status: 429, code: "TOO_MANY_REQUESTS" });
    const leave = seats.enter("anna");
    seats.enter("anna");
    expect(() => seats.enter("anna")).toThrow(refused);
    seats.enter("ben");
    expect(() => seats.enter("cara")).toThrow(refused);
    leave();
    seats.enter("cara");
    expect(seats.taken).toBe(3);
  });

  it("SD12: that are given back twice count once", () => {
    const seats = createSeats({ perCaller: 2, total: 2, code: "TOO_MANY_STREAMS", what: "streams open" });
    const leave = seats.enter("anna");
    seats.enter("anna");
    leave();
    leave();
    expect(seats.taken).toBe(1);
    seats.enter("anna");
    expect(() => seats.enter("ben")).toThrow(expect.objectContaining({ status: 429 }));
  });
});
