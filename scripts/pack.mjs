import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { root } from "./lib/files.mjs";
import { packPackages } from "./lib/pack.mjs";
import { orExit, ready } from "./ready.mjs";

// `npm run pack -- <folder>`: the packages as npm would publish them.
await orExit(() => ready());
const folder = resolve(process.argv[2] ?? join(root, "node_modules", ".cache", "toolrack", "packed"));
mkdirSync(folder, { recursive: true });
const packed = await packPackages(folder);
console.log(`Packed ${packed.size} packages. Install them in an empty folder:\n  npm install ${join(folder, "*.tgz")}`);
