// Errors in a definition are thrown; failures of a call are returned.
import assert from "node:assert/strict";
// #region imports
import { createRegistry, defineTool, ToolAuthorizationError, ToolError, ToolInputError } from "@toolrack/core";
// #endregion

// #region definition
try {
  defineTool({ name: "get weather", description: "Tells the weather.", inputSchema: { type: "object" }, handler: () => "" });
} catch (error) {
  if (ToolError.is(error)) console.log(`${error.code}: ${error.message}`);
}
// #endregion

// #region throwing
const book = defineTool({
  name: "book_table",
  description: "Books a table.",
  inputSchema: { type: "object", properties: { guests: { type: "integer" }, day: { type: "string" } }, required: ["guests", "day"] },
  handler({ guests, day }, { caller }) {
    if (guests > 12) throw new ToolInputError("At most 12 guests fit at one table. Book two tables.");
    if (caller.roles?.includes("waiter") !== true) throw new ToolAuthorizationError("Only waiters may book.");
    if (day === "sunday") throw new ToolError("TOOL_FAILED", "The book is locked on Sundays.", { retryAfterMs: 86_400_000 });
    if (day === "never") throw new Error("There is no such day.");
    return `A table for ${guests} on ${day}.`;
  },
});
// #endregion

const registry = createRegistry();
registry.register(book);
const codes: string[] = [];
for (const [guests, day, roles] of [
  [20, "monday", ["waiter"]],
  [2, "monday", []],
  [2, "sunday", ["waiter"]],
  [2, "never", ["waiter"]],
  [2, "monday", ["waiter"]],
] as const) {
  const result = await registry.invoke("book_table", { guests, day }, { caller: { roles } });
  if (result.ok) console.log(result.content);
  else console.log(`${result.code} ${result.status}${result.retryable ? ", retryable" : ""}: ${result.error}`);
  codes.push(result.ok ? "ok" : result.code);
}
assert.deepEqual(codes, ["INPUT_INVALID", "TOOL_NOT_ALLOWED", "TOOL_FAILED", "TOOL_FAILED", "ok"]);

// #region issues
const wrong = await registry.invoke("book_table", { guests: "two", date: "monday" });
if (!wrong.ok) for (const { path, message } of wrong.issues ?? []) console.log(`${path || "/"}  ${message}`);
// #endregion
assert(!wrong.ok && wrong.issues?.[0]?.path === "/guests");

// #region repairs
const forgiving = createRegistry({ repairInputs: true });
forgiving.register(book);
const repaired = await forgiving.invoke("book_table", { guests: "2", day: "monday" }, { caller: { roles: ["waiter"] } });
console.log(repaired.meta.repairs);
// #endregion
assert(repaired.ok && repaired.meta.repairs?.length === 1);
