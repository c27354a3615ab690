import { fork } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { defaultRounds } from "./measure.mjs";
import { installProblem } from "./ready.mjs";

const modules = new URL("../node_modules/", import.meta.url);

/**
 * Measures modules against one unit, each in a process of its own under a Node that its packages accept, together with the unit: what
 * one library does to the process (hooks on promises, patched globals) is no matter of another. The rounds of all of them
 * are interleaved, and a ratio is taken where its subject runs.
 *
 * `unit` and each of `subjects` is `{ name, file, needs?, target? }`: `file` is the URL of a module that exports `create(setting)`,
 * which answers the function to measure; `needs` are the packages that it imports. `setting` is plain data.
 * Answers the rows of `measure`, in the order given; what cannot run has `{ name, notRun }` instead, with the reason.
 */
export async function measureWithPeers({ unit, subjects, setting, rounds = defaultRounds, ...options }) {
  const job = { unit: { ...unit, file: String(unit.file) }, setting, options };
  const places = [];
  for (const subject of subjects) places.push(await openPlace({ ...subject, file: String(subject.file) }, job));
  const running = places.filter(({ child }) => child);
  try {
    for (let round = 0; round < rounds; round++) for (const { child } of running) await ask(child, "round", { round });
    for (const place of running) place.rows = await ask(place.child, "rows");
  } finally {
    for (const { child } of running) child.kill();
  }
  const rows = places.map(({ name, notRun, note, rows }) => (notRun === undefined ? { ...rows[1], name: name + note } : { name, notRun }));
  return [running[0]?.rows[0] ?? { name: unit.name, notRun: "nothing could be measured beside it" }, ...rows];
}

/** A process in which the subject and the unit are warm: `{ name, child, note }`, or `{ name, notRun }`. */
async function openPlace({ needs = [], ...subject }, job) {
  const { name } = subject;
  const { node, version, notRun } = placeFor(needs);
  if (notRun !== undefined) return { name, notRun };
  const child = fork(fileURLToPath(new URL("./child.mjs", import.meta.url)), { execPath: node, execArgv: [] });
  const failure = await ask(child, "prepare", { ...job, subject });
  if (failure.notRun !== undefined) child.kill();
  return failure.notRun === undefined ? { name, child, note: node === process.execPath ? "" : ` (Node ${version})` } : { name, ...failure };
}

function ask(child, what, message) {
  return new Promise((resolve, reject) => {
    const fail = (code) => reject(new Error(`The process that measures ended with ${code} before it had answered.`));
    child.once("exit", fail);
    child.once("message", ({ answer }) => {
      child.off("exit", fail);
      resolve(answer);
    });
    child.send({ ask: what, ...message });
  });
}

/** Which Node can run code that needs these packages: `{ node, version }` (a path), or `{ notRun }` with the reason. */
export function placeFor(needs) {
  const candidates = [{ path: process.execPath, version: process.versions.node }, node24()].filter(Boolean);
  const peers = needs.map((name) => ({ name, manifest: readManifest(name) }));
  const absent = peers.find(({ manifest }) => manifest === undefined);
  if (absent) return { notRun: `${absent.name} is not installed${installProblem ? `: ${installProblem}` : ""}` };
  const accepts = ({ version }) => peers.every(({ manifest }) => satisfies(version, manifest.engines?.node ?? "*"));
  const accepted = candidates.find(accepts);
  if (accepted) return { node: accepted.path, version: accepted.version };
  return { notRun: `needs another Node: ${peers.map(({ name, manifest }) => `${name} ${manifest.engines?.node ?? "any"}`).join(", ")}` };
}

/** The Node 24 that npm installed for this platform: `{ path, version }`, or undefined. */
export function node24() {
  const platform = process.platform === "win32" ? "win" : process.platform;
  for (const name of [`node-${platform}-${process.arch}`, `node-bin-${platform}-${process.arch}`]) {
    const manifest = readManifest(name);
    if (manifest) return { path: fileURLToPath(new URL(`${name}/${manifest.bin.node}`, modules)), version: manifest.version };
  }
  return undefined;
}

function readManifest(name) {
  const file = new URL(`${name}/package.json`, modules);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

function satisfies(version, range) {
  return createRequire(import.meta.url)("semver").satisfies(version, range);
}
