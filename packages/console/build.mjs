import { fileURLToPath } from "node:url";

/** Builds the console to static files: into dist, or into another folder. */
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
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildConsole();
