import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../lib/files.mjs";

/** The exports of a source file as they are when it runs, without a build: "packages/server/src/routes.ts" → { routes }. */
export async function loadSource(path) {
  const { rolldown } = await import("rolldown");
  const file = join(root, "node_modules", ".cache", "toolrack", "reference", `${path.replaceAll("/", "-")}.mjs`);
  mkdirSync(dirname(file), { recursive: true });
  const bundle = await rolldown({
    input: join(root, path),
    platform: "node",
    external: /^(?!\.|\/|#|@toolrack\/)/,
    resolve: { conditionNames: ["toolrack-source", "node", "import"] },
    logLevel: "silent",
  });
  await bundle.write({ file, format: "esm", codeSplitting: false });
  await bundle.close();
  return import(pathToFileURL(file).href);
}
