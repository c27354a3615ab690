import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { measure } from "../lib/measure.mjs";
import { duration, times } from "../lib/table.mjs";

const mostGrowth = 2;
const mostHeapMb = 64;
const crowds = [1, 256, 300, 1_000, 100_000];

/** Agents in rotation: what one call and one view cost beside those of a single agent, and the memory that stays after all of them. */
export async function agentsTable(core, toolCount) {
  const tools = makeTools(core, toolCount);
  const rows = [
    ...crowds.map((count) => ({ name: count.toLocaleString("en"), count, policy: forEverybody, isJudged: count > 1 })),
    { name: "100,000 unknown", count: 100_000, policy: { ...forEverybody, unknownAgents: "deny" } },
    { name: "1,000 with own lists", count: 1_000, policy: { ...forEverybody, agents: ownLists(1_000) } },
  ];
  const subjects = [];
  // The first registry of a process is slower than its copies; it is not measured.
  await createSubjects(core, tools, rows[0]);
  for (const row of rows) subjects.push({ ...row, ...(await createSubjects(core, tools, row)) });
  const unit = rows[0].name;
  const calls = await measure(
    subjects.map(({ name, call }) => ({ name, run: call })),
    { unit },
  );
  const views = await measure(
    subjects.map(({ name, view }) => ({ name, run: view })),
    { unit },
  );
  return {
    caption: `${toolCount.toLocaleString("en")} tools and many agents: a call and a list, beside those of one agent`,
    columns: ["agents", "call", "ratio", "list", "ratio", "heap", "target", "verdict"],
    rows: subjects.map(({ name, isJudged, heapMb }, index) => {
      const isSlow = isJudged && (calls[index].ratio > mostGrowth || views[index].ratio > mostGrowth);
      return [
        name,
        duration(calls[index].ns),
        times(calls[index].ratio),
        duration(views[index].ns),
        times(views[index].ratio),
        `${heapMb.toFixed(1)} MB`,
        `${isJudged ? `≤ ${times(mostGrowth)}, ` : ""}≤ ${mostHeapMb} MB`,
        isSlow || heapMb > mostHeapMb ? "over" : "ok",
      ];
    }),
  };
}

const forEverybody = { tools: { allow: ["group:plugins", "group:fs", "core_*"], deny: ["core_tool_1*", "exec", "plug3", "*_99"] } };

function ownLists(count) {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`agent-${index}`, { tools: { deny: [`core_tool_${2 * index}`] } }]),
  );
}

function makeTools({ defineTool }, count) {
  return Array.from({ length: count }, (_, index) => {
    const isOfPlugin = index % 2 === 1;
    return defineTool({
      name: isOfPlugin ? `plug${index % 50}_tool_${index}` : `core_tool_${index}`,
      description: "Does nothing.",
      inputSchema: { type: "object" },
      handler: () => "done",
      ...(isOfPlugin && { metadata: { pluginId: `plug${index % 50}` } }),
    });
  });
}

/** Each call is another agent's, and of another tool. Every tool was called and every agent saw its list before: their memory is `heapMb`. */
async function createSubjects({ createRegistry, readPolicyConfig }, tools, { count, policy }) {
  const registry = createRegistry({ policy: readPolicyConfig(policy) });
  for (const tool of tools) registry.register(tool);
  const callers = Array.from({ length: count }, (_, index) => ({ agent: `agent-${index}` }));
  let [calls, views] = [0, 0];
  const call = () => registry.invoke(tools[(calls * 7) % tools.length].name, {}, { caller: callers[calls++ % count] });
  const view = () => registry.view(callers[views++ % count]).tools.length;
  // What depends on the tools alone is not counted as memory of agents.
  for (const { name } of tools) await registry.invoke(name, {}, { caller: { owner: true } });
  const before = heapUsed();
  for (let agent = 0; agent < count; agent++) {
    await call();
    view();
  }
  return { call, view, heapMb: Math.max(0, heapUsed() - before) / 1e6 };
}

let collectGarbage;

function heapUsed() {
  if (collectGarbage === undefined) {
    setFlagsFromString("--expose-gc");
    collectGarbage = runInNewContext("gc");
  }
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
