import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { loadCode } from "./load.mjs";

const loop = "let sum = 0; for (let i = 0; i < 1e9; i++) { if (i % 3 === 0) sum += i; else sum -= 1; } return sum;";
const functions =
  "const f = (x) => x + 1; let n = 0; const list = [1, 2, 3, 4, 5, 6, 7, 8]; for (;;) n = list.map(f).filter((x) => x > 3).reduce((a, b) => a + b, n % 7);";
const twentyCalls =
  "let total = 0; for (let i = 0; i < 20; i++) { const order = await tools.find({ id: `O-${i}` }); total += order.items.reduce((sum, item) => sum + item.price * item.count, 0); } return total;";

/** About a hundred lines, as a model writes them. */
const hundredLines = Array.from(
  { length: 12 },
  (_, index) => `
interface Item${index} { sku: string; quantity: number; price?: number }
async function load${index}(ids: string[], limit = ${index + 3}): Promise<Item${index}[]> {
  const found = await Promise.all(ids.slice(0, limit).map((id) => tools.find({ id })));
  return found.filter((item): item is any => item !== null).map(({ sku, quantity = 1, ...rest }) => ({ sku, quantity, ...rest }));
}
const rows${index} = (await load${index}(["a", "b"])).sort((a, b) => a.quantity - b.quantity);
if (rows${index}.length > 0) console.log(\`\${rows${index}[0].sku}: \${rows${index}.reduce((sum, row) => sum + row.quantity, 0)}\`);
`,
).join("");

export async function speedTables() {
  const { prepareProgram, runProgram, startProgram } = await loadCode();
  const find = async ({ id }) => ({ id, items: [{ price: 2, count: 3 }, { price: 4, count: 1 }] }); // prettier-ignore
  const stepsOf = async (source, labels) => {
    const limits = { steps: 3_000_000 };
    const before = process.cpuUsage();
    const result = await runProgram(source, { tools: { find }, limits, ...labels });
    return result.steps / (cpu(before) / 1e6);
  };
  const rows = [];
  for (const [name, source] of [
    ["a loop", loop],
    ["functions over lists", functions],
  ]) {
    for (const [suffix, labels] of [
      ["", {}],
      [", with labels", { labels: { find: ["private"] } }],
    ]) {
      await stepsOf(source, labels);
      const speed = await stepsOf(source, labels);
      rows.push([`steps a second: ${name}${suffix}`, `${(speed / 1e6).toFixed(1)} million`, "≥ 1 million", speed >= 1e6 ? "ok" : "over"]);
    }
  }
  // Until then the host still compiles the parser, on other cores: its CPU time would be counted here.
  median((round) => prepareProgram(`${hundredLines}// first ${round}`), 200);
  const prepareMs = median((round) => prepareProgram(`${hundredLines}// ${round}`), 50);
  const lines = hundredLines.trim().split("\n").length;
  rows.push([`prepare ${lines} lines`, `${prepareMs.toFixed(2)} ms`, "< 5 ms", prepareMs < 5 ? "ok" : "over"]);
  rows.push([`prepare ${lines} lines, as the first program of a process`, `${firstMs().toFixed(0)} ms`, "", ""]);
  await medianAsync(() => runProgram(twentyCalls, { tools: { find } }), 50);
  const callsMs = await medianAsync(() => runProgram(twentyCalls, { tools: { find } }), 50);
  const alone = await medianAsync(async () => {
    for (let i = 0; i < 20; i++) await find({ id: `O-${i}` });
  }, 50);
  rows.push(["20 calls, over the calls", `${(callsMs - alone).toFixed(2)} ms`, "< 1 ms", callsMs - alone < 1 ? "ok" : "over"]);
  if (startProgram !== undefined) {
    const started = await startProgram(hundredLines, { tools: ["find"] });
    const bytes = JSON.stringify(started.state).length;
    rows.push(["a paused program of that size", `${(bytes / 1024).toFixed(1)} kB`, "< 20 kB", bytes < 20 * 1024 ? "ok" : "over"]);
  }
  return [{ caption: "Speed, in CPU time of one core", columns: ["what", "measured", "target", "verdict"], rows }];
}

function firstMs() {
  const script = fileURLToPath(new URL("first.mjs", import.meta.url));
  return Number(execFileSync(process.execPath, [script], { input: hundredLines, encoding: "utf8" }));
}

function cpu(before) {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function median(work, rounds) {
  const times = Array.from({ length: rounds }, (_, round) => {
    const before = process.cpuUsage();
    work(round);
    return cpu(before) / 1000;
  });
  return times.toSorted((a, b) => a - b)[rounds >> 1];
}

async function medianAsync(work, rounds) {
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    await work();
    times.push(cpu(before) / 1000);
  }
  return times.toSorted((a, b) => a - b)[rounds >> 1];
}
