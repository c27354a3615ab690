// What a handler may return, and what a caller gets.
import assert from "node:assert/strict";
// #region imports
import { createRegistry, defineTool, type HandlerReturn, toStructured } from "@toolrack/core";
import { executeTool } from "@toolrack/core/array";
// #endregion

// #region returning
const returning = (value: HandlerReturn) =>
  defineTool({ name: "report", description: "Reports.", inputSchema: { type: "object" }, handler: () => value });
// #endregion

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
const mcp = returning({ content: [{ type: "text", text: "No forecast." }], isError: true }); // the shape of MCP: a failure
// #endregion

for (const tool of [text, data, blocks, full, failed, mcp]) {
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

// #region convert
const converted = await executeTool(returning({ at: new Date(0), tags: new Set(["a"]), stock: new Map([["tea", 3]]) }), {});
const impossible = await executeTool(returning({ items: [{ price: 2 }, { price: Number.NaN }] }), {});
// #endregion
assert.deepEqual(converted.ok && converted.data, { at: "1970-01-01T00:00:00.000Z", tags: ["a"], stock: { tea: 3 } });
assert(!impossible.ok && impossible.code === "RESULT_INVALID");
console.log(`ok      ${converted.ok && converted.content}`);
console.log(`failed  ${impossible.error}`);

// #region stream
const story = defineTool({
  name: "story",
  description: "Tells a story, word by word.",
  inputSchema: { type: "object" },
  async *handler() {
    for (const word of ["Once ", "upon ", "a time."]) yield word;
  },
});
const registry = createRegistry();
registry.register(story);
const heard: (string | undefined)[] = [];
const told = await registry.invoke("story", {}, { onProgress: ({ message }) => heard.push(message) });
// #endregion
assert(told.ok && told.content === "Once upon a time.");
assert.deepEqual(heard, ["Once ", "upon ", "a time."]);
console.log(`ok      ${told.content}`);
