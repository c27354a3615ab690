import { codeSource, createRegistry, defineTool, type ToolResult } from "@toolrack/core";
import { executeTool, exportForApi } from "@toolrack/core/array";
import { registry as shared } from "@toolrack/core/default";
import { toolCallGrammar } from "@toolrack/core/grammar";
import { lintTools } from "@toolrack/core/lint";
import { readPolicyConfig } from "@toolrack/core/policy";
import { toolSection } from "@toolrack/core/prompt";
import { hiddenIn } from "@toolrack/core/scan";
import { searchTools } from "@toolrack/core/search";
import { mockTool, sourceContract, testTool } from "@toolrack/core/testing";
import { exportTools, readCalls, writeResults } from "@toolrack/core/vendors";
import { compilePattern } from "@toolrack/json-schema";

// #region tools
const orders = defineTool({
  name: "find_orders",
  description: "Finds the orders of a customer by e-mail address and status.",
  inputSchema: {
    type: "object",
    properties: {
      email: { type: "string", format: "email", pattern: "^([a-z0-9.]+)+@([a-z0-9]+\\.)+[a-z]{2,}$" },
      status: { type: "string", enum: ["open", "shipped"], default: "open" },
    },
    required: ["email"],
    additionalProperties: false,
  },
  metadata: { annotations: { readOnly: true } },
  handler: ({ email, status }) => ({ email, status, orders: ["A-1", "A-2"] }),
});

const refund = defineTool({
  name: "refund",
  description: "Pays an amount back to a customer.",
  inputSchema: { type: "object", properties: { order: { type: "string" }, euros: { type: "number" } }, required: ["order", "euros"] },
  handler: ({ order, euros }) => `${euros} euros paid back for ${order}.`,
});

const quotes = ["1.2.0", "2.0.0"].map((version) =>
  defineTool({ name: "quote", version, description: "Quotes a price.", inputSchema: { type: "object" }, handler: () => `by ${version}` }),
);
// #endregion

// #region registry
const registry = createRegistry({
  policy: readPolicyConfig({
    tools: { conditions: [{ tool: "refund", allow: 'euros <= 100.0 && order.matches("^A-")', reason: "At most 100 euros." }] },
    agents: { reader: { tools: { deny: ["refund"] } } },
  }),
  limits: { timeoutMs: 5_000, maxResultBytes: 1_000 },
  redaction: { fields: ["password"], values: () => ["correct horse"] },
});
for (const tool of [orders, refund, ...quotes]) registry.register(tool);
// #endregion

/** Answers what it found, line by line: the same wherever it runs. */
export async function run(): Promise<string[]> {
  const lines: string[] = [];
  const print = (what: string, value: unknown): void =>
    void lines.push(`${what}: ${typeof value === "string" ? value : JSON.stringify(value)}`);
  const call = async (name: string, input: unknown, agent = "clerk"): Promise<void> =>
    print(`${agent} calls ${name}`, outcomeOf(await registry.invoke(name, input, { caller: { agent } })));

  // #region calls
  await call("find_orders", { email: "ann@example.com" });
  await call("find_orders", { email: "ann@", staus: "open" });
  await call("find_orders", { email: `${"a".repeat(500)}!` });
  await call("refund", { order: "A-1", euros: 50 });
  await call("refund", { order: "A-1", euros: 500 });
  await call("refund", { order: "A-1", euros: 50 }, "reader");
  await call("quote@^1.0.0", {});
  await call("quote", {});
  await call("qoute", {});
  // #endregion

  registry.register(
    defineTool({
      name: "leak",
      description: "Answers with too much.",
      inputSchema: { type: "object" },
      handler: () => ({ password: "1234", text: `${btoa("x correct horse")} ${"€".repeat(600)}` }),
    }),
  );
  await call("leak", {});
  registry.register(
    defineTool({
      name: "sleep",
      description: "Never ends.",
      inputSchema: { type: "object" },
      metadata: { limits: { timeoutMs: 20 } },
      handler: () => new Promise<string>(() => {}),
    }),
  );
  await call("sleep", {});
  print("definition", registry.entries().find(({ tool }) => tool.name === "refund")?.hash);

  const { tools } = registry.view({ agent: "clerk" });
  for (const target of ["anthropic", "openai", "gemini", "bedrock"] as const) print(target, exportTools(tools, target).tools);
  const reply = { content: [{ type: "tool_use", id: "1", name: "refund", input: { order: "A-1", euros: 5 } }] };
  const calls = readCalls(reply, "anthropic");
  print("calls", calls);
  const image = { type: "image", data: btoa("\x89PNG"), mimeType: "image/png" } as const;
  const picture = defineTool({ name: "draw", description: "Draws.", inputSchema: { type: "object" }, handler: () => [image] });
  print("image", writeResults(calls, [await executeTool(picture, {})], "bedrock"));

  print("array", exportForApi([refund]));
  print(
    "search",
    searchTools(tools, "pay money back to the customer").map((hit) => hit.tool.name),
  );
  print("grammar", toolCallGrammar([refund]));
  print("prompt", toolSection([refund]).text);
  print(
    "lint",
    lintTools([refund]).map(({ rule, path }) => `${rule} ${path}`),
  );
  print("hidden text", hiddenIn("a\u200bb"));
  print("pattern", compilePattern("^(a+)+$").test(`${"a".repeat(5_000)}!`));
  print(
    "tested",
    (await testTool(refund)).checks.map(({ name, ok }) => `${ok ? "ok" : "failed"} ${name}`),
  );
  for (const { name, run: check } of sourceContract("codeSource", () => codeSource("mine", [mockTool("one")]), { tools: ["one"] })) {
    await check();
    print("contract", name);
  }
  shared.register(refund);
  print("the registry of /default", outcomeOf(await shared.invoke("refund", { order: "A-2", euros: 1 })));
  return lines;
}

function outcomeOf(result: ToolResult): string {
  return result.ok ? result.content : `${result.code} ${result.error}`;
}
