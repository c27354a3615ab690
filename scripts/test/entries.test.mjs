import { readFileSync } from "node:fs";
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
  "@toolrack/core/testing": "assertions of Node, and registries",
  "@toolrack/core": "a registry guards paths, finds programs, and loads versions and conditions when they are needed",
  "@toolrack/core/default": "it is a registry",
  "@toolrack/core/policy": "rules about paths, and conditions that are loaded when they are needed",
  "@toolrack/core/compat": "the guard of a workspace, and plugins",
};

describe("an entry that needs no Node", () => {
  const others = entries.filter((one) => needsNode[one.entry] === undefined);

  it.each(others.map((one) => [one.entry, one.file]))("%s imports nothing of Node, however indirectly", (_, file) => {
    const { files, builtins } = reached(file);
    expect(builtins).toEqual([]);
    expect(files).toContain(file);
  });

  it("is not in the list of those that need it", () => {
    const free = Object.keys(needsNode).filter((name) => reached(entry(name).file).builtins.length === 0);
    expect(free).toEqual([]);
  });
});

/** `import a from "x"` and `export { a } from "x"`, but not of types: statements, which are loaded with their file. */
const statement = /^(?:import|export)\s+(?!type\s)(?:[\w$*{][\w$\s,{}*]*?\s*from\s*)?"([^"\n]+)"/gm;

/** The files that importing an entry loads, and the modules of Node that they import: "node:fs (packages/core/src/util/boundary.ts)". */
function reached(start) {
  const files = new Set([start]);
  const builtins = new Set();
  for (const path of files) {
    for (const [, specifier] of read(path).matchAll(statement)) {
      if (specifier.startsWith("node:")) builtins.add(`${specifier} (${path})`);
      else if (specifier.startsWith(".")) files.add(posix.join(posix.dirname(path), specifier));
      else if (specifier === "@toolrack/json-schema") files.add("packages/json-schema/src/index.ts");
      else if (specifier === "@toolrack/json-schema/internal") files.add("packages/json-schema/src/internal.ts");
    }
  }
  return { files: [...files], builtins: [...builtins].toSorted() };
}
