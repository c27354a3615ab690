import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./lib/files.mjs";
import { orExit, ready } from "./ready.mjs";

await orExit(() => ready());

const tour = join(root, "examples", ".build", "tour", "index.js");
if (!existsSync(tour)) {
  console.error("There is no guided run: examples/tour/index.ts is missing.");
  process.exit(1);
}
const child = spawn(process.execPath, [tour, ...process.argv.slice(2)], { cwd: root, stdio: "inherit" });
child.on("close", (code) => process.exit(code ?? 1));
