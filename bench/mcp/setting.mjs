/** The tools that every server offers; the last one is called. */
export function toolsOf(count) {
  return Array.from({ length: count }, (_, index) => ({
    name: `tool_${index}`,
    title: `Tool ${index}`,
    description: `Looks up things of kind ${index} and answers with what was found.`,
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string", minLength: 1, description: "What to look for." },
        limit: { type: "integer", minimum: 1, maximum: 100, description: "How many to answer with." },
        exact: { type: "boolean" },
      },
      required: ["query"],
    },
  }));
}

export const answer = ({ query, limit }) => `Found ${limit} of "${query}".`;

export const input = { query: "weather in Oslo", limit: 5 };

/** One step with names and a pattern, and one that looks at arguments. */
export const policy = {
  tools: { deny: ["exec", "gateway", "secret_*"] },
  agents: {
    bench: { tools: { conditions: [{ tool: "tool_*", allow: "!has(input.limit) || input.limit <= 50", reason: "At most 50." }] } },
  },
};

export const caller = { agent: "bench", owner: false };

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** What is asked: `{ headers, body }`, in the words of either era. */
export function requestOf(kind, era, count) {
  const method = kind === "call" ? "tools/call" : "tools/list";
  const name = `tool_${count - 1}`;
  const params = kind === "call" ? { name, arguments: input } : {};
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  if (era === "legacy") {
    return { headers: { ...headers, "mcp-protocol-version": "2025-11-25" }, body: { jsonrpc: "2.0", id: 1, method, params } };
  }
  const named = kind === "call" ? { "mcp-name": name } : {};
  return {
    headers: { ...headers, "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...named },
    body: { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } },
  };
}
