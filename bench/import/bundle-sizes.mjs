import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "../../scripts/lib/files.mjs";

const kB = 1_000;

/** What a program imports, what it is bundled for, and how large its bundle may be. */
export const bundles = [
  { what: "defineTool", imports: { index: ["defineTool"] }, maxBytes: 20 * kB },
  { what: "defineTool + createRegistry + invoke", imports: { index: ["defineTool", "createRegistry"] }, maxBytes: 185 * kB },
  { what: "the same + readPolicyConfig", imports: { index: ["defineTool", "createRegistry"], "exports/policy": ["readPolicyConfig"] } },
  { what: "defineTool, for browsers", imports: { index: ["defineTool"] }, platform: "browser", maxBytes: 20 * kB },
  {
    what: "defineTool + createRegistry + invoke, for browsers",
    imports: { index: ["defineTool", "createRegistry"] },
    platform: "browser",
    maxBytes: 206 * kB,
  },
];

/** The size of each bundle, and beside it what its programs load when they first need it. */
export async function bundleTable() {
  const rows = [];
  for (const { what, imports, platform, maxBytes } of bundles) {
    const { bytes, later } = await measureBundle(imports, platform);
    rows.push([what, inKb(bytes), ...(maxBytes === undefined ? ["", ""] : [`≤ ${inKb(maxBytes)}`, bytes <= maxBytes ? "ok" : "over"])]);
    const parts = [...later].map(([name, size]) => `${name} ${inKb(size)}`).join(", ");
    rows.push([`… loaded later: ${parts === "" ? "nothing" : parts}`, inKb(sum(later.values())), "", ""]);
  }
  return { caption: "Bundled and minified, from the sources", columns: ["what", "size", "target", "verdict"], rows };
}

/**
 * Bundles a program that imports these names from files of the core. `bytes` is what it loads at once, `modules` the files that this comes from.
 * `later` has the size of each package that the bundled files hand to `loadLate`, and of each part behind an `import()`. A bundle for browsers
 * brings those packages along, since a browser cannot load one while it waits.
 */
export async function measureBundle(imports, platform = "node") {
  const source = (file) => JSON.stringify(join(root, "packages", "core", "src", `${file}.ts`));
  const entry = Object.entries(imports)
    .map(([file, names]) => `export { ${names.join(", ")} } from ${source(file)};`)
    .join("\n");
  const output = await bundleText(entry, platform);
  const atOnce = new Set();
  const add = (file) => {
    const chunk = output.find(({ fileName }) => fileName === file);
    if (chunk === undefined || atOnce.has(chunk)) return;
    atOnce.add(chunk);
    chunk.imports.forEach(add);
  };
  output.filter((chunk) => chunk.isEntry).forEach(({ fileName }) => add(fileName));
  const later = new Map(output.filter((chunk) => !atOnce.has(chunk)).map((chunk) => [chunk.name, sizeOf([chunk])]));
  const packages = platform === "node" ? packagesLoadedLater(output) : [];
  for (const name of packages) later.set(name, sizeOf(await bundleText(`export * from ${JSON.stringify(name)};`, platform)));
  const modules = [...atOnce].flatMap((chunk) => chunk.moduleIds.map((id) => relative(root, id)));
  return { bytes: sizeOf(atOnce), later, modules };
}

async function bundleText(code, platform) {
  const { rolldown } = await import("rolldown");
  const entry = "virtual:entry";
  const build = await rolldown({
    input: entry,
    platform,
    cwd: join(root, "packages", "core"),
    resolve: { conditionNames: ["toolrack-source", platform, "import"] },
    logLevel: "silent",
    plugins: [
      {
        name: "entry",
        resolveId(id, importer) {
          if (id === entry) return id;
          // Packages are looked up from where the core would load them.
          return importer === entry && !id.startsWith("/")
            ? this.resolve(id, join(root, "packages", "core", "src", "index.ts"))
            : undefined;
        },
        load: (id) => (id === entry ? code : undefined),
      },
    ],
  });
  // A program that is bundled to its end needs no hints for bundlers.
  const { output } = await build.generate({ format: "esm", minify: true, comments: { annotation: false } });
  await build.close();
  return output.filter(({ type }) => type === "chunk");
}

/** Dependencies that bundled code names without importing them: it hands them to a `require` of its own, which no bundler follows. */
function packagesLoadedLater(chunks) {
  const named = (name) => chunks.some(({ code }) => [`\`${name}\``, `"${name}"`].some((text) => code.includes(text)));
  const folders = readdirSync(join(root, "packages"));
  const dependencies = folders.flatMap((folder) => {
    const { dependencies: own = {} } = JSON.parse(readFileSync(join(root, "packages", folder, "package.json"), "utf8"));
    return Object.keys(own).filter((name) => !name.startsWith("@toolrack/"));
  });
  return [...new Set(dependencies)].filter(named);
}

function sizeOf(chunks) {
  return sum([...chunks].map(({ code }) => Buffer.byteLength(code)));
}

function sum(numbers) {
  return [...numbers].reduce((total, number) => total + number, 0);
}

/** 169_949 → "169.9 kB" */
function inKb(bytes) {
  return `${(bytes / kB).toFixed(1)} kB`;
}
