import { posix } from "node:path";
import { leafFolders, roomRows } from "./drawing.mjs";

/** "packages/core/src/tool/name.ts" → { package: "core", folder: "tool" }; undefined for what is not the source of a package. */
export function placeOf(path) {
  const [, name, rest] = /^packages\/([^/]+)\/src\/(.+)$/.exec(path) ?? [];
  if (rest === undefined) return undefined;
  return { package: name, folder: rest.includes("/") ? rest.slice(0, rest.indexOf("/")) : rest.replace(/\.tsx?$/, "") };
}

/** ".../policy/steps/channels.ts" → { house: ".../policy", folder: "steps" }; undefined outside of a folder whose rooms are drawn. */
export function roomOf(path) {
  const house = Object.keys(roomRows).find((candidate) => path.startsWith(`${candidate}/`));
  if (house === undefined) return undefined;
  const rest = path.slice(house.length + 1);
  return { house, folder: rest.split("/")[0].replace(/\.tsx?$/, "") };
}

/** "@toolrack/core/array" → "core"; "toolrack" → "cli"; undefined for packages that are not ours. */
export function packageOf(specifier) {
  if (specifier === "toolrack" || specifier.startsWith("toolrack/")) return "cli";
  return /^@toolrack\/([^/]+)/.exec(specifier)?.[1];
}

/** ".../call/wrappers/retry.ts" → { folder: ".../call/wrappers", name: "retry" }; undefined for what is not a leaf. */
export function leafOf(path) {
  const folder = Object.keys(leafFolders)
    .filter((candidate) => path.startsWith(`${candidate}/`))
    .sort((a, b) => b.length - a.length)[0];
  if (folder === undefined) return undefined;
  const name = path
    .slice(folder.length + 1)
    .split("/")[0]
    .replace(/\.tsx?$/, "");
  const folderName = posix.basename(folder);
  const isShared = name.startsWith("_") || name === "shared" || name === folderName || `${name}s` === folderName;
  return isShared ? undefined : { folder, name };
}
