import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../lib/files.mjs";
import { homesOf, readEntries } from "../reference/entries.mjs";
import { formerRootNames } from "../reference/former-root-names.mjs";

const read = (path) => readFileSync(join(root, path), "utf8");
const entries = readEntries(read);
const homes = homesOf(entries);
const entry = (name) => entries.find((one) => one.entry === name);

describe("the entries of the core", () => {
  it("have a root of at most 90 names, values and types together", () => {
    expect(entry("@toolrack/core").names.length).toBeLessThanOrEqual(90);
  });

  it("are one file each, below src/exports, with a line about what they hold", () => {
    const { exports } = JSON.parse(read("packages/core/package.json"));
    for (const key of Object.keys(exports).filter((one) => /^\.\/[\w-]+$/.test(one))) {
      const name = key.slice(2);
      expect(exports[key]).toEqual({
        "toolrack-source": `./src/exports/${name}.ts`,
        types: `./dist/exports/${name}.d.ts`,
        default: `./lib/${name}.js`,
      });
    }
    expect(entries.filter(({ about }) => about === "").map((one) => one.entry)).toEqual([]);
  });

  it("are the one home of every name that the root exported before", () => {
    expect(formerRootNames.length).toBe(327);
    expect(formerRootNames.filter((name) => homes.get(name)?.length !== 1).map((name) => [name, homes.get(name)])).toEqual([]);
  });

  it("export no name twice", () => {
    expect([...homes].filter(([, places]) => places.length > 1)).toEqual([]);
  });
});

/** What the other entries need Node for. */
const needsNode = {
  "@toolrack/core/node": "files, programs, modules and threads are what it is for",
};

describe("an entry that needs no Node", () => {
  const others = entries.filter((one) => needsNode[one.entry] === undefined);

  it.each(others.map((one) => [one.entry, one.file]))(
    "%s reaches nothing of Node in browsers and workers, however indirectly",
    (_, file) => {
      const { files, builtins } = reached(file);
      expect(builtins).toEqual([]);
      expect(files).toContain(file);
    },
  );

  it("uses no global of Node, unless it has asked whether there is one", () => {
    const files = new Set(others.flatMap(({ file }) => reached(file).files));
    const using = [...files].filter((path) => nodeGlobal.test(codeOf(read(path))));
    expect(using.toSorted()).toEqual(Object.keys(asksFirst).toSorted());
  });

  it("takes no types from what differs between runtimes, so that its declarations need no conditions", () => {
    const files = new Set(entries.flatMap(({ file }) => reached(file, "node").files));
    expect([...files].filter((path) => /^import (?:type\s|\{[^}]*\btype\s)[^;]*from "#/m.test(read(path)))).toEqual([]);
  });

  it("is not in the list of those that need it", () => {
    const free = Object.keys(needsNode).filter((name) => reached(entry(name).file).builtins.length === 0);
    expect(free).toEqual([]);
  });

  it("reaches Node through the platform alone, in Node", () => {
    const { builtins } = reached("packages/core/src/index.ts", "node");
    expect(builtins.length).toBeGreaterThan(0);
    expect(builtins.filter((one) => !one.includes("(packages/core/src/util/on-node/"))).toEqual([]);
  });
});

/** `Buffer.from`, `process.cwd()`; but not `globalThis.process?.env`. */
const nodeGlobal = /(?<![\w.$"'`-])(?:Buffer\.|process\.|setImmediate\()/;

/** Without words in quotation marks either: those of a rule may name what code must not use. */
function codeOf(text) {
  return text.replace(/\/\*[^]*?\*\/|\/\/.*$|^\s*"[^"\n]*",?$/gm, "");
}

/** The files that use one, and what they ask before. */
const asksFirst = {
  "packages/core/src/policy/paths/resolve.ts": "a path of Node's comes before it, which throws where there are no files",
  "packages/core/src/registry/capabilities.ts": "hasFiles",

  "packages/core/src/util/next-turn.ts": "globalThis.setImmediate",
  "packages/core/src/util/path-hidden.ts": "a path of Node's comes before it",
  "packages/core/src/util/path-inside.ts": "a path of Node's comes before it",
};

/** `import a from "x"` and `export { a } from "x"`, but not of types. */
const statement = /^(?:import|export)\s+(?!type\s)(?:[\w$*{][\w$\s,{}*]*?\s*from\s*)?"([^"\n]+)"/gm;

/** `import("x")` as an expression: in a type, `typeof` or a colon stands before it. */
const expression = /(?<!typeof |: |<)\bimport\(\s*"([^"\n]+)"/g;

/** "#platform" → what it is in browsers and workers ("default"), or in Node ("node"). */
const { imports } = JSON.parse(read("packages/core/package.json"));
const platformFile = (specifier, condition) => posix.join("packages/core", imports[specifier]["toolrack-source"][condition]);

/** The files that an entry loads, at once or later, and the modules of Node that they import: "node:fs (packages/core/src/util/boundary.ts)". */
function reached(start, condition = "default") {
  const files = new Set([start]);
  const builtins = new Set();
  for (const path of files) {
    const text = read(path);
    for (const [, specifier] of [...text.matchAll(statement), ...text.matchAll(expression)]) {
      if (isBuiltin(specifier)) builtins.add(`${specifier} (${path})`);
      else if (specifier.startsWith(".")) files.add(posix.join(posix.dirname(path), specifier));
      else if (specifier.startsWith("#")) files.add(platformFile(specifier, condition));
      else if (specifier === "@toolrack/json-schema") files.add("packages/json-schema/src/index.ts");
      else if (specifier === "@toolrack/json-schema/internal") files.add("packages/json-schema/src/internal.ts");
    }
  }
  return { files: [...files], builtins: [...builtins].toSorted() };
}
