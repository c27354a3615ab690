import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { install, isInstallStale } from "../../scripts/lib/install.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const modules = join(here, "node_modules");

/**
 * The programs of bench/runtimes/package-lock.json, by name: their paths, or undefined for what is not there for this platform. They are
 * installed when they are missing. No script of theirs runs: the program of this platform is a package of its own.
 */
export async function installedRuntimes() {
  if (isInstallStale(here)) await install(here, ["--ignore-scripts"]);
  return {
    bun: programIn("@oven", "bin/bun"),
    deno: programIn("@deno", "deno"),
    workerd: programIn("@cloudflare", "bin/workerd"),
    esbuild: existsSync(join(modules, "esbuild")) ? join(modules, "esbuild", "lib", "main.js") : undefined,
  };
}

/** "@oven", "bin/bun" → ".../@oven/bun-linux-x64/bin/bun" */
function programIn(scope, path) {
  const folder = join(modules, scope);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.flatMap((name) => [join(folder, name, path), join(folder, name, `${path}.exe`)]).find((file) => existsSync(file));
}
