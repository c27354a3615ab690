// Limits for every call of a registry, and those of single tools and calls.
import assert from "node:assert/strict";
// #region imports
import { createRegistry, defineTool, ToolError } from "@toolrack/core";
import { createFakeClock } from "@toolrack/core/testing";
// #endregion

let attempts = 0;
// #region tools
const flaky = defineTool({
  name: "flaky",
  description: "Fails twice, then works.",
  inputSchema: { type: "object" },
  handler() {
    if (++attempts < 3) throw new ToolError("TOOL_FAILED", "Not yet.", { retryable: true });
    return `worked at attempt ${attempts}`;
  },
});
const slow = defineTool({
  name: "slow",
  description: "Takes a minute.",
  inputSchema: { type: "object" },
  metadata: { limits: { timeoutMs: 50, concurrency: 2, maxResultBytes: 10_000 } },
  handler: (_input, { signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve("stopped"))),
});
// #endregion

// #region needs
const report = defineTool({
  name: "report",
  description: "Writes the report of a month.",
  inputSchema: { type: "object" },
  metadata: {
    limits: { timeoutMs: 30_000 }, // enforced
    needs: { memoryMb: 256, hosts: ["api.example.com"], files: { read: ["data"], write: ["reports"] }, programs: ["git"] }, // declared
  },
  handler: () => "written",
});
// #endregion
assert.deepEqual(report.metadata?.needs?.files?.write, ["reports"]);

const clock = createFakeClock();
// #region registry
const registry = createRegistry({
  clock,
  limits: {
    timeoutMs: 30_000, // of a whole call, unless the tool sets its own
    concurrency: 8, // concurrent calls of one tool; the others wait in order
    callsPerRun: 5, // of one caller.run
    rate: [{ calls: 3, perMs: 60_000, tool: "fla*" }],
    retry: { attempts: 3, backoffMs: 100 },
    circuitBreaker: { failures: 5, coolDownMs: 30_000 },
  },
});
// #endregion
for (const tool of [flaky, slow]) registry.register(tool);
const caller = { run: "run-1" };

const trying = registry.invoke("flaky", {}, { caller });
await clock.advance(1_000);
const worked = await trying;
console.log(worked.ok && worked.content, "- meta.attempts:", worked.meta.attempts);
assert(worked.ok && worked.meta.attempts === 3);

const waiting = registry.invoke("slow", {}, { caller, timeoutMs: 20 }); // the limit of the call takes precedence
await clock.advance(20);
const late = await waiting;
assert(!late.ok && late.code === "TIMEOUT");
console.log(late.error);

// #region cancel
const controller = new AbortController();
const running = registry.invoke("slow", {}, { caller, signal: controller.signal });
controller.abort();
const cancelled = await running;
// #endregion
assert(!cancelled.ok && cancelled.code === "ABORTED");
console.log(cancelled.error);

for (let call = 0; call < 2; call++) await registry.invoke("flaky", {}, { caller });
const refused = await registry.invoke("flaky", {}, { caller });
assert(!refused.ok && refused.code === "BUDGET_EXCEEDED");
console.log(refused.error);
const limited = await registry.invoke("flaky", {}, { caller: { run: "run-2" } });
assert(!limited.ok && limited.code === "RATE_LIMITED");
console.log(limited.error);
