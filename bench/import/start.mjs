import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../scripts/lib/files.mjs";
import { run } from "../../scripts/lib/run.mjs";
import { median } from "../lib/measure.mjs";
import { node24 } from "../lib/peers.mjs";

const command = join(root, "packages", "cli", "bin", "toolrack.cjs");
const targetMs = 200;
const rounds = 15;

/** How long `toolrack list` takes on a small local store, beside a process that does nothing. */
export async function startTable() {
  const folder = mkdtempSync(join(tmpdir(), "toolrack-bench-"));
  const places = [{ path: process.execPath, version: process.versions.node }, node24()].filter(Boolean);
  const measured = places.map((place) => ({ ...place, empty: [], list: [] }));
  try {
    // The first time makes the store, and keeps what was compiled.
    for (const { path } of measured) await timed(path, [command, "list"], folder);
    for (let round = 0; round < rounds; round++) {
      for (const { path, empty, list } of measured) {
        empty.push(await timed(path, ["-e", "0"], folder));
        list.push(await timed(path, [command, "list"], folder));
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return {
    caption: `The command, median of ${rounds} starts each`,
    columns: ["what", "time", "an empty process", "target", "verdict"],
    rows: measured.map(({ version, empty, list }) => {
      const ms = median(list);
      const verdict = ms <= targetMs ? "ok" : "over";
      return [`toolrack list (Node ${version})`, `${ms.toFixed(0)} ms`, `${median(empty).toFixed(0)} ms`, `≤ ${targetMs} ms`, verdict];
    }),
  };
}

async function timed(node, args, cwd) {
  const { code, output, ms } = await run(node, args, { cwd });
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${output}`);
  return ms;
}
