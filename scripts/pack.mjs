import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { root } from "./lib/files.mjs";
import { packPackages } from "./lib/pack.mjs";
import { orExit, ready } from "./ready.mjs";

// `npm run pack -- <folder>`: the packages as npm would publish them.
if (process.argv[2]?.startsWith("-")) {
  console.log("npm run pack [-- <folder>]   packs the packages as npm would publish them, and prints the line that installs them");
  process.exit(process.argv[2] === "--help" ? 0 : 2);
}
await orExit(() => ready());
const folder = resolve(process.argv[2] ?? join(root, "node_modules", ".cache", "toolrack", "packed"));
mkdirSync(folder, { recursive: true });
const packed = await packPackages(folder);
console.log(`Packed ${packed.size} packages. Install them in an empty folder:\n  npm install ${join(folder, "*.tgz")}`);
