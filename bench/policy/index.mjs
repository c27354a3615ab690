import { coreUrl, loadCore } from "../lib/core.mjs";
import { measure } from "../lib/measure.mjs";
import { duration, times, toTable } from "../lib/table.mjs";
import { agentsTable } from "./agents.mjs";
import { foldEveryEntry } from "./fold.mjs";
import { makeTools, policies } from "./setting.mjs";

export const title = "Applying a policy of seven steps, with groups, globs and group:plugins";

const leastGain = 200;
const mostGrowth = 2;
const mostNanoseconds = 1_000;
const curve = [25, 100, 1_000, 10_000, 100_000];

export async function run() {
  const core = await loadCore("policy", "compat");
  const steps = core.buildDefaultToolPolicyPipelineSteps(policies);
  return [
    await gainTable(core, steps),
    await curveTable(core, steps),
    await cacheTable(core, steps),
    await agentsTable(core, 1_000),
    await agentsTable(core, 10_000),
  ];
}

/** The library keeps nothing about a list that is not frozen: every run begins anew. */
async function gainTable({ applyToolPolicyPipeline, coreToolCatalog, normalizeToolName: normalize }, steps) {
  const groups = groupCatalog(coreToolCatalog);
  const ours = taker(10_000);
  const theirs = taker(10_000);
  const unit = "a fold over every entry";
  const subjects = [
    { name: unit, run: () => foldEveryEntry({ tools: theirs(), steps, groups, normalize }) },
    { name: "applyToolPolicyPipeline", run: () => applyToolPolicyPipeline({ tools: ours(), steps }).tools, target: 1 / leastGain },
  ];
  const [left, kept] = subjects.map(({ run }) => run().length);
  if (left !== kept) throw new Error(`The fold keeps ${left} tools, the pipeline ${kept}: they do not do the same work.`);
  const rows = await measure(subjects, { unit, rounds: 7, warmupMs: 1_000 });
  const table = toTable(`10,000 tools, half of them from plugins, ${kept} kept; at least ${leastGain} times less`, rows);
  for (const [index, { ratio }] of rows.entries()) table.rows[index][2] = `1/${Math.round(1 / ratio)}`;
  table.rows[1][3] = `≤ 1/${leastGain}`;
  return table;
}

async function curveTable({ applyToolPolicyPipeline }, steps) {
  const subjects = curve.map((count) => {
    const take = taker(count);
    return { name: String(count), run: () => applyToolPolicyPipeline({ tools: take(), steps }).tools };
  });
  const rows = await measure(subjects, { unit: "1000", rounds: 15 });
  const perTool = rows.map(({ ns }, index) => ns / curve[index]);
  const unit = perTool[curve.indexOf(1_000)];
  return {
    caption: `From ${curve[0]} to ${curve.at(-1).toLocaleString("en")} tools: the cost of one tool, beside its cost among 1,000`,
    columns: ["tools", "CPU time", "one tool", "ratio", "target", "verdict"],
    rows: rows.map(({ ns }, index) => {
      const growth = perTool[index] / unit;
      const isJudged = curve[index] > 1_000;
      const verdict = growth <= mostGrowth ? "ok" : "over";
      return [
        curve[index].toLocaleString("en"),
        duration(ns),
        duration(perTool[index]),
        times(growth),
        isJudged ? `≤ ${times(mostGrowth)}` : "",
        isJudged ? verdict : "",
      ];
    }),
  };
}

async function cacheTable({ applyToolPolicyPipeline }, steps) {
  const { createDecisionCache } = await import(new URL("../dist/policy/decide/cache.js", coreUrl).href);
  const tools = Object.freeze(makeTools(10_000));
  const cache = createDecisionCache();
  const decide = () => applyToolPolicyPipeline({ tools, steps });
  const facts = {
    agent: "support",
    provider: "openai",
    model: "gpt-5",
    channel: "telegram",
    group: "-100",
    sender: "id:42",
    session: "s-1",
  };
  const frozen = Object.freeze({ ...facts });
  const subjects = [
    { name: "the same caller", isJudged: true, run: () => cache.get(1, steps, frozen, decide).decisions.get("core_tool_5000") },
    { name: "another object with the same facts", run: () => cache.get(1, steps, { ...facts }, decide).decisions.get("core_tool_5000") },
  ];
  const rows = await measure(subjects, { unit: subjects[0].name });
  return {
    caption: "A decision about one of 10,000 tools that was made before",
    columns: ["for", "CPU time", "target", "verdict"],
    rows: rows.map(({ name, ns }, index) => {
      const verdict = ns < mostNanoseconds ? "ok" : "over";
      return [name, duration(ns), ...(subjects[index].isJudged ? [`< ${duration(mostNanoseconds)}`, verdict] : ["", ""])];
    }),
  };
}

/** "group:fs" → its tools. */
function groupCatalog(catalog) {
  const names = new Set(catalog.flatMap((tool) => tool.groups));
  return new Map([...names].map((group) => [group, catalog.filter((tool) => tool.groups.includes(group)).map((tool) => tool.name)]));
}

/** Hands out equal lists of different tools, one after the other. */
function taker(count) {
  const lists = Array.from({ length: count > 10_000 ? 4 : 20 }, () => makeTools(count));
  let next = 0;
  return () => lists[next++ % lists.length];
}
