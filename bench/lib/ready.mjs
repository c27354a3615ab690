import { fileURLToPath } from "node:url";
import { install, isInstallStale } from "../../scripts/lib/install.mjs";
import { seconds } from "../../scripts/lib/print.mjs";
import { ready } from "../../scripts/ready.mjs";

const bench = fileURLToPath(new URL("..", import.meta.url));

/** Why the peers could not be installed, in one line; undefined when they could. */
export let installProblem;

/** Installs and builds the workspace, then installs the peers. Without them the benchmarks still run, and say what they miss. */
export async function benchReady() {
  await ready();
  if (!isInstallStale(bench)) return;
  process.stdout.write("installing the peers of bench/package-lock.json …");
  const { code, output, ms } = await install(bench, ["--ignore-scripts"]);
  process.stdout.write(` ${code === 0 ? seconds(ms) : "failed"}\n`);
  if (code !== 0) installProblem = output.split("\n").find((line) => line.startsWith("npm error")) ?? `npm ended with ${code}`;
}
