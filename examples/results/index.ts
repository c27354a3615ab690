// What a handler may return, and what a caller gets.
import assert from "node:assert/strict";
import { defineTool, type HandlerReturn, toStructured } from "@toolrack/core";
import { executeTool } from "@toolrack/core/array";

const returning = (value: HandlerReturn) =>
  defineTool({ name: "report", description: "Reports.", inputSchema: { type: "object" }, handler: () => value });

// #region returns
const text = returning("Rain at noon.");
const data = returning({ sky: "rain", from: "12:00" });
const blocks = returning([
  { type: "text", text: "Rain at noon." },
  { type: "resource_link", uri: "https://example.com/radar", name: "radar" },
]);
const full = returning({
  ok: true,
  content: "Saved the forecast.",
  data: { bytes: 210 },
  effects: [{ kind: "file", action: "write", target: "forecast.md" }],
});
const failed = returning({ ok: false, error: "The weather service is closed on Sundays.", code: "TOOL_FAILED", retryable: true });
// #endregion

for (const tool of [text, data, blocks, full, failed]) {
  const result = await executeTool(tool, {});
  console.log(result.ok ? `ok      ${result.content}` : `failed  ${result.error}`);
}

// #region read
const result = await executeTool(data, {});
if (result.ok) {
  console.log(result.content); // the text that a model reads: {"sky":"rain","from":"12:00"}
  console.log(result.data); // the value that a program reads: { sky: "rain", from: "12:00" }
} else {
  console.log(result.error); // a message
  console.log(result.code, result.status); // "TOOL_FAILED" 500
  console.log(result.retryable, result.retryAfterMs); // whether, and when, the same call may succeed
}
// #endregion
assert(result.ok && result.content === '{"sky":"rain","from":"12:00"}');

// #region structured
const { success, data: value, error } = toStructured(result); // and execution_time_ms
// #endregion
assert(success && error === null);
assert.deepEqual(value, { sky: "rain", from: "12:00" });

const circle: Record<string, unknown> = {};
circle["self"] = circle;
const impossible = await executeTool(returning(circle), {});
assert(!impossible.ok && impossible.code === "RESULT_INVALID");
console.log(`failed  ${impossible.error.split("\n")[0]}`);
