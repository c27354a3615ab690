import { fork } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runNpm } from "../../scripts/lib/run.mjs";

const folder = fileURLToPath(new URL(".", import.meta.url));

/** The builds of llama.cpp that need no graphics card; the package of the platform is the only optional one that is wanted. */
const llamaBuilds = {
  "linux-x64": "linux-x64",
  "linux-arm64": "linux-arm64",
  "darwin-arm64": "mac-arm64-metal",
  "darwin-x64": "mac-x64",
  "win32-x64": "win-x64",
};

/** Installs the engines into this folder. Answers why that failed, in one line, or undefined. */
export async function installEngines() {
  const build = llamaBuilds[`${process.platform}-${process.arch}`];
  if (build === undefined) return `there is no build of llama.cpp for ${process.platform}-${process.arch}`;
  const { dependencies } = JSON.parse(readFileSync(`${folder}package.json`, "utf8"));
  const wanted = { ...dependencies, [`@node-llama-cpp/${build}`]: dependencies["node-llama-cpp"] };
  if (Object.entries(wanted).every(([name, version]) => installedVersion(name) === version)) return undefined;
  process.stdout.write("installing the engines of bench/grammar/package.json …\n");
  // Without a lock: npm cannot keep one for packages whose optional dependencies are those of other platforms.
  const options = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--omit=optional", "--ignore-scripts"];
  const { code, output } = await runNpm(["install", ...options, ...Object.entries(wanted).map(([name, version]) => `${name}@${version}`)], {
    cwd: folder,
  });
  return code === 0 ? undefined : firstError(output, code);
}

function installedVersion(name) {
  const file = `${folder}node_modules/${name}/package.json`;
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).version : undefined;
}

function firstError(output, code) {
  return output.split("\n").find((line) => line.startsWith("npm error")) ?? `npm ended with ${code}`;
}

export const engines = [
  { name: "llama.cpp", file: "./judge-llama.mjs" },
  { name: "XGrammar", file: "./judge-xgrammar.mjs" },
];

/**
 * An engine in a process of its own, which a bad grammar may take down: the next question starts another one.
 * `ask` answers `{ ok: true, … }` or `{ ok: false, reason }`.
 */
export function createJudge({ file }) {
  let child;
  const start = () => {
    child = fork(fileURLToPath(new URL(file, import.meta.url)), { stdio: ["ignore", "ignore", "ignore", "ipc"] });
    return child;
  };
  return {
    ask(question) {
      const judge = child ?? start();
      return new Promise((resolve) => {
        const onMessage = (answer) => {
          judge.off("exit", onExit);
          resolve(answer);
        };
        const onExit = (code) => {
          judge.off("message", onMessage);
          child = undefined;
          resolve({ ok: false, reason: `the engine ended with ${code}` });
        };
        judge.once("message", onMessage);
        judge.once("exit", onExit);
        judge.send(question);
      });
    },
    close: () => child?.kill(),
  };
}
