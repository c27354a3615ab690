import { createRegistry, defineTool } from "@toolrack/core";
import { createSafeFetch } from "@toolrack/fetch";
import { startLoopback } from "@toolrack/testkit/loopback";
import { expect, it } from "vitest";
import type { Breadcrumb } from "../../../src/record/breadcrumb.ts";
import { httpKind } from "../../../src/tools/kinds/http.ts";

const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

it.each([
  [
    { traceparent, tracestate: "a=1", baggage: "user=anna" },
    { traceparent, tracestate: "a=1", baggage: undefined },
  ],
  [
    { traceparent, tracestate: "a=1\r\nx-evil: 1" },
    { traceparent, tracestate: undefined, "x-evil": undefined },
  ],
  [{ traceparent: `${traceparent}\r\nx-evil: 1` }, { traceparent: undefined, "x-evil": undefined }],
  [undefined, { traceparent: undefined }],
])("an HTTP endpoint gets the trace of the call: %j", async (trace, headers) => {
  await using endpoint = await startLoopback((_, response) => void response.end("fine"));
  const kind = httpKind(createSafeFetch({ allowHosts: [endpoint.host] }));
  const registry = createRegistry();
  registry.register(
    defineTool({
      name: "ping",
      description: "Asks an endpoint.",
      inputSchema: { type: "object", properties: {} },
      handler: kind.createHandler({ kind: "http", endpoint: `${endpoint.url}/ping` }, {
        context: { name: "ping" },
      } as unknown as Breadcrumb) as never,
    }),
  );
  expect(await registry.invoke("ping", {}, { trace })).toMatchObject({ ok: true });
  expect(endpoint.seen[0]!.headers).toMatchObject(Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)));
  for (const [name, value] of Object.entries(headers)) if (value === undefined) expect(endpoint.seen[0]!.headers).not.toHaveProperty(name);
  await kind.close?.();
});
