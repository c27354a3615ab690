import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { checkHouse } from "../check-house.mjs";
import { clockExceptions } from "../house/clocks.mjs";
import { readImports } from "../house/read.mjs";

const core = "packages/core/src";
const empty = "export {};\n";

/**
 * Each finding as "path:line sentence", paths shortened to what follows packages/core/src. Most of these houses are so small that
 * their folders hold a single file, so that finding is left out unless it is asked for.
 */
function findingsOf(files, { loneFiles = false } = {}) {
  return checkHouse(temporaryFolder(files))
    .filter(({ sentence }) => loneFiles || !sentence.includes("holds nothing else"))
    .map(({ path, line, sentence }) => `${path.replace(`${core}/`, "")}:${line} ${sentence}`);
}

describe("the house check", () => {
  it("accepts imports that go to the left", () => {
    const files = {
      [`${core}/errors.ts`]: empty,
      [`${core}/policy/policy.ts`]: 'import "../errors.ts";\n',
      [`${core}/call/invoke.ts`]: 'import "../policy/policy.ts";\nimport "./context.ts";\n',
      [`${core}/call/context.ts`]: empty,
      [`${core}/testing/test-tool.ts`]: 'import "../registry/registry.ts";\n',
      [`${core}/registry/registry.ts`]: 'import "../call/invoke.ts";\n',
      [`${core}/index.ts`]: 'export { createRegistry } from "./registry/registry.ts";\n',
    };
    expect(findingsOf(files)).toEqual([]);
  });

  it("names file and line of an import that goes to the right", () => {
    const files = { [`${core}/util/a.ts`]: '// one\n\nimport type { B } from "../tool/b.ts";\n', [`${core}/tool/b.ts`]: empty };
    expect(findingsOf(files)).toEqual([expect.stringMatching(/^util\/a\.ts:3 util may not import tool: arrows go only to the left/)]);
  });

  it("follows what a package chooses for each runtime", () => {
    const imports = { "#parts": { "toolrack-source": { node: "./src/tool/on-node.ts", default: "./src/tool/on-web.ts" } } };
    const files = {
      "packages/core/package.json": JSON.stringify({ name: "@toolrack/core", imports }),
      [`${core}/util/a.ts`]: 'import "#parts";\n',
      [`${core}/tool/on-node.ts`]: empty,
    };
    expect(findingsOf(files)).toEqual([expect.stringMatching(/^util\/a\.ts:1 util may not import tool: arrows go only to the left/)]);
  });

  it("finds a name from outside in a shown command that is not one word of a shell", () => {
    const line = (text) => `export const a = (name: string): string => \`${text}\`;\n`;
    const found = (text) => findingsOf({ [`${core}/util/a.ts`]: line(text) });
    expect(found("Set it with: toolrack secrets set ${name}")).toEqual([
      "util/a.ts:1 A shown command holds ${name} as it is. Write ${shellWord(name)}, so that it stays one word in a shell.",
    ]);
    expect(found("${program} keys create ${safe({ name })}")).toHaveLength(1);
    expect(found('toolrack approve x${name === "" ? "" : ` --by ${name}`}')).toHaveLength(1);
    expect(found("Set it with: toolrack secrets set ${shellWord(safe(name))}")).toEqual([]);
    expect(found('toolrack approve x${name === "" ? "" : ` --by ${shellWord(name)}`}')).toEqual([]);
    expect(found("See: toolrack list. Not found: ${name}")).toEqual([]);
  });

  it("finds two folders of one row that know each other", () => {
    const files = { [`${core}/policy/policy.ts`]: 'import "../search/b.ts";\n', [`${core}/search/b.ts`]: empty };
    expect(findingsOf(files)).toEqual([expect.stringContaining("policy and search stand side by side")]);
  });

  it("lets nothing import the test kit", () => {
    const files = { [`${core}/index.ts`]: 'export * from "./testing/a.ts";\n', [`${core}/testing/a.ts`]: empty };
    expect(findingsOf(files)).toEqual([expect.stringContaining("index and testing stand side by side")]);
  });

  it("finds a test that sleeps, or that holds a time below a bound, and leaves programs and comments alone", () => {
    const sleeping = [
      'import { setTimeout as sleep } from "node:timers/promises";',
      "await sleep(50); // sleep(50)",
      "await new Promise((resolve) => setTimeout(resolve, 5));",
      "expect(Date.now() - started).toBeLessThan(100);",
      "expect(performance.now() - started).toBeLessThan(100);",
      "const [program, hourAgo] = ['setTimeout(() => {}, 5)', Date.now() - 3_600_000];",
      "await vi.waitFor(() => expect(list()).toEqual([]));",
      "await vi.waitFor(() => expect(list()).toEqual([]), { timeout: 60_000 });",
      "await vi.waitUntil(() => list(), 60_000);",
      'it("ends", async () => {\n}, 60_000);',
      'it("ends", { timeout: 30_000 }, async () => {});',
      "for (const { name, run } of checks) it(name, run, 30_000);",
      'it("takes long", async () => {\n}, 600_000);',
      "takeTurns(() => {\n  next();\n}, 60);",
    ].join("\n");
    const path = "packages/core/test/a.test.ts";
    const fixture = "packages/core/test/fixtures/program.ts";
    const found = findingsOf({ [path]: sleeping, [fixture]: sleeping, [`${core}/util/a.ts`]: sleeping });
    expect(found.map((one) => one.split(" makes")[0])).toEqual([
      `${path}:2 "sleep("`,
      `${path}:3 "setTimeout("`,
      `${path}:4 "Date.now() - s"`,
      `${path}:5 "performance.now("`,
      `${path}:7 "vi.waitFor( without a timeout"`,
      `${path}:11 "a limit of 60_000 ms"`,
      `${path}:12 "a limit of 30_000 ms"`,
      `${path}:13 "a limit of 30_000 ms"`,
    ]);
    expect(found.at(-1)).toContain("Leave it out");
    expect(found[0]).toContain("@toolrack/testkit");
  });

  it("knows each exception to that by its reason, and names those that are no longer needed", () => {
    for (const reason of Object.values(clockExceptions)) expect(reason).toMatch(/\w+ \w+ \w+/);
    const [path] = Object.keys(clockExceptions);
    expect(findingsOf({ [path]: "await sleep(5);\n" })).toEqual([]);
    expect(findingsOf({ [path]: empty })).toEqual([expect.stringContaining("Remove it from scripts/house/clocks.mjs")]);
  });

  it("lets only tests import the private test kit, which is never published", () => {
    const files = {
      "packages/server/src/index.ts": 'import { until } from "@toolrack/testkit/until";\n',
      "packages/server/test/a.test.ts": 'import { until } from "@toolrack/testkit/until";\n',
      "packages/server/package.json": '{ "name": "@toolrack/server", "dependencies": { "@toolrack/testkit": "0.1.0" } }',
      "packages/testkit/package.json": '{ "name": "@toolrack/testkit" }',
      "packages/core/package.json": '{ "name": "@toolrack/core", "peerDependencies": { "@toolrack/testkit": "0.1.0" } }',
    };
    expect(findingsOf(files)).toEqual([
      expect.stringContaining("@toolrack/core depends on @toolrack/testkit, which is not published."),
      expect.stringContaining("@toolrack/server depends on @toolrack/testkit, which is not published."),
      expect.stringContaining("packages/server/src/index.ts:1 server may not import testkit"),
      expect.stringContaining('@toolrack/testkit is not published. Write "private": true.'),
    ]);
  });

  it("lets no package use a benchmark, not even by a URL in a test", () => {
    const up = "../".repeat(3);
    const bench = ["..", "..", "..", "bench", "lib", "a.mjs"].join("/");
    const files = {
      "packages/core/src/index.ts": `import "${bench}";\n`,
      "packages/core/test/a.test.ts": `// one\nconst a = await import(new URL("${bench}", import.meta.url).href);\n`,
      "packages/core/test/b.test.ts": `const load = (name) => import(new URL(\`${up}bench/\${name}\`, import.meta.url).href);\n`,
      "scripts/lib/steps.mjs": `import "${bench.slice(3)}";\n`,
      "packages/core/README.md": "See ../../bench/README.md.\n",
      "bench/test/c.test.mjs": 'import "../lib/a.mjs";\n',
    };
    const sentence =
      "Packages and scripts do not use benchmarks. Move the file to scripts/lib or packages/testkit, or the test to bench/test.";
    expect(findingsOf(files).filter((finding) => finding.includes("bench"))).toEqual([
      expect.stringMatching(/^index\.ts:1 .*leads out of the package/),
      `index.ts:1 ${sentence}`,
      `packages/core/test/a.test.ts:2 ${sentence}`,
      `packages/core/test/b.test.ts:1 ${sentence}`,
      `scripts/lib/steps.mjs:1 ${sentence}`,
    ]);
  });

  it("finds a function that stands in two packages, whatever its names are", () => {
    const copy = (name, list, item) =>
      `// ${name}\nexport function ${name}(${list}) {\n  const found = [];\n  for (const ${item} of ${list}) {\n    if (${item}.length > 3 && !found.includes(${item})) found.push(${item}); // ${item}\n  }\n  return found;\n}\n`;
    const short = "export function one() {\n  return 1;\n}\n";
    const files = {
      [`${core}/tool/a.ts`]: copy("longNames", "names", "name") + short,
      [`${core}/tool/b.ts`]: copy("sameInOnePackage", "words", "word"),
      [`${core}/tool/c.ts`]: copy("otherwise", "words", "word").replace("> 3", "> 4"),
      "packages/store/src/index.ts": copy("longWords", "words", "word") + short,
      "packages/console/src/main.tsx": copy("inTheConsole", "words", "word"),
    };
    expect(findingsOf(files)).toEqual([
      "packages/store/src/index.ts:2 longWords does the same as longNames in packages/core/src/tool/a.ts. Move it to a package that both may import.",
    ]);
  });

  it("finds a helper of the test kit that a test writes again", () => {
    const files = {
      "packages/testkit/src/until.ts": "export async function until(holds) {}\nfunction pause() {}\n",
      "packages/server/test/a.test.ts": "function pause() {}\n\nasync function until(holds) {}\n",
      "scripts/test/b.test.mjs": "function until(holds) {}\n",
    };
    expect(findingsOf(files)).toEqual([
      expect.stringContaining("packages/server/test/a.test.ts:3 until is in packages/testkit/src/until.ts"),
      expect.stringContaining("scripts/test/b.test.mjs:1 until is in packages/testkit/src/until.ts"),
    ]);
  });

  it("finds a folder and a package that are not drawn", () => {
    const files = { [`${core}/helpers/a.ts`]: empty, "packages/extras/src/index.ts": empty };
    expect(findingsOf(files)).toEqual([
      expect.stringContaining("core/src/helpers is not in the drawing"),
      expect.stringContaining("The package extras is not in the drawing"),
    ]);
  });

  it("holds the rooms of a folder to their own rows, and finds a room that is not drawn", () => {
    const files = {
      [`${core}/policy/entries/a.ts`]: 'import "../catalog/b.ts";\nimport "../explain/c.ts";\n',
      [`${core}/policy/catalog/b.ts`]: empty,
      [`${core}/policy/explain/c.ts`]: 'import "../catalog/b.ts";\n',
      [`${core}/policy/steps/d.ts`]: 'import "../paths/e.ts";\n',
      [`${core}/policy/paths/e.ts`]: empty,
      [`${core}/policy/attic/f.ts`]: empty,
    };
    expect(findingsOf(files)).toEqual([
      expect.stringContaining("policy/attic/f.ts:1 packages/core/src/policy/attic is not in the drawing"),
      expect.stringMatching(/^policy\/entries\/a\.ts:2 entries may not import explain/),
      expect.stringMatching(/^policy\/steps\/d\.ts:1 steps and paths stand side by side/),
    ]);
  });

  it("lets a file that begins with an underscore be imported only in its folder, below it, and by tests of its package", () => {
    const files = {
      [`${core}/tool/_own.ts`]: empty,
      [`${core}/tool/_parts/part.ts`]: empty,
      [`${core}/tool/a.ts`]: 'import "./_own.ts";\nimport "./_parts/part.ts";\n',
      [`${core}/tool/inner/b.ts`]: 'import "../_own.ts";\n',
      [`${core}/call/c.ts`]: 'import "../tool/_own.ts";\nimport type { Part } from "../tool/_parts/part.ts";\n',
      "packages/core/test/call/d.test.ts": 'import "../../src/tool/_own.ts";\nimport "../tool/_helper.ts";\n',
      "packages/core/test/tool/_helper.ts": empty,
      "packages/store/test/e.test.ts": 'import "../../core/src/tool/_own.ts";\n',
    };
    expect(findingsOf(files)).toEqual([
      expect.stringMatching(/^call\/c\.ts:1 "\.\.\/tool\/_own\.ts" is only for packages\/core\/src\/tool\/: its name begins with "_"/),
      expect.stringMatching(/^call\/c\.ts:2 "\.\.\/tool\/_parts\/part\.ts" is only for packages\/core\/src\/tool\//),
      expect.stringMatching(/d\.test\.ts:2 "\.\.\/tool\/_helper\.ts" is only for packages\/core\/test\/tool\//),
      expect.stringMatching(/e\.test\.ts:1 .* is only for packages\/core\/src\/tool\//),
    ]);
  });

  it("asks the innermost underscore of a path whose it is", () => {
    const files = {
      [`${core}/tool/_parts/_own.ts`]: empty,
      [`${core}/tool/_parts/part.ts`]: 'import "./_own.ts";\n',
      [`${core}/tool/a.ts`]: 'import "./_parts/_own.ts";\n',
    };
    expect(findingsOf(files)).toEqual([expect.stringMatching(/^tool\/a\.ts:1 .* is only for packages\/core\/src\/tool\/_parts\//)]);
  });

  it("finds two exported types of one name in a package, and not in two packages", () => {
    const files = {
      [`${core}/tool/a.ts`]: "export interface Place {}\nexport type Own = 1;\ninterface Hidden {}\n",
      [`${core}/tool/b.ts`]: "// one\nexport type Place = 1;\ninterface Hidden {}\n",
      [`${core}/tool/c.ts`]: 'export type { Own } from "./a.ts";\nexport class Place {}\n',
      [`${core}/tool/d.ts`]: "export abstract class Place {}\n",
      [`${core}/tool/e.ts`]: "export declare class Place {}\n",
      "packages/core/test/tool/a.ts": "export interface Place {}\n",
      "packages/fetch/src/index.ts": "export interface Place {}\n",
    };
    expect(findingsOf(files)).toEqual([
      expect.stringMatching(/^tool\/b\.ts:2 Place is also the name of a type in packages\/core\/src\/tool\/a\.ts/),
      expect.stringMatching(/^tool\/c\.ts:2 Place is also the name/),
      expect.stringMatching(/^tool\/d\.ts:1 Place is also the name/),
      expect.stringMatching(/^tool\/e\.ts:1 Place is also the name/),
    ]);
  });

  it("finds a folder that holds a single file", () => {
    const files = {
      [`${core}/events/events.ts`]: empty,
      [`${core}/tool/a.ts`]: empty,
      [`${core}/tool/b.ts`]: empty,
      [`${core}/call/wrappers/a.ts`]: empty,
      [`${core}/call/b.ts`]: empty,
    };
    expect(findingsOf(files, { loneFiles: true })).toEqual([
      expect.stringMatching(/^call\/wrappers\/a\.ts:1 packages\/core\/src\/call\/wrappers holds nothing else/),
      expect.stringMatching(/^events\/events\.ts:1 packages\/core\/src\/events holds nothing else/),
    ]);
  });

  it("refuses comments for a linter that is not used", () => {
    const comment = ["// eslint", "disable-next-line no-explicit-any"].join("-");
    expect(findingsOf({ [`${core}/tool/a.ts`]: `\n${comment}\n` })).toEqual([expect.stringMatching(/^tool\/a\.ts:2 "eslint-/)]);
  });

  it("finds wrong arrows between packages", () => {
    const files = {
      "packages/core/src/index.ts": 'import "@toolrack/store";\n',
      "packages/mcp/src/index.ts": 'import "@toolrack/core/array";\nimport "@toolrack/tools";\nimport "../../core/src/index.ts";\n',
      "packages/console/src/main.tsx": 'import type { Api } from "@toolrack/server";\nimport { serve } from "@toolrack/server";\n',
    };
    expect(findingsOf(files)).toEqual([
      expect.stringMatching(/console\/src\/main\.tsx:2 console may import only types/),
      expect.stringMatching(/index\.ts:1 core may not import store/),
      expect.stringMatching(/mcp\/src\/index\.ts:2 mcp may not import tools/),
      expect.stringMatching(/mcp\/src\/index\.ts:3 .*leads out of the package/),
    ]);
  });

  it("finds a circle of imports once, types and dynamic imports included", () => {
    const files = {
      [`${core}/tool/a.ts`]: 'import type { B } from "./b.ts";\n',
      [`${core}/tool/b.ts`]: 'export const load = () => import("./c.ts");\n',
      [`${core}/tool/c.ts`]: 'export { a } from "./a.ts";\n',
    };
    const circle = ["a", "b", "c", "a"].map((name) => `${core}/tool/${name}.ts`).join(" → ");
    expect(findingsOf(files)).toEqual([`tool/c.ts:1 This import closes a circle: ${circle}.`]);
  });

  it("finds a leaf that imports a leaf", () => {
    const files = {
      [`${core}/call/wrappers/retry.ts`]: 'import "./timeout.ts";\n',
      [`${core}/call/wrappers/timeout.ts`]: empty,
      [`${core}/sources/code.ts`]: 'import "./plugin.ts";\n',
      [`${core}/sources/plugin.ts`]: empty,
      [`${core}/providers/adapt/passes/unions.ts`]: 'import "../../vendors/openai.ts";\n',
      [`${core}/providers/vendors/openai.ts`]: empty,
    };
    expect(findingsOf(files)).toEqual([
      expect.stringMatching(/^call\/wrappers\/retry\.ts:1 The leaf retry imports the leaf timeout/),
      expect.stringMatching(/^providers\/adapt\/passes\/unions\.ts:1 The leaf unions imports the leaf openai/),
      expect.stringMatching(/^sources\/code\.ts:1 The leaf code imports the leaf plugin/),
    ]);
  });

  it("knows the leaves of the store: engines, and kinds of implementation", () => {
    const store = "packages/store/src";
    const files = {
      [`${store}/engines/engine.ts`]: empty,
      [`${store}/engines/_sql/queries.ts`]: empty,
      [`${store}/engines/sqlite/sqlite.ts`]: 'import "../engine.ts";\nimport "../_sql/queries.ts";\nimport "../postgres/listen.ts";\n',
      [`${store}/engines/postgres/listen.ts`]: empty,
      [`${store}/tools/kinds/http.ts`]: 'import "./kind.ts";\nimport "./local.ts";\n',
      [`${store}/tools/kinds/kind.ts`]: empty,
      [`${store}/tools/kinds/local.ts`]: empty,
    };
    expect(findingsOf(files)).toEqual([
      expect.stringContaining("sqlite.ts:3 The leaf sqlite imports the leaf postgres"),
      expect.stringContaining("http.ts:2 The leaf http imports the leaf local"),
    ]);
  });

  it("lets a leaf import its interface, shared files, its own parts, and the leaves its folder may use", () => {
    const files = {
      [`${core}/providers/provider.ts`]: empty,
      [`${core}/providers/vendors/_names.ts`]: empty,
      [`${core}/providers/vendors/shared/calls.ts`]: empty,
      [`${core}/providers/vendors/openai.ts`]:
        'import "../provider.ts";\nimport "./_names.ts";\nimport "./shared/calls.ts";\nimport "./openai/replies.ts";\nimport "../adapt/passes/unions.ts";\n',
      [`${core}/providers/vendors/openai/replies.ts`]: empty,
      [`${core}/providers/adapt/passes/unions.ts`]: empty,
    };
    expect(findingsOf(files)).toEqual([]);
  });

  it("finds an inner barrel, but not the package's own index", () => {
    const files = { [`${core}/index.ts`]: empty, [`${core}/tool/index.ts`]: empty, [`${core}/call/index.tsx`]: empty };
    expect(findingsOf(files)).toEqual([
      expect.stringMatching(/^call\/index\.tsx:1 An inner barrel/),
      expect.stringMatching(/^tool\/index\.ts:1 An inner barrel/),
    ]);
  });

  it("finds a relative import without its ending, in tests too", () => {
    const files = { [`${core}/tool/a.ts`]: empty, "packages/core/test/tool/a.test.ts": 'import "../../src/tool/a";\n' };
    expect(findingsOf(files)).toEqual([expect.stringMatching(/a\.test\.ts:1 "\.\.\/\.\.\/src\/tool\/a" lacks its ending/)]);
  });

  it("finds an import by absolute path, and a mention of the folder beside the repository", () => {
    const outside = ["..", "shared", "cases.json"].join("/");
    const files = {
      [`${core}/tool/a.ts`]: 'import "/opt/a.ts";\nimport "file:///opt/a.ts";\nimport "C:/a.ts";\n',
      "docs/a.md": `\nSee ${outside}.\n`,
    };
    expect(findingsOf(files)).toEqual([
      expect.stringMatching(/^docs\/a\.md:2 /),
      expect.stringMatching(/^tool\/a\.ts:1 .*a path of one machine/),
      expect.stringMatching(/^tool\/a\.ts:2 .*a path of one machine/),
      expect.stringMatching(/^tool\/a\.ts:3 .*a path of one machine/),
    ]);
  });

  it("finds a mention of the folder that the repository is in", () => {
    const folder = temporaryFolder({ "docs/a.md": "placeholder" });
    writeFileSync(join(folder, "docs/a.md"), `Open ${folder}/docs.\nOpen ${folder}-copy.\n`);
    expect(checkHouse(folder)).toEqual([expect.objectContaining({ path: "docs/a.md", line: 1 })]);
  });

  it("finds a source file above 500 lines", () => {
    const lines = (count) => Array.from({ length: count }, (_, index) => `export const n${index} = ${index};`);
    const files = { [`${core}/tool/fits.ts`]: lines(500), [`${core}/tool/long.ts`]: lines(501), "scripts/long.mjs": lines(501) };
    expect(findingsOf(files)).toEqual([
      expect.stringMatching(/^tool\/long\.ts:501 501 lines/),
      expect.stringMatching(/^scripts\/long\.mjs:501 501 lines/),
    ]);
  });
});

describe("reading imports", () => {
  it("reads every form, and nothing out of comments or strings", () => {
    const text = [
      'import a, { type B } from "./a.ts";',
      "import {",
      "  c,",
      '} from "./c.ts";',
      'export type { D } from "./d.ts";',
      '// import e from "./e.ts";',
      ' * import("./f.ts")',
      'const g: import("./g.ts").G = await import( "./h.ts" );',
      'export const from = "./i.ts";',
      'import "node:fs";',
    ].join("\n");
    expect(readImports("x/y.ts", text).map(({ target, specifier, line, typeOnly }) => [target ?? specifier, line, typeOnly])).toEqual([
      ["x/a.ts", 1, false],
      ["x/c.ts", 2, false],
      ["x/d.ts", 5, true],
      ["x/g.ts", 8, false],
      ["x/h.ts", 8, false],
      ["node:fs", 10, false],
    ]);
  });
});
