import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "./lib/files.mjs";
import { orExit, ready } from "./ready.mjs";

// `npm run tour`: the library in a minute, printed.
await orExit(() => ready());
const child = spawn(process.execPath, [join(root, "examples", ".build", "tour", "index.js")], { cwd: root, stdio: "inherit" });
child.on("close", (code) => process.exit(code ?? 1));
