import { fork } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { measureModules } from "./modules.mjs";
import { installProblem } from "./ready.mjs";

const modules = new URL("../node_modules/", import.meta.url);

/**
 * Measures modules against one unit, each under a Node that its packages accept: those that accept this Node in this process, the
 * others in a process of Node 24, together with the unit, so that their ratio is taken where they run.
 *
 * `unit` and each of `subjects` is `{ name, file, needs?, target? }`: `file` is the URL of a module that exports `create(setting)`,
 * which answers the function to measure; `needs` are the packages that it imports. `setting` is plain data.
 * Answers the rows of `measure`, in the order given; what cannot run has `{ name, notRun }` instead, with the reason.
 */
export async function measureWithPeers({ unit, subjects, setting, ...options }) {
  const placed = subjects.map((subject) => ({ ...subject, file: String(subject.file), ...placeFor(subject.needs ?? []) }));
  const rows = new Map(placed.filter(({ notRun }) => notRun).map(({ name, notRun }) => [name, { name, notRun }]));
  for (const node of new Set([process.execPath, ...placed.flatMap((subject) => subject.node ?? [])])) {
    const job = {
      unit: { ...unit, file: String(unit.file) },
      subjects: placed.filter((subject) => subject.node === node),
      setting,
      options,
    };
    const measured = node === process.execPath ? await measureModules(job) : await measureInChild(node, job);
    const note = node === process.execPath ? "" : ` (Node ${job.subjects[0].version})`;
    for (const row of measured) if (!rows.has(row.name)) rows.set(row.name, { ...row, name: row.name + note });
  }
  return [unit, ...subjects].map(({ name }) => rows.get(name));
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

function measureInChild(execPath, job) {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(new URL("./child.mjs", import.meta.url)), { execPath, execArgv: [] });
    child.on("message", resolve);
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`The process of ${execPath} ended with ${code} before it had measured.`)));
    child.send(job);
  });
}
