import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundlePackage } from "../lib/bundle.mjs";
import { root } from "../lib/files.mjs";
import { run } from "../lib/run.mjs";

// Below node_modules, where the bundle finds the one package that it does not bring.
const place = join(root, "node_modules", ".cache", "toolrack", `bundle-test-${process.pid}`);
const keptIn = (folder) => join(folder, "node_modules", ".cache", "toolrack", `${process.version}-${process.arch}`);

describe("the bundled command", () => {
  beforeAll(async () => {
    await bundlePackage("cli", join(place, "lib"));
    copyLoader(place);
  });
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  it("loads less than 1.9 megabytes to list tools, and of other packages those that it needs", async () => {
    const folder = temporaryFolder({});
    const first = await command(place, ["list"], folder);
    expect(first).toEqual({ code: 0, output: expect.stringContaining("calculator") });
    const loaded = readdirSync(keptIn(place));
    const bytes = loaded.reduce((sum, name) => sum + statSync(join(place, "lib", name)).size, 0);
    expect(bytes).toBeLessThan(1_900_000);
    expect(packagesIn(loaded)).toEqual(["@opentelemetry/api", "commander", "ipaddr.js", "kysely", "picocolors"]);
    expect(await command(place, ["list"], folder)).toEqual(first);
  });

  it("changes the files of clients in every format, with the parsers that it brings", async () => {
    const folder = temporaryFolder({ "toolrack.config.yaml": "policy: { agents: { ada: { tools: { allow: [random] } } } }\n" });
    for (const client of ["zed", "codex", "goose"]) {
      const words = ["connect", client, "--file", join(folder, `${client}.txt`)];
      expect(await command(place, [...words, "--write"], folder)).toEqual({ code: 0, output: expect.stringContaining("Written:") });
      expect(await command(place, [...words, "--undo"], folder)).toEqual({ code: 0, output: expect.stringContaining("was removed") });
    }
  });

  it("imports the modules that a configuration names, also when it runs from what was kept", async () => {
    const folder = temporaryFolder({
      "toolrack.config.yaml": "tools:\n  modules: [./mine.mjs]\n",
      "mine.mjs": `export default { name: "mine", description: "Mine.", inputSchema: { type: "object" }, handler: async () => "hello" };`,
    });
    for (const time of ["first", "second"]) {
      const { code, output } = await command(place, ["call", "mine", "--json"], folder);
      expect({ time, code, output }).toEqual({ time, code: 0, output: expect.stringContaining('"content": "hello"') });
    }
  });

  it("checks a file in TypeScript that no server knows, with what it imports, and names the line of a syntax error", async () => {
    const folder = temporaryFolder({
      "bad.ts": `import { type Room, Switch, rooms } from "./rooms.js";
interface Input { readonly room: Room; readonly brightness?: number }
const draft = { name: "lamp", description: "Switches the lamp of a room on." } as const;
export const lamp = {
  ...draft,
  inputSchema: { type: "object", properties: { room: { type: "string", enum: rooms } }, required: ["room", "watts"] },
  metadata: { examples: [{ description: "Attic", input: { room: "attic", watts: Switch.on } }] },
  handler: ({ room, brightness }: Input): string => \`\${room satisfies Room} \${brightness!}\`,
};
`,
      "rooms.ts": `export type Room = "hall" | "cellar";\nexport enum Switch { off, on }\nexport const rooms: Room[] = ["hall", "cellar"];\n`,
      "broken.ts": `export const lamp = {\n  name: : "lamp",\n};\n`,
    });
    const { code, output } = await command(place, ["lint", "bad.ts", "--ci"], folder);
    expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining("1 tool in bad.ts") });
    expect(output).toMatch(/^lamp {2}error {2}required-not-in-properties {2}\/inputSchema\/required\/1\n.*\n {2}Fix: /m);
    expect(output).toMatch(/^lamp {2}error {2}example-mismatch {2}\/metadata\/examples\/0\/input/m);
    expect(output).toMatch(/^lamp {2}error {2}drift {2}\/handler\n {2}The handler reads "brightness"/m);
    const broken = await command(place, ["lint", "broken.ts"], folder);
    expect(broken).toEqual({ code: 1, output: expect.stringMatching(/broken\.ts" could not be loaded: broken\.ts:2:9 SyntaxError: /) });
  });
});

describe("the bundled library", () => {
  const folder = `${place}-core`;
  beforeAll(async () => {
    await bundlePackage("core", join(folder, "lib"));
    copyFileSync(join(root, "packages", "core", "package.json"), join(folder, "package.json"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("names its functions and lines in a stack trace", async () => {
    const stackOf = async (code) => {
      const program = `import { createRegistry, defineTool } from "./lib/index.js"; try { ${code} } catch (error) { console.log(error.stack); }`;
      return (await run(process.execPath, ["--input-type=module", "-e", program], { cwd: folder })).output;
    };
    const created = await stackOf(`createRegistry({ limit: {} })`);
    const registered = await stackOf(`createRegistry().register(null)`);
    expect(created).toMatch(/at createRegistry \(.*[/]lib[/].*\.js:\d{2,}:\d+\)/);
    expect(registered).toMatch(/at Object\.register \(/);
    // That of a refused definition begins at the line of its author.
    expect(await stackOf(`defineTool({ name: "a b" })`)).toMatch(/^ToolError: .*\n +at file:.*\[eval1\]:1:\d+/);
    expect(created + registered).not.toMatch(/at (?:\w+[. ])?\w{1,2} \(/);
  });
});

/** The packages of others whose code is in files of the bundle; a file without a map holds no code. */
function packagesIn(names) {
  const maps = names.map((name) => join(place, "lib", `${name}.map`)).filter((map) => existsSync(map));
  const sources = maps.flatMap((map) => JSON.parse(readFileSync(map, "utf8")).sources.map((source) => resolve(dirname(map), source)));
  return [...new Set(sources.flatMap((source) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []))].toSorted();
}

describe("the loader of the command", () => {
  const program = (word) => `const { word } = require("./part.cjs"); console.log(word, "${word}", require("node:path").sep.length);`;

  it("says how to build where nothing is built", async () => {
    expect(await command(withLoader({}), [])).toEqual({ code: 1, output: expect.stringContaining("npm run build") });
  });

  it("runs the code that is there, not what was kept for another of the same length", async () => {
    const folder = withLoader({ "lib/main.cjs": program("old"), "lib/part.cjs": `exports.word = "one";` });
    expect(await command(folder, [])).toEqual({ code: 0, output: "one old 1\n" });
    expect(readdirSync(keptIn(folder)).toSorted()).toEqual(["main.cjs", "part.cjs"]);
    writeFileSync(join(folder, "lib/main.cjs"), program("new"));
    writeFileSync(join(folder, "lib/part.cjs"), `exports.word = "two";`);
    expect(await command(folder, [])).toEqual({ code: 0, output: "two new 1\n" });
  });

  it("takes what it kept, and only as long as nobody changed it", async () => {
    const folder = withLoader({ "lib/main.cjs": program("main"), "lib/part.cjs": `exports.word = "part";` });
    await command(folder, []);
    const file = join(keptIn(folder), "main.cjs");
    const sound = readFileSync(file);
    const { mtimeMs } = statSync(file);
    await command(folder, []);
    expect(statSync(file).mtimeMs).toBe(mtimeMs);
    for (const broken of [Buffer.alloc(0), sound.subarray(0, 40), Buffer.concat([sound.subarray(0, -9), Buffer.alloc(9, 7)])]) {
      writeFileSync(file, broken);
      expect(await command(folder, [])).toEqual({ code: 0, output: "part main 1\n" });
      expect(readFileSync(file).length).toBeGreaterThan(100);
    }
  });

  it("runs where nothing can be kept", async () => {
    const files = { "lib/main.cjs": program("main"), "lib/part.cjs": `exports.word = "part";`, node_modules: "a file, and no folder" };
    const folder = withLoader(files);
    expect(await command(folder, [])).toEqual({ code: 0, output: "part main 1\n" });
    expect(existsSync(keptIn(folder))).toBe(false);
  });
});

function withLoader(files) {
  const folder = temporaryFolder(files);
  copyLoader(folder);
  return folder;
}

function copyLoader(to) {
  const from = join(root, "packages", "cli", "bin");
  mkdirSync(join(to, "bin"), { recursive: true });
  for (const name of readdirSync(from).filter((one) => one.endsWith(".cjs"))) copyFileSync(join(from, name), join(to, "bin", name));
}

async function command(place, words, folder = place) {
  const { code, output } = await run(process.execPath, [join(place, "bin", "toolrack.cjs"), ...words], { cwd: folder });
  return { code, output };
}
