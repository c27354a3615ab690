import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundle, bundleFiles } from "./bundle.mjs";
import { listFiles, listFolders, root } from "./files.mjs";
import { runTool } from "./run.mjs";

const stamp = join(root, "node_modules", ".cache", "toolrack", "build");

/** Whether a file that the build reads was added, changed or removed since the last build, or its output is gone. */
export function isBuildStale() {
  if ([...buildInfoFiles(), ...bundleFiles(), consolePage].some((file) => !existsSync(file))) return true;
  return !existsSync(stamp) || readFileSync(stamp, "utf8") !== fingerprint();
}

/** Builds every package, every example and the console; the compiler itself skips what did not change. */
export async function build() {
  const before = fingerprint(); // a file saved during the build is newer than this, and builds again next time
  const result = await runTool("typescript", "tsc", ["-b"]);
  if (result.code === 0) {
    await bundle();
    if (existsSync(join(root, "packages", "console"))) await buildConsole();
    mkdirSync(dirname(stamp), { recursive: true });
    writeFileSync(stamp, before);
  }
  return result;
}

/** The console is built by the tool that also bundles it; the compiler only checks it. */
const consolePage = join(root, "packages", "console", "dist", "index.html");

async function buildConsole() {
  const { buildConsole: write } = await import(pathToFileURL(join(root, "packages", "console", "build.mjs")).href);
  await write();
}

/** What the compiler leaves behind in each project that has something to compile. */
function buildInfoFiles() {
  const isCompiled = (name) => name !== "console" && name !== "testkit" && existsSync(join(root, "packages", name, "tsconfig.json"));
  const packages = listFolders(join(root, "packages")).filter(isCompiled);
  const files = packages.map((name) => join(root, "packages", name, "dist", ".tsbuildinfo"));
  if (inputFiles("examples").some((file) => file.endsWith(".ts"))) files.push(join(root, "examples", ".build", ".tsbuildinfo"));
  return files;
}

function fingerprint() {
  const hash = createHash("sha256");
  for (const file of ["tsconfig.json", "tsconfig.base.json", "package-lock.json", ...inputFiles("packages"), ...inputFiles("examples")]) {
    const { size, mtimeMs } = statSync(join(root, file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex");
}

function inputFiles(folder) {
  const isInput = (file) =>
    /(\.tsx?|\.css|\.html|\.svg|build\.mjs|package\.json|tsconfig\.json)$/.test(file) && !/^[^/]+\/test\//.test(file);
  return listFiles(join(root, folder))
    .filter(isInput)
    .map((file) => `${folder}/${file}`);
}
