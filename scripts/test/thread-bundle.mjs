import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../lib/files.mjs";

/** Tests need no build: the program of the grammar thread is made from its sources when a test first imports what starts it. */
export function threadBundle() {
  const made = "\0thread-file";
  let file;
  return {
    name: "thread-bundle",
    enforce: "pre",
    // The file belongs to one process, so its address is not kept for the next run.
    configureVitest: ({ experimental_defineCacheKeyGenerator }) =>
      experimental_defineCacheKeyGenerator(({ id }) => (id === made ? false : undefined)),
    resolveId: (id) => (/[/]thread-file[.]ts$/.test(id) ? made : undefined),
    async load(id) {
      if (id !== made) return undefined;
      file ??= bundleThread();
      return `export function threadFile() { return new URL(${JSON.stringify(pathToFileURL(await file).href)}); }`;
    },
  };
}

async function bundleThread() {
  const { rolldown } = await import("rolldown");
  const core = join(root, "packages", "core");
  const build = await rolldown({
    input: join(core, "src", "grammar", "thread", "grammar-thread.ts"),
    external: (id) => /^[^./#]/.test(id) && !id.startsWith("@toolrack/"),
    resolve: { conditionNames: ["toolrack-source", "node"] },
    platform: "node",
    cwd: core,
    logLevel: "warn",
  });
  const file = join(core, "node_modules", ".cache", "toolrack-test", `grammar-thread-${process.pid}.mjs`);
  await build.write({ file, format: "esm", codeSplitting: false });
  await build.close();
  return file;
}
