import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./lib/files.mjs";
import { startProgress } from "./lib/progress.mjs";
import { orExit, ready } from "./ready.mjs";

// `npm start`: a server with tools, agents and a policy to look at. Words after -- go to it: npm start -- --port 8080
await orExit(() => ready());
const command = join(root, "packages", "cli", "bin", "toolrack.cjs");
const config = join(root, "examples", "demo", "toolrack.config.yaml");
const finish = startProgress("starting the server");
// Tools that are records: a stored program and a chain. Records that are there stay as they are.
spawnSync(process.execPath, [command, "--config", config, "bootstrap", join(root, "examples", "demo", "records")], {
  cwd: root,
  stdio: ["ignore", "ignore", "inherit"],
});
const child = spawn(process.execPath, [command, "--config", config, "serve", ...process.argv.slice(2)], {
  cwd: root,
  stdio: ["inherit", "inherit", "inherit", "ipc"],
});
// It says when its code is loaded, which is most of the wait; what it prints comes after that.
child.once("message", () => finish("done"));
// Ctrl-C reaches the whole group; the server ends in order, and this after it.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => signal === "SIGTERM" && child.kill(signal));
child.on("close", (code) => process.exit(code ?? 1));
