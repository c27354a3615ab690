import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { root } from "./lib/files.mjs";
import { packPackages } from "./lib/pack.mjs";
import { orExit, ready } from "./ready.mjs";

// `npm run pack -- <folder>`: the packages as npm would publish them.
const [asked] = process.argv.slice(2);
if (asked?.startsWith("-")) {
  console.log(
    "Usage: npm run pack -- [folder]\nPacks the packages as npm would publish them, by default into node_modules/.cache/toolrack/packed.",
  );
  process.exit(/^(?:-h|--help)$/.test(asked) ? 0 : 1);
}
await orExit(() => ready());
const folder = resolve(asked ?? join(root, "node_modules", ".cache", "toolrack", "packed"));
mkdirSync(folder, { recursive: true });
const packed = await packPackages(folder);
console.log(`Packed ${packed.size} packages. Install them in an empty folder:\n  npm install ${join(folder, "*.tgz")}`);
