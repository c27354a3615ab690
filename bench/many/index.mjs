import { loadCore } from "../lib/core.mjs";

export const title = "Many tools in one process: registering, listing, searching and policy, from 10,000 to 100,000";

const counts = [10_000, 100_000];
/** One tool among 100,000 may cost so many times what it costs among 10,000. */
const mostGrowth = 2;
const rounds = 3;

export async function run() {
  const core = await loadCore("search", "policy");
  const measured = [];
  for (const count of counts) measured.push(await best(count, core));
  const [few, many] = measured;
  return [
    {
      caption: `CPU time for all tools; the cost of one among ${number(counts[1])} beside one among ${number(counts[0])}, the best of ${rounds} rounds`,
      columns: ["what", `${number(counts[0])} tools`, `${number(counts[1])} tools`, "growth of one", "target", "verdict"],
      rows: Object.keys(few).map((what) => {
        const growth = many[what] / counts[1] / (few[what] / counts[0]);
        return [what, ms(few[what]), ms(many[what]), growth.toFixed(2), `≤ ${mostGrowth}`, growth <= mostGrowth ? "ok" : "over"];
      }),
    },
  ];
}

async function best(count, core) {
  const lowest = {};
  for (let round = 0; round < rounds; round++)
    for (const [what, micros] of Object.entries(await measureOnce(count, core))) lowest[what] = Math.min(lowest[what] ?? Infinity, micros);
  return lowest;
}

async function measureOnce(count, { codeSource, createRegistry, defineTool, readPolicyConfig, searchTools }) {
  const tools = makeTools(count, defineTool);
  const registry = createRegistry({ policy: readPolicyConfig({ tools: { deny: ["tool_7*"] } }) });
  const times = {};
  const timed = async (what, work) => {
    globalThis.gc?.();
    const before = process.cpuUsage();
    const result = await work();
    const { user, system } = process.cpuUsage(before);
    times[what] = user + system;
    return result;
  };
  await timed("register", () => registry.addSource(codeSource("many", tools)));
  const listed = await timed("list", () => registry.list());
  if (listed.length !== count) throw new Error(`${listed.length} of ${count} tools are listed.`);
  const offered = await timed("apply the policy for a caller", () => registry.view({ agent: "a" }).tools);
  if (offered.length === 0 || offered.length >= count) throw new Error(`The policy keeps ${offered.length} of ${count} tools.`);
  const hits = await timed("search, the first time", () => searchTools(offered, "reads the invoice of a customer", { limit: 5 }));
  if (hits.length !== 5) throw new Error(`The search finds ${hits.length} tools.`);
  await registry.close();
  return times;
}

const verbs = ["reads", "writes", "finds", "removes", "sends", "counts"];
const things = ["invoice", "customer", "order", "message", "file", "calendar", "page", "record", "address", "report"];

function makeTools(count, defineTool) {
  return Array.from({ length: count }, (_, index) =>
    defineTool({
      name: `tool_${index}`,
      description: `Number ${index} ${verbs[index % verbs.length]} the ${things[index % things.length]} of a ${things[(index >> 3) % things.length]}.`,
      inputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"], additionalProperties: false },
      handler: () => "done",
    }),
  );
}

function number(value) {
  return value.toLocaleString("en");
}

function ms(micros) {
  return `${(micros / 1_000).toFixed(1)} ms`;
}
