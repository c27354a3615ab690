import { loadCore } from "../lib/core.mjs";

export const title = "MCP servers as a source: one of twenty that misbehaves, and a thousand connections";

export async function run(args = []) {
  const { createRegistry } = await loadCore();
  const { mcpSource } = await import(new URL("../../packages/mcp/dist/index.js", import.meta.url).href);
  const { measureFaults } = await import("./faults.mjs");
  const { countLeftBehind } = await import("./reconnects.mjs");
  const isShort = args.includes("short");
  const rows = await measureFaults({ createRegistry, mcpSource }, isShort ? { rounds: 3, roundMs: 500 } : {});
  const { high: unit } = rows[0];
  const { rounds, left, seconds, heapMb } = await countLeftBehind({ mcpSource }, isShort ? 30 : 1_000);
  return [
    {
      caption: "Calls of nineteen servers while the twentieth is …",
      columns: ["twentieth", "median", "99th percentile", "of healthy", "target", ""],
      rows: rows.map(({ fault, median, high }) => {
        const ratio = high / unit;
        return [fault, `${median.toFixed(2)} ms`, `${high.toFixed(2)} ms`, `${ratio.toFixed(2)}×`, "1.25×", ratio > 1.25 ? "over" : ""];
      }),
    },
    {
      caption: "Programs that are started, and crash, are given up or closed",
      columns: ["connections", "seconds", "heap", "processes left", "target", ""],
      rows: [[String(rounds), seconds.toFixed(0), `${heapMb.toFixed(0)} MB`, String(left), "0", left > 0 ? "over" : ""]],
    },
  ];
}
