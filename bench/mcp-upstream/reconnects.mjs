import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const server = fileURLToPath(new URL("../../packages/mcp/test/upstream/fixtures/stdio-server.mjs", import.meta.url));

/** Starts a server again and again: each time it is lost by a crash, given up during the handshake, or closed. */
export async function countLeftBehind({ mcpSource }, rounds = 1_000) {
  const before = childrenOf(process.pid);
  const options = {
    name: "brief",
    command: process.execPath,
    args: [server, JSON.stringify({ era: "modern", tools: [] })],
    backoffMs: 60_000,
  };
  const started = performance.now();
  for (let round = 0; round < rounds; round++) {
    const source = mcpSource(options);
    const leaving = new AbortController();
    const listing = source.list({ signal: leaving.signal });
    if (round % 3 === 0) setTimeout(() => leaving.abort(), Math.random() * 60);
    await listing.catch(() => undefined);
    if (round % 3 === 1) for (const pid of childrenOf(process.pid)) if (!before.includes(pid)) process.kill(pid, "SIGKILL");
    await source.close();
  }
  const left = childrenOf(process.pid).filter((pid) => !before.includes(pid));
  const heapMb = process.memoryUsage().heapUsed / 1e6;
  return { rounds, left: left.length, seconds: (performance.now() - started) / 1_000, heapMb };
}

function childrenOf(pid) {
  const lines = execFileSync("ps", ["-o", "pid=,ppid=,comm=", "-A"], { encoding: "utf8" }).trim().split("\n");
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, program]) => Number(parent) === pid && program !== "ps")
    .map(([child]) => Number(child));
}
