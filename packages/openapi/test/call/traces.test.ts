import { createRegistry } from "@toolrack/core";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { expect, it } from "vitest";
import { readOpenApi } from "../../src/index.ts";
import { openLoopback } from "./loopback.ts";

const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

it("a request carries the trace of its call, and a header that the operation has itself is the operation's", async () => {
  const { host, met } = await openLoopback();
  const parameters = [{ name: "traceparent", in: "header", schema: { type: "string" } }];
  const paths = { "/x": { get: {} }, "/own": { get: { parameters } } };
  const { tools } = readOpenApi({ openapi: "3.0.3", servers: [{ url: `http://${host}` }], paths }, { allowHosts: [host] });
  const registry = createRegistry();
  afterThisTest(() => registry.close());
  for (const tool of tools) registry.register(tool);
  await registry.invoke("get_x", {}, { trace: { traceparent, tracestate: "a=1" } });
  await registry.invoke("get_own", { traceparent: "own" }, { trace: { traceparent } });
  await registry.invoke("get_x", {}, { trace: { traceparent: "not a trace" } });
  expect(met.map(({ headers }) => [headers["traceparent"], headers["tracestate"]])).toEqual([
    [traceparent, "a=1"],
    ["own", undefined],
    [undefined, undefined],
  ]);
});
