import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openStore } from "./open.mjs";

const writer = fileURLToPath(new URL("./writer.mjs", import.meta.url));

/**
 * Starts a process that writes, kills it with -9 in the middle, and looks whether everything that it acknowledged is there; again and again
 * on one database. `restart`, where it is given, kills the server too, every `restartEvery` rounds.
 */
export async function runKills({ storeModule, target, rounds, restart, restartEvery = 10, onRound = () => undefined }) {
  const counts = {
    rounds: 0,
    puts: 0,
    groups: 0,
    calls: 0,
    begins: 0,
    aborted: 0,
    changes: 0,
    restarts: 0,
    lost: [],
    torn: [],
    gaps: [],
    auditRows: 0,
    audit: "not checked",
  };
  for (let round = 0; round < rounds; round++) {
    const kills = restart !== undefined && round % restartEvery === restartEvery - 1;
    const promises = await writeAndKill({ storeModule, target, round, restart: kills ? restart : undefined });
    if (kills) counts.restarts += 1;
    await check({ storeModule, target, promises, counts, round });
    counts.rounds += 1;
    onRound(counts);
  }
  return counts;
}

export function isClean({ lost, torn, gaps, audit }) {
  return lost.length === 0 && torn.length === 0 && gaps.length === 0 && audit === "verified";
}

async function writeAndKill({ storeModule, target, round, restart }) {
  const child = spawn(process.execPath, [writer, storeModule, JSON.stringify(target), String(round)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const lines = [];
  const isReady = new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => (line === "ready" ? resolve() : lines.push(line)));
    child.once("exit", () => reject(new Error("The writer ended before it was ready.")));
  });
  await isReady;
  // In the middle of work, whatever the speed of the machine.
  for (let waited = 0; lines.length < 36 && waited < 10_000; waited += 5) await sleep(5);
  await sleep(Math.random() * 80);
  if (restart !== undefined) await restart();
  child.kill("SIGKILL");
  await ended;
  return lines.map((line) => line.split(" "));
}

async function check({ storeModule, target, promises, counts, round }) {
  const { createCallLog, verifyAudit } = await import(storeModule);
  const store = await openStore(storeModule, target);
  try {
    const calls = createCallLog(store);
    counts.aborted += await calls.abandon(`round-${round}`);
    for (const call of await calls.running()) counts.lost.push(call.callId);
    for (const [kind, id] of promises) {
      counts[`${kind}s`] += 1;
      const wanted = kind === "group" ? [`${id}-a`, `${id}-b`, `${id}-c`] : [id];
      for (const one of wanted) if (!(await isThere(kind, one, store, calls))) counts.lost.push(one);
    }
    const groups = new Map();
    for (const { id } of await store.searchBreadcrumbs({ tag: `round:${round}` })) {
      const [, group] = /^(.*)-[abc]$/.exec(id) ?? [];
      if (group !== undefined) groups.set(group, (groups.get(group) ?? 0) + 1);
    }
    for (const [group, size] of groups) if (size !== 3) counts.torn.push(group);
    await checkSequence(store, counts);
    const audit = await verifyAudit(store);
    counts.audit = audit.ok ? "verified" : audit.reason;
    counts.auditRows = audit.ok ? audit.rows : counts.auditRows;
  } finally {
    await store.close();
  }
}

/** A call that began is there as finished or as aborted; one whose end was acknowledged as finished. */
async function isThere(kind, id, store, calls) {
  if (kind === "begin") return (await calls.show(id)) !== undefined;
  return kind === "call" ? (await calls.show(id))?.ok === true : (await store.get(id)) !== undefined;
}

/** Reads on from the last number that was seen in an earlier round. */
async function checkSequence(store, counts) {
  const last = await store.sequence();
  if (last === counts.changes) return;
  const controller = new AbortController();
  for await (const { sequence } of store.changes({ since: counts.changes, signal: controller.signal })) {
    if (sequence !== counts.changes + 1) counts.gaps.push(counts.changes + 1);
    counts.changes = sequence;
    if (sequence >= last) controller.abort();
  }
}
