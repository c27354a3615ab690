import { readFileSync } from "node:fs";
import { loadCore } from "../lib/core.mjs";
import { measure } from "../lib/measure.mjs";
import { measureWithPeers } from "../lib/peers.mjs";
import { toTable } from "../lib/table.mjs";
import { nestedSchema } from "./nested.mjs";
import { scoreTarget } from "./score.mjs";

export const title = "Vendors: how many schemas stay usable, and what adapting and exporting cost";

const shares = { loose: 0.99, strict: 0.97 };

/** `npm run bench:vendors -- FILE.jsonl` scores the schemas of a file; without one only the speed is measured. */
export async function run([file]) {
  return [await scores(file), await adapting(), await exporting()];
}

async function scores(file) {
  const caption = "Schemas usable: accepted by the vendor's rules, and every valid instance kept";
  const columns = ["target", "accepted", "kept", "usable", "at least", "invalid let through", "verdict"];
  if (file === undefined) return { caption, columns, rows: [["not run: give a file of schemas", "", "", "", "", "", ""]] };
  const core = await loadCore("vendors");
  const rows = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return {
    caption: `${caption} (${rows.length} schemas)`,
    columns,
    rows: core.schemaTargets.map((target) => {
      const { accepted, kept, usable, leaks, faults } = scoreTarget(core, rows, target);
      for (const fault of faults) console.error(`${target}: ${fault}`);
      const wanted = target.endsWith("-strict") ? shares.strict : shares.loose;
      const isRight = usable / rows.length >= wanted && leaks === 0;
      return [
        target,
        ...[accepted, kept, usable].map((count) => percent(count / rows.length)),
        percent(wanted),
        String(leaks),
        isRight ? "ok" : "over",
      ];
    }),
  };
}

function percent(share) {
  return `${(share * 100).toFixed(1)} %`;
}

async function adapting() {
  const at = (name) => new URL(name, import.meta.url);
  const targets = ["openai", "anthropic", "openai-strict", "gemini-openapi"];
  const rows = await measureWithPeers({
    unit: { name: "JSON.parse of the schema", file: at("./unit.mjs") },
    subjects: [
      ...targets.map((target) => ({ name: `Toolrack, ${target}`, file: at(`./adapt-${target}.mjs`) })),
      { name: "AI SDK, asSchema", file: at("./ai-sdk.mjs"), needs: ["ai", "zod"] },
      { name: "LangChain, convertToOpenAITool", file: at("./langchain.mjs"), needs: ["@langchain/core", "zod"] },
    ],
    setting: {},
  });
  const slowest = Math.min(...rows.filter(({ name }) => /AI SDK|LangChain/.test(name)).map(({ ratio }) => ratio ?? Infinity));
  const judged = rows.map((row) =>
    row.name.startsWith("Toolrack") && Number.isFinite(slowest)
      ? { ...row, target: slowest, verdict: row.ratio <= slowest ? "ok" : "over" }
      : row,
  );
  return toTable("Adapting a nested schema of 30 properties; the target is the faster of the two peers", judged);
}

async function exporting() {
  const { exportTools } = await loadCore("vendors");
  const tools = Array.from({ length: 1_000 }, (_, index) => frozenTool(`tool_${index}`));
  let turn = 0;
  const changing = [frozenTool("tool_0"), frozenTool("tool_0")];
  const changed = changing.map((tool) => [tool, ...tools.slice(1)]);
  const subjects = [
    { name: "JSON.stringify of 1,000 tools", run: () => JSON.stringify(tools) },
    { name: "exportTools, nothing changed", run: () => exportTools(tools, "anthropic").text },
    { name: "exportTools, one list or the other", run: () => exportTools(changed[turn++ % 2], "anthropic") },
  ];
  return toTable("Exporting 1,000 tools again", await measure(subjects, { unit: "JSON.stringify of 1,000 tools" }));
}

function frozenTool(name) {
  return Object.freeze({
    name,
    description: `Does ${name}.`,
    inputSchema: Object.freeze(structuredClone(nestedSchema)),
    handler: () => "",
  });
}
