import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "./until.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
/** Below the packages, where a program finds what it imports of others. */
const bundles = "packages/testkit/.build";

/**
 * Bundles a TypeScript file and all that it imports into JavaScript that plain Node runs, without a build. `file` is its URL. Returns the path of
 * the JavaScript file. The packages of others are part of the bundle: to find and load their hundreds of files takes a third of the time in which
 * a server starts. The programs of all tests are bundled together, once for all processes of a run: one takes as long as all.
 */
export async function bundleProgram(file: URL): Promise<string> {
  const path = toPosix(relative(root, fileURLToPath(file)));
  const together = await (ofThisRun ??= bundleOnce());
  if (Object.hasOwn(together, path)) return together[path]!;
  return (await bundle([path], `${bundles}/${randomUUID()}`))[path]!;
}

/** Removes what was bundled for one test file; what the run has in common goes when the next one begins. */
export function removeProgram(file: string): void {
  if (basename(dirname(dirname(file))) !== programs) rmSync(dirname(file), { recursive: true, force: true });
}

const programs = "programs";
let ofThisRun: Promise<Readonly<Record<string, string>>> | undefined;

/** Whoever asks first bundles the programs, the others wait. By the path of each source, the path of the program. */
async function bundleOnce(): Promise<Readonly<Record<string, string>>> {
  const run = process.env["TEST_RUN_FOLDER"]!;
  const outcome = join(run, "programs.json");
  if (isFirst(join(run, programs))) {
    removeOldRuns();
    const text = await bundle(programsOfTests(), `${bundles}/${programs}/${basename(run)}`).then(
      (made) => JSON.stringify({ made }),
      (error: unknown) => JSON.stringify({ error: String(error) }),
    );
    writeFileSync(`${outcome}.new`, text);
    renameSync(`${outcome}.new`, outcome);
  }
  await until(() => existsSync(outcome), "Another process did not finish bundling the programs of the tests.");
  const { made, error } = JSON.parse(readFileSync(outcome, "utf8")) as { readonly made?: Readonly<Record<string, string>>; error?: string };
  if (made === undefined) throw new Error(error);
  return made;
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** The folder of a run ends with it, and nobody uses its programs then. */
function removeOldRuns(): void {
  const folder = join(root, bundles, programs);
  for (const run of existsSync(folder) ? readdirSync(folder) : [])
    if (!existsSync(join(tmpdir(), run))) rmSync(join(folder, run), { recursive: true, force: true });
}

/** What test files name: `bundleProgram(new URL("killing.ts", import.meta.url))`. */
function programsOfTests(): readonly string[] {
  const found = new Set<string>();
  for (const name of readdirSync(join(root, "packages"))) {
    const folder = join(root, "packages", name, "test");
    for (const file of existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : []) {
      if (!file.endsWith(".test.ts")) continue;
      const test = join(folder, file);
      for (const [, url] of readFileSync(test, "utf8").matchAll(/bundleProgram\(new URL\("([^"]+)", import\.meta\.url\)\)/g)) {
        const program = resolve(dirname(test), url!);
        if (existsSync(program)) found.add(toPosix(relative(root, program)));
      }
    }
  }
  return [...found].sort();
}

async function bundle(paths: readonly string[], dir: string): Promise<Readonly<Record<string, string>>> {
  const { rolldown } = await import("rolldown");
  const names = new Map(paths.map((path) => [path, path.replace(/\.ts$/, "").replaceAll("/", "-")]));
  const build = await rolldown({
    input: Object.fromEntries([...names].map(([path, name]) => [name, join(root, path)])),
    // What `pg` and `ws` use where it is installed.
    external: ["pg-native", "pg-cloudflare", "bufferutil", "utf-8-validate"],
    // "import" is not among them: it would hold for `require` too, and give packages with both forms the wrong one.
    resolve: { conditionNames: ["toolrack-source", "node"] },
    platform: "node",
    logLevel: "silent",
  });
  const folder = join(root, dir);
  await build.write({ dir: folder, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" });
  await build.close();
  return Object.fromEntries([...names].map(([path, name]) => [path, join(folder, `${name}.mjs`)]));
}

function toPosix(path: string): string {
  return path.replaceAll("\\", "/");
}
