import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { loadCore } from "../lib/core.mjs";
import { measure } from "../lib/measure.mjs";
import { toTable } from "../lib/table.mjs";

export const title = "Grammars of schemas and tool calls, judged by engines: npm run bench:grammar -- FILE.jsonl …";

const targets = { built: 0.99, valid: 0.98, invalid: 0.97, broken: 1, perfect: 0.9 };

/** Each file has rows of schemas or of tool sets with texts to accept and to refuse. The word `misses` names each wrong answer. */
export async function run(args) {
  const { createJudge, engines, installEngines } = await import("./engines.mjs");
  const { readCases, score } = await import("./score.mjs");
  const { toGbnf, toolCallGrammar } = await loadCore("grammar");
  const files = args.filter((argument) => argument !== "misses");
  const problem = files.length === 0 ? undefined : await installEngines();
  const tables = [];
  for (const file of files) {
    const cases = readCases(readFileSync(file, "utf8"));
    const questionOf = ({ schema, tools, parallel }) => ({
      grammar: tools === undefined ? toGbnf(schema) : toolCallGrammar(tools, { parallel }),
    });
    const rows = [];
    for (const engine of engines) {
      if (problem !== undefined) {
        rows.push([`Toolrack, judged by ${engine.name}`, "not run", "", "", "", "", "", "", problem]);
        continue;
      }
      rows.push(await judged(`Toolrack, judged by ${engine.name}`, engine, questionOf, true));
    }
    const hasSchemas = cases.every(({ tools }) => tools === undefined);
    if (hasSchemas && problem === undefined)
      rows.push(await judged("XGrammar's own converter", engines[1], ({ schema }) => ({ schema }), false));
    tables.push({
      caption: `${basename(file)}: ${cases.length} ${hasSchemas ? "schemas" : "tool sets"}`,
      columns: ["what", "built", "valid", "indented", "open keys", "invalid", "broken", "perfect", "verdict"],
      rows,
    });

    async function judged(name, engine, question, hasTargets) {
      const judge = createJudge(engine);
      const { counts, misses } = await score(cases, question, judge);
      judge.close();
      if (args.includes("misses")) for (const miss of misses) console.log(`  ${engine.name}: ${miss}`);
      return toRow(name, counts, cases.length, hasTargets);
    }
  }
  return [...tables, await timing(toolCallGrammar)];
}

function toRow(name, { built, perfect, ...pairs }, total, hasTargets) {
  const shares = { built: built / total, perfect: perfect / total };
  for (const [group, [right, all]] of Object.entries(pairs)) shares[group] = all === 0 ? undefined : right / all;
  const isMet = Object.entries(targets).every(([group, target]) => shares[group] === undefined || shares[group] >= target);
  const cells = ["built", "valid", "pretty", "open", "invalid", "broken", "perfect"].map((group) => percent(shares[group]));
  return [name, ...cells, hasTargets ? (isMet ? "met" : "over") : ""];
}

function percent(share) {
  return share === undefined ? "" : `${(100 * share).toFixed(1)} %`;
}

/** A hundred tools of ordinary shape; the unit is writing the same tools as JSON. */
async function timing(toolCallGrammar) {
  const tools = Array.from({ length: 100 }, (_, index) => ({
    name: `tool_${index}`,
    inputSchema: {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, maxLength: 200 },
        mode: { enum: ["read", "write", `mode_${index}`] },
        limit: { type: "integer", minimum: 1, maximum: 100 + index },
        since: { type: "string", format: "date-time" },
        options: { type: "object", properties: { deep: { type: "boolean" }, tags: { type: "array", items: { type: "string" } } } },
      },
      required: ["path"],
    },
  }));
  const subjects = [
    { name: "JSON.stringify", run: () => JSON.stringify(tools) },
    { name: "toolCallGrammar", run: () => toolCallGrammar(tools) },
  ];
  return toTable("The grammar of 100 tools", await measure(subjects, { unit: "JSON.stringify" }));
}
