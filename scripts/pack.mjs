import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { root } from "./lib/files.mjs";
import { linkPacked } from "./lib/link-packed.mjs";
import { packPackages } from "./lib/pack.mjs";
import { orExit, ready } from "./ready.mjs";

// `npm run pack -- <folder>`: the packages as npm would publish them, but that each finds the others in that folder.
const [asked] = process.argv.slice(2);
if (asked?.startsWith("-")) {
  console.log(
    "Usage: npm run pack -- [folder]\nPacks the packages, so that each can be installed from that folder alone, by default into node_modules/.cache/toolrack/packed.",
  );
  process.exit(/^(?:-h|--help)$/.test(asked) ? 0 : 1);
}
await orExit(() => ready());
const folder = resolve(asked ?? join(root, "node_modules", ".cache", "toolrack", "packed"));
mkdirSync(folder, { recursive: true });
const packed = await packPackages(folder);
linkPacked(folder, packed);
const fileOf = (name) => join(folder, packed.get(name).filename);
console.log(
  [
    `Packed ${packed.size} packages. To create a project with them, install one in an empty folder:`,
    `  npm install ${fileOf("create-toolrack")}`,
    "  npx create-toolrack my-tools",
    `The library alone: npm install ${fileOf("@toolrack/core")}`,
  ].join("\n"),
);
