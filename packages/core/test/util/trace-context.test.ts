import { expect, it } from "vitest";
import { outgoingTrace } from "../../src/util/trace-context.ts";

const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

it("passes on traceparent and a tracestate of up to 512 characters, and no baggage", () => {
  const tracestate = `a=${"x".repeat(510)}`;
  expect(outgoingTrace({ traceparent, tracestate, baggage: "user=ada" })).toEqual({ traceparent, tracestate });
});

it.each([`a=${"x".repeat(511)}`, "", "a=1\r\nx-evil: 1", "a=\u00fc", 7])(
  "leaves out a tracestate that is too long or malformed (%j)",
  (tracestate) => {
    expect(outgoingTrace({ traceparent, tracestate })).toEqual({ traceparent });
  },
);

it.each([undefined, null, "x", {}, { traceparent: 7 }, { traceparent: `${traceparent}-x` }, { traceparent: traceparent.toUpperCase() }])(
  "passes on nothing without a well-formed traceparent (%j)",
  (trace) => {
    expect(outgoingTrace(trace)).toBeUndefined();
  },
);
