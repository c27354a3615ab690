// #region worker
import { createRegistry, defineTool } from "@toolrack/core";

const registry = createRegistry({ limits: { timeoutMs: 10_000 } }); // one for all requests
registry.register(
  defineTool({
    name: "convert",
    description: "Converts degrees Celsius to Fahrenheit.",
    inputSchema: { type: "object", properties: { celsius: { type: "number" } }, required: ["celsius"] },
    handler: ({ celsius }) => ({ fahrenheit: (celsius * 9) / 5 + 32 }),
  }),
);

export default {
  async fetch(request: Request): Promise<Response> {
    const result = await registry.invoke("convert", await request.json(), { signal: request.signal });
    return Response.json(result.ok ? result.data : { error: result.error }, { status: result.ok ? 200 : result.status });
  },
};
// #endregion
