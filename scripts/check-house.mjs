import { findLeafImports, findUndrawn, findWrongArrows } from "./house/arrows.mjs";
import { findRealTime } from "./house/clocks.mjs";
import { findUnquotedWords } from "./house/commands.mjs";
import { findCopiedFunctions } from "./house/copies.mjs";
import { findCycles } from "./house/cycles.mjs";
import {
  findBenchImports,
  findCopiedHelpers,
  findForeignComments,
  findImportsWithoutEnding,
  findInnerBarrels,
  findLoneFiles,
  findLongFiles,
  findMachinePaths,
  findPublishedPrivates,
} from "./house/files.mjs";
import { findTwinTypes } from "./house/names.mjs";
import { findPrivateImports } from "./house/privacy.mjs";
import { readHouse } from "./house/read.mjs";
import { root } from "./lib/files.mjs";
import { isMain } from "./lib/main.mjs";

/** Every fault of the house below `folder`, each `{ path, line, sentence }`, in the order of files and lines. */
export function checkHouse(folder) {
  const files = readHouse(folder);
  const findings = [
    ...findUndrawn(files),
    ...findWrongArrows(files),
    ...findCycles(files),
    ...findLeafImports(files),
    ...findPrivateImports(files),
    ...findTwinTypes(files),
    ...findInnerBarrels(files),
    ...findImportsWithoutEnding(files),
    ...findMachinePaths(files, folder),
    ...findForeignComments(files),
    ...findLoneFiles(files),
    ...findLongFiles(files),
    ...findPublishedPrivates(files),
    ...findBenchImports(files),
    ...findCopiedFunctions(files),
    ...findCopiedHelpers(files),
    ...findRealTime(files),
    ...findUnquotedWords(files),
  ];
  return findings.sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
}

if (isMain(import.meta.url)) {
  const findings = checkHouse(root);
  for (const { path, line, sentence } of findings) console.log(`${path}:${line}  ${sentence}`);
  if (findings.length > 0) process.exitCode = 1;
}
