// Everything that can stand around a handler, outermost first; and wrappers around tools in a plain array.
import assert from "node:assert/strict";
import { createRegistry, defineTool, ToolError, withWrapper, type Wrapper } from "@toolrack/core";
import { wrapperContract } from "@toolrack/core/testing";
import { executeTool } from "@toolrack/core/array";
import { wrapToolWithBeforeToolCallHook } from "@toolrack/core/compat";

const write = defineTool({
  name: "write",
  description: "Writes a file.",
  inputSchema: { type: "object", properties: { file_path: { type: "string" } } },
  metadata: { ownerOnly: true, paths: ["file_path"], limits: { concurrency: 1 } },
  handler: () => "written",
});

// #region all
const registry = createRegistry({
  workspace: { root: "." },
  hooks: { before: [() => undefined], after: [(result) => result] },
  redaction: { fields: ["password"] },
  limits: {
    callsPerRun: 100,
    rate: [{ calls: 10, perMs: 1_000 }],
    loops: {},
    circuitBreaker: {},
    retry: { attempts: 2, backoffMs: 100 },
  },
});
registry.register(write);
console.log(registry.wrappers("write").join("\n"));
// #endregion
assert.equal(registry.wrappers("write").length, 16);

// #region added
const attempts: string[] = [];
const attemptTimes: Wrapper = {
  name: "attempt-times",
  run: (next) => async (call) => {
    const started = call.clock.now();
    const result = await next(call);
    attempts.push(`${call.tool.name}: ${result.ok ? "ok" : result.code}, ${(call.clock.now() - started).toFixed(1)} ms`);
    return result;
  },
};
const timed = createRegistry({
  limits: { retry: { attempts: 2, backoffMs: 10 } },
  wrappers: [{ wrapper: attemptTimes, at: "each-attempt" }],
});
// #endregion
let isFirst = true;
timed.register(
  defineTool({
    name: "fetch_rates",
    description: "Fetches exchange rates.",
    inputSchema: { type: "object" },
    handler() {
      if (!isFirst) return "1.08";
      isFirst = false;
      throw new ToolError("TOOL_FAILED", "The bank does not answer.", { retryable: true });
    },
  }),
);
const rates = await timed.invoke("fetch_rates", {});
assert(rates.ok && rates.content === "1.08");
assert.match(attempts.join("\n"), /^fetch_rates: TOOL_FAILED, [\d.]+ ms\nfetch_rates: ok, [\d.]+ ms$/);
assert.equal(timed.wrappers("fetch_rates").at(-1), "attempt-times");
for (const check of wrapperContract("attempt-times", () => attemptTimes)) await check.run();

// #region array
const noon = defineTool({ name: "noon", description: "Says when noon is.", inputSchema: { type: "object" }, handler: () => "12:00" });
const guarded = wrapToolWithBeforeToolCallHook(noon, () => ({ block: "It is closed." }));
// #endregion
const refused = await executeTool(guarded, {});
assert(!refused.ok && refused.code === "BLOCKED");

// #region own
const shout: Wrapper = {
  name: "shout",
  appliesTo: (tool) => tool.name === "noon",
  finish: (result) => (result.ok ? { ...result, content: `${result.content}!` } : result),
};
const loud = await executeTool(withWrapper(noon, shout), {});
// #endregion
assert(loud.ok && loud.content === "12:00!");
