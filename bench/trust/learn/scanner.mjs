import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const scan = fileURLToPath(new URL("../../../packages/core/src/scan/", import.meta.url));

/** The insides of the scanner, from the source: what it sees of a text, and the features of each sentence. */
export async function loadScanner() {
  const folder = mkdtempSync(join(tmpdir(), "toolrack-train-"));
  try {
    const entry = join(folder, "entry.ts");
    const names = {
      "subject.ts": "readScannedTool, readScannedResult",
      "scan.ts": "learnedRules",
      "judge.ts": "placeOf, signsOf, beyond",
      "learned/families.ts": "countFamilies",
      "learned/features.ts": "visitFeatures, visitSigns, featureSpace",
      "learned/weigh.ts": "scale",
    };
    writeFileSync(
      entry,
      Object.entries(names)
        .map(([file, list]) => `export { ${list} } from ${JSON.stringify(join(scan, file))};\n`)
        .join(""),
    );
    const bundle = await rolldown({ input: entry, platform: "node" });
    const output = join(folder, "scanner.mjs");
    await bundle.write({ file: output, format: "esm" });
    await bundle.close();
    return await import(pathToFileURL(output).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
