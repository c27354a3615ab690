import { fileURLToPath } from "node:url";

/** Builds the console to static files in dist. */
export async function buildConsole() {
  const { build } = await import("vite");
  await build({ configFile: fileURLToPath(new URL("./vite.config.ts", import.meta.url)), logLevel: "warn" });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildConsole();
