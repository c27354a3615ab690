import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./files.mjs";

/**
 * Runs a program to its end and keeps what it printed, both streams in the order they came.
 * With `timeout`, a program that has not ended after so many milliseconds is ended. Contract: resolves always; a program that cannot be started has code 127 and the reason as its output.
 */
export function run(command, args, { cwd = root, env = process.env, shell = false, timeout } = {}) {
  const started = performance.now();
  return new Promise((resolve) => {
    const chunks = [];
    const end = (code) => resolve({ code, output: Buffer.concat(chunks).toString("utf8"), ms: performance.now() - started });
    const child = spawn(command, args, { cwd, env, shell, timeout, stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.stderr.on("data", (chunk) => chunks.push(chunk));
    child.on("error", (error) => {
      chunks.push(Buffer.from(`${command} could not be started: ${error.message}\n`));
      end(127);
    });
    child.on("close", (code, signal) => {
      if (signal) chunks.push(Buffer.from(`${command} was ended by ${signal}\n`));
      end(code ?? 1);
    });
  });
}

/** Runs a JavaScript file with this Node. */
export function runNode(args, options) {
  return run(process.execPath, args, options);
}

/** Runs the command line tool of an installed package, for instance `runTool("typescript", "tsc", ["-b"])`. */
export function runTool(packageName, name, args, options) {
  const folder = join(root, "node_modules", packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return runNode([join(folder, typeof bin === "string" ? bin : bin[name]), ...args], options);
}

/** Runs npm: the one that started this process if there is one, else the one on the path. */
export function runNpm(args, options) {
  const npm = process.env.npm_execpath ?? "";
  if (npm.endsWith("npm-cli.js")) return runNode([npm, ...args], options);
  return run("npm", args, { ...options, shell: process.platform === "win32" });
}
