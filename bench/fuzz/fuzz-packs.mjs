import { validateValue } from "@toolrack/json-schema";
import { loadCore } from "../lib/core.mjs";
import { fuzzTool } from "./fuzz.mjs";
import { packs } from "./packs.mjs";

/** One table for each pack; a tool with a fault is "over". */
export async function fuzzPacks(runs, only) {
  const { createRegistry } = await loadCore();
  const tools = await import("../../packages/tools/dist/index.js");
  const tables = [];
  for (const { name, open } of packs.filter((pack) => only === undefined || pack.name === only)) {
    const pack = await open(tools);
    const registry = createRegistry({ outputValidation: "strict", ...pack.registry });
    for (const tool of pack.tools) registry.register(tool);
    const rows = [];
    for (const tool of pack.tools) {
      const began = performance.now();
      const report = await fuzzTool({
        tool,
        runs,
        texts: pack.texts,
        hints: pack.hints,
        between: pack.between,
        call: (input) => registry.invoke(tool.name, input, { timeoutMs: 20_000, ...(pack.caller && { caller: pack.caller }) }),
        isValid: (input) => validateValue(tool.inputSchema, input).ok,
      });
      for (const { fault, input, result } of report.faults) console.error(`${tool.name}: ${fault}\n  input  ${input}\n  result ${result}`);
      console.error(
        `${tool.name}: ${report.calls} calls in ${((performance.now() - began) / 1000).toFixed(1)} s, ${report.faults.length} faults`,
      );
      rows.push(toRow(report));
    }
    await pack.close?.();
    tables.push({
      caption: `The pack ${name}`,
      columns: ["tool", "calls", "valid", "succeeded", "refused", "failed", "faults", "verdict"],
      rows,
    });
  }
  return tables;
}

function toRow({ tool, calls, valid, succeeded, refused, failed, faults }) {
  return [tool, ...[calls, valid, succeeded, refused, failed, faults.length].map(String), faults.length === 0 ? "ok" : "over"];
}
