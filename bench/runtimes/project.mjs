import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../../scripts/lib/files.mjs";
import { packedOnce } from "../../scripts/lib/pack.mjs";

/** A user's project: the packed packages in `node_modules`, and the program of examples/anywhere as it was built. */
export async function createProject() {
  // Below node_modules, where the packages find what they depend on.
  const folder = join(root, "node_modules", ".cache", "toolrack", `runtimes-${process.pid}`);
  rmSync(folder, { recursive: true, force: true });
  await unpack(["json-schema", "core"], folder);
  cpSync(join(root, "examples", ".build", "anywhere"), folder, { recursive: true });
  cpSync(join(root, "bench", "runtimes", "programs"), folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "anywhere", private: true, type: "module" }));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

async function unpack(names, project) {
  mkdirSync(project, { recursive: true });
  const { folder: tarballs, packed } = await packedOnce();
  for (const name of names) {
    const folder = join(project, "node_modules", "@toolrack", name);
    mkdirSync(folder, { recursive: true });
    const { filename } = packed.get(`@toolrack/${name}`);
    execFileSync("tar", ["-xzf", join(tarballs, filename), "--strip-components=1"], { cwd: folder });
  }
}

/** One file for browsers, with what `import()` loads beside it, by the bundler of Vite. Answers the names of the files. */
export async function bundleForBrowsers(project, program) {
  const { rolldown } = await import("rolldown");
  const build = await rolldown({ input: join(project, program), platform: "browser", cwd: project, logLevel: "silent" });
  const { output } = await build.write({ dir: join(project, "browser"), format: "esm", entryFileNames: program });
  await build.close();
  return output.map(({ fileName }) => fileName);
}

/** One file for workerd, by the bundler and the conditions of Cloudflare's tools. Throws where a module of Node is imported. */
export async function bundleForWorkerd(project, program, esbuild) {
  const conditions = ["workerd", "worker", "browser"];
  await bundleWith(esbuild, join(project, program), { outfile: join(project, "workerd", program), platform: "browser", conditions });
}

/** One file for Node, in a folder that has no packages. */
export async function bundleForNode(project, program, esbuild, folder) {
  await bundleWith(esbuild, join(project, program), { outfile: join(folder, program), platform: "node" });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
}

async function bundleWith(esbuild, entry, options) {
  const { build } = await import(pathToFileURL(esbuild).href);
  await build({ entryPoints: [entry], bundle: true, format: "esm", target: "es2022", logLevel: "silent", ...options });
}
