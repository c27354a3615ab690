import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { duration } from "../lib/table.mjs";

const maxNs = 2_000;
const maxBytes = 1_500;

/** Each size in a process of its own, so that no heap carries over. */
export async function measureRegistering() {
  const rows = [];
  for (const count of [1_000, 10_000, 100_000]) {
    const { ns } = await inChild(["time", count]);
    const { bytes } = await inChild(["heap", count]);
    const verdict = ns <= maxNs && bytes <= maxBytes ? "ok" : "over";
    rows.push([
      `register ${count.toLocaleString("en")} defined tools`,
      `${duration(ns)} each`,
      `${Math.round(bytes)} bytes each`,
      `≤ ${duration(maxNs)}, ${maxBytes} bytes`,
      verdict,
    ]);
  }
  const { bytes } = await inChild(["calls", 1_000_000]);
  rows.push(["heap after a million calls", "", `${(bytes / 1e6).toFixed(2)} MB more`, "≤ 1 MB", bytes <= 1e6 ? "ok" : "over"]);
  return { caption: "Registering, and what calls leave behind", columns: ["what", "CPU time", "heap", "target", "verdict"], rows };
}

function inChild(args) {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(new URL("./registering-child.mjs", import.meta.url)), args.map(String), { execArgv: ["--expose-gc"] });
    child.on("message", resolve);
    child.on("exit", (code) => code !== 0 && reject(new Error(`Registering ended with ${code}.`)));
  });
}
