// Everything that can stand around a handler, outermost first; and wrappers around tools in a plain array.
import assert from "node:assert/strict";
import { createRegistry, defineTool, type Run, ToolError, type ToolResult, withWrapper, type Wrapper } from "@toolrack/core";
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

// #region refuse
/** Refuses calls at night: "beforeRun" returns a failure, and the handler does not run. */
const officeHours: Wrapper = {
  name: "office-hours",
  appliesTo: (tool) => tool.metadata?.annotations?.destructive === true,
  beforeRun(call) {
    const hour = new Date(call.clock.now()).getUTCHours();
    return hour >= 8 && hour < 18 ? undefined : call.fail("BLOCKED", `${call.tool.name} runs between 8 and 18 o'clock UTC.`);
  },
};
// #endregion
for (const check of wrapperContract("office-hours", () => ({ ...officeHours, appliesTo: () => true, beforeRun: () => undefined })))
  await check.run();

// #region cache
/** Remembers successful results of read-only tools, at most 1,000 of them. "run" does not call the handler for what is known. */
function createCache(known: Map<string, ToolResult> = new Map()): Wrapper {
  return {
    name: "cache",
    appliesTo: (tool) => tool.metadata?.annotations?.readOnly === true,
    run:
      (next): Run =>
      async (call) => {
        // Callers may see different data, so that the caller is a part of the key.
        const key = JSON.stringify([call.tool.name, call.caller, call.input]);
        const stored = known.get(key);
        // A result has the id of its call, and this one is another call.
        if (stored !== undefined) return { ...stored, meta: { ...stored.meta, callId: call.callId } };
        const result = await next(call);
        if (result.ok && known.size < 1_000) known.set(key, result);
        return result;
      },
  };
}
const cached = createRegistry({ wrappers: [{ wrapper: createCache(), at: "before-queue" }] });
// #endregion
let reads = 0;
cached.register(
  defineTool({
    name: "read_rate",
    description: "Reads an exchange rate.",
    inputSchema: { type: "object", properties: { currency: { type: "string" } } },
    metadata: { annotations: { readOnly: true } },
    handler: ({ currency }) => `${currency as string} ${++reads}`,
  }),
);
const first = await cached.invoke("read_rate", { currency: "EUR" });
const second = await cached.invoke("read_rate", { currency: "EUR" });
assert(first.ok && second.ok && first.content === "EUR 1" && second.content === "EUR 1");
assert.notEqual(first.meta.callId, second.meta.callId);
for (const check of wrapperContract("cache", () => ({ ...createCache(), appliesTo: () => true }))) await check.run();

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
