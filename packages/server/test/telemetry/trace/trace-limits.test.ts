import { openTestServer } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";
import { readTrace } from "../../../src/telemetry/trace/trace.ts";

const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const ofMessage = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

describe("a trace that comes in", () => {
  it("is taken without a state of more than 512 characters, which is the caller's to shorten", () => {
    const longest = `a=${"x".repeat(510)}`;
    expect(readTrace(traceparent, longest)).toEqual({ traceparent, tracestate: longest });
    expect(readTrace(traceparent, `${longest}x`)).toEqual({ traceparent });
  });

  it("in the message of an MCP client counts before that of the request, whole, also where no spans are recorded", async () => {
    await using server = await openTestServer();
    const traces: unknown[] = [];
    server.rack.registry.subscribe((event) => {
      if (event.type === "call-start") traces.push(event.trace);
    });
    const call = (meta: object): Promise<unknown> =>
      server.request("POST", "/mcp", {
        body: {
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "echo", arguments: { text: "x" }, _meta: meta },
        },
        headers: { accept: "application/json, text/event-stream", traceparent, tracestate: "a=1" },
      });
    await call({ traceparent: ofMessage });
    await call({ traceparent: ofMessage, tracestate: "b=2" });
    await call({ traceparent: "x", tracestate: "b=2" });
    expect(traces).toMatchObject([
      { traceparent: ofMessage },
      { traceparent: ofMessage, tracestate: "b=2" },
      { traceparent, tracestate: "a=1" },
    ]);
    expect(traces[0]).not.toHaveProperty("tracestate");
  });
});
