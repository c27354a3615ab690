import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const scan = fileURLToPath(new URL("../../../packages/core/src/scan/", import.meta.url));

/** The insides of the scanner, from the source: what it sees of a text, and the features of each sentence. */
export function loadScanner() {
  return bundle({
    "subject.ts": "readScannedTool, readScannedResult",
    "scan.ts": "learnedRules",
    "judge.ts": "placeOf, signsOf, beyond",
    "learned/families.ts": "countFamilies",
    "learned/features.ts": "visitFeatures, visitSigns, featureSpace",
    "learned/weigh.ts": "scale",
  });
}

/** The scanner with other models than the shipped ones: { definition, result }. */
export function bundleScanner(models) {
  return bundle({ "scan.ts": "scanTool, scanResult" }, models);
}

async function bundle(names, models) {
  const folder = mkdtempSync(join(tmpdir(), "toolrack-train-"));
  const instead = {
    name: "other-models",
    load(id) {
      const kind = /learned\/(definition|result)-weights\.ts$/.exec(id)?.[1];
      return kind === undefined || models === undefined ? null : `export const ${kind}Model = ${JSON.stringify(models[kind])};`;
    },
  };
  try {
    const entry = join(folder, "entry.ts");
    writeFileSync(
      entry,
      Object.entries(names)
        .map(([file, list]) => `export { ${list} } from ${JSON.stringify(join(scan, file))};\n`)
        .join(""),
    );
    const built = await rolldown({ input: entry, platform: "node", plugins: [instead] });
    const output = join(folder, "scanner.mjs");
    await built.write({ file: output, format: "esm" });
    await built.close();
    return await import(pathToFileURL(output).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
