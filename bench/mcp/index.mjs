export const title =
  "MCP over HTTP with policy and validation, beside a bare handler that answers the same bytes, the official SDK and fastmcp";

/** `npm run bench:mcp -- 2000 0` abandons fewer sessions in the memory part and asks as fewer callers; `0 0` leaves both out. */
export async function run([sessions = "10000", callers = "1000"] = []) {
  const { measureMcp } = await import("./measure.mjs");
  return measureMcp({ sessions: Number(sessions), callers: Number(callers) });
}
