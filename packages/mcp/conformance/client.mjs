// The client that the official conformance suite starts: one upstream, reached as Toolrack reaches any, behind an ordinary registry.
// Usage: node client.mjs URL, with MCP_CONFORMANCE_SCENARIO and MCP_CONFORMANCE_CONTEXT in the environment.
import { createRegistry } from "@toolrack/core";
import { mcpSource } from "@toolrack/mcp";
import { createTestSignIn } from "./sign-in.mjs";

const url = process.argv.at(-1);
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? "";
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");

const registry = createRegistry({ approver: { ask: async () => ({ action: "accept", value: answers(scenario) }) } });
const source = mcpSource({
  name: "suite",
  url,
  allowHosts: [new URL(url).hostname, "localhost", "127.0.0.1"],
  connectTimeoutMs: 60_000,
  ...(scenario.startsWith("auth/") && { auth: await createTestSignIn(scenario, context) }),
});
const status = await registry.addSource(source);
console.log(JSON.stringify({ connection: source.status(), status }));

for (const { name, input } of callsOf()) console.log(JSON.stringify(await registry.invoke(`suite__${name}`, input)));
await new Promise((resolve) => setTimeout(resolve, scenario === "sse-retry" ? 4_000 : 200));
await registry.close();
process.exit(status.state === "ready" ? 0 : 1);

/** What a scenario says it wants called, else every tool once. */
function callsOf() {
  if (context.toolCalls !== undefined) return context.toolCalls.map((call) => ({ name: call.name, input: withoutNulls(call.arguments) }));
  return registry.list().map((tool) => ({ name: tool.name.slice("suite__".length), input: inputFor(tool) }));
}

function inputFor({ name, inputSchema }) {
  if (name === "suite__json_schema_echo") return { schema: registry.get("suite__json_schema_2020_12_tool").inputSchema };
  return sampleOf(inputSchema);
}

/** A parameter that is null is one that a caller of a registry leaves out. */
function withoutNulls(input) {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

function answers(name) {
  return name === "elicitation-sep1034-client-defaults" ? {} : { confirmed: true, name: "Ada", answer: "yes" };
}

/** An input that a schema accepts, for schemas as plain as the suite's. */
function sampleOf(schema) {
  const samples = { string: "text", integer: 5, number: 5, boolean: true, array: [], null: null };
  if (schema?.default !== undefined) return schema.default;
  if (Array.isArray(schema?.enum)) return schema.enum[0];
  if (schema?.type !== "object" && schema?.properties === undefined) return samples[schema?.type] ?? "text";
  return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, property]) => [name, sampleOf(property)]));
}
