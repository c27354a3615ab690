// Everything that can stand around a handler, outermost first; and wrappers around tools in a plain array.
import assert from "node:assert/strict";
import {
  createRegistry,
  defineTool,
  executeTool,
  type ToolResult,
  withWrapper,
  wrapToolWithBeforeToolCallHook,
  type Wrapper,
} from "@toolrack/core";
import { wrapperContract } from "@toolrack/core/testing";

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
const repeated: Wrapper = {
  name: "answer-cache",
  appliesTo: (tool) => tool.metadata?.annotations?.readOnly === true,
  run(next) {
    const answers = new Map<string, ToolResult>(); // bounded in a real one
    return async (call) => {
      const key = JSON.stringify([call.tool.name, call.input]);
      const known = answers.get(key);
      if (known !== undefined) return known;
      const result = await next(call);
      if (result.ok) answers.set(key, result);
      return result;
    };
  },
};
const caching = createRegistry({ wrappers: [{ wrapper: repeated, at: "before-queue" }] });
// #endregion
let reads = 0;
const clock = {
  name: "clock",
  description: "Tells the time.",
  inputSchema: { type: "object" },
  metadata: { annotations: { readOnly: true } },
};
caching.register(defineTool({ ...clock, handler: () => `${++reads} o'clock` }));
await caching.invoke("clock", {});
const second = await caching.invoke("clock", {});
assert(second.ok && second.content === "1 o'clock");
assert.deepEqual(caching.wrappers("clock").slice(-4), ["images", "abort", "timeout", "answer-cache"]);
for (const check of wrapperContract("answer-cache", () => repeated, { tool: caching.get("clock")! })) await check.run();

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
