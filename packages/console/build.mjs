import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";

/** Builds the console to static files, with compressed forms next to them: into dist, or into another folder. */
export async function buildConsole({ outDir = fileURLToPath(new URL("./dist", import.meta.url)) } = {}) {
  const { build } = await import("vite");
  // Elsewhere than in production, React is another, larger one.
  const before = process.env["NODE_ENV"];
  process.env["NODE_ENV"] = "production";
  try {
    await build({ configFile: fileURLToPath(new URL("./vite.config.ts", import.meta.url)), logLevel: "warn", build: { outDir } });
  } finally {
    if (before === undefined) delete process.env["NODE_ENV"];
    else process.env["NODE_ENV"] = before;
  }
  compressFiles(outDir);
}

/** The server sends "app.js.br" or "app.js.gz" for "app.js" to browsers that take it. */
function compressFiles(folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const location = join(folder, name);
    if (!/\.(?:html|js|css|svg)$/.test(name) || statSync(location).size < leastBytes) continue;
    const bytes = readFileSync(location);
    writeFileSync(`${location}.br`, brotliCompressSync(bytes));
    writeFileSync(`${location}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

const leastBytes = 1_024;

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildConsole();
