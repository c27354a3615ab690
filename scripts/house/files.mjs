import { maximumLines, privatePackages } from "./drawing.mjs";
import { lineAt } from "./read.mjs";

/** An index.ts below src/: readers should find a name where it is defined. */
export function findInnerBarrels(files) {
  return files
    .filter(({ path }) => /^packages\/[^/]+\/src\/.+\/index\.tsx?$/.test(path))
    .map(({ path }) => ({ path, line: 1, sentence: "An inner barrel. Import the files behind it by their own paths, and delete it." }));
}

/** Relative imports that do not say which file they mean. */
export function findImportsWithoutEnding(files) {
  return files.flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => target !== undefined && !/\.(tsx?|mjs|json)$/.test(target))
      .map(({ specifier, line }) => ({ path, line, sentence: `"${specifier}" lacks its ending. Write the real path, with .ts.` })),
  );
}

/** Imports by absolute path, and any mention of a place outside the repository: neither exists on another machine. */
export function findMachinePaths(files, root) {
  const absolute = files.flatMap(({ path, imports }) =>
    imports
      .filter(({ specifier }) => /^(\/|file:|[A-Za-z]:[\\/])/.test(specifier))
      .map(({ specifier, line }) => ({
        path,
        line,
        sentence: `"${specifier}" is a path of one machine. Import by relative path or package name.`,
      })),
  );
  const mentions = files.flatMap(({ path, text }) =>
    [...text.matchAll(outside(root))].map((match) => ({
      path,
      line: lineAt(text, match.index),
      sentence: `"${match[0]}" lies outside the repository, or names the machine it is on. A stranger has no such path.`,
    })),
  );
  return [...absolute, ...mentions];
}

/** Comments that switch off a linter that is not used here: the linter is oxlint. Written in two parts, so that this file is not a finding. */
const foreignComment = new RegExp(["eslint", "disable"].join("-"), "g");

export function findForeignComments(files) {
  return files
    .filter(({ path }) => /\.(tsx?|mjs|js)$/.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(foreignComment)].map((match) => ({
        path,
        line: lineAt(text, match.index),
        sentence: `"${match[0]}" speaks to a linter that is not used here. Delete the comment; where a rule of oxlint is wrong, change .oxlintrc.json.`,
      })),
    );
}

/** A folder that holds a single file says nothing that the file's name does not say. */
export function findLoneFiles(files) {
  const folders = new Map();
  for (const { path } of files) {
    const parts = path.split("/");
    if (parts[0] !== "packages" || parts[2] !== "src") continue;
    for (let depth = 4; depth < parts.length; depth++) {
      const folder = parts.slice(0, depth).join("/");
      folders.set(folder, (folders.get(folder) ?? new Set()).add(parts[depth]));
    }
  }
  return [...folders]
    .filter(([, entries]) => entries.size === 1)
    .map(([folder, [entry]]) => ({
      path: `${folder}/${entry}`,
      line: 1,
      sentence: `${folder} holds nothing else. Move it one folder up and delete the folder.`,
    }));
}

/** Source files that should be two. */
export function findLongFiles(files) {
  return files
    .filter(({ path }) => /^(packages\/[^/]+\/src|scripts|bench|examples)\/.*\.(tsx?|mjs)$/.test(path))
    .map(({ path, text }) => ({ path, lines: text.trimEnd().split("\n").length }))
    .filter(({ lines }) => lines > maximumLines)
    .map(({ path, lines }) => ({
      path,
      line: maximumLines + 1,
      sentence: `${lines} lines; ${maximumLines} is the most. Find the second idea and give it a file.`,
    }));
}

/** The sibling folder "shared", and the folder of this checkout when its path is long enough to be told from ordinary text. */
function outside(root) {
  const checkout = root.split(/[\\/]/).length > 2 ? `|${root.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w-])` : "";
  return new RegExp(`\\.\\.\\/shared\\b${checkout}`, "g");
}

/** A path to the benchmarks in a string, as an import or a URL has it. */
const benchPath = /["'`](?:\.\.\/)+bench\//g;

/** Code of a package or a script, or its tests, that uses a benchmark: benchmarks measure packages with what scripts/lib has, so the arrow goes the other way. */
export function findBenchImports(files) {
  return files
    .filter(({ path }) => /^(packages|scripts)\/.*\.(tsx?|mjs|cjs|js)$/.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(benchPath)].map((match) => ({
        path,
        line: lineAt(text, match.index),
        sentence:
          "Packages and scripts do not use benchmarks. Move the file to scripts/lib or packages/testkit, or the test to bench/test.",
      })),
    );
}

/** A private package that could be published, and a published package that depends on one: whoever installs it could not get it. */
export function findPublishedPrivates(files) {
  const manifests = files.filter(({ path }) => /^packages\/[^/]+\/package\.json$/.test(path));
  return manifests.flatMap(({ path, text }) => {
    const manifest = JSON.parse(text);
    const isPrivate = privatePackages.includes(path.split("/")[1]);
    if (isPrivate && manifest.private === true) return [];
    if (isPrivate) return [{ path, line: 1, sentence: `${manifest.name} is not published. Write "private": true.` }];
    return privatePackages
      .map((name) => `@toolrack/${name}`)
      .filter((name) => manifest.dependencies?.[name] !== undefined || manifest.peerDependencies?.[name] !== undefined)
      .map((name) => ({ path, line: 1, sentence: `${manifest.name} depends on ${name}, which is not published. Only tests may use it.` }));
  });
}

/** A function of the test kit that a test declares once more: tests share one. */
export function findCopiedHelpers(files) {
  const declared = /^(?:export )?(?:async )?function\*? (\w+)\(/gm;
  const shared = new Map();
  for (const { path, text } of files)
    if (path.startsWith("packages/testkit/src/"))
      for (const [whole, name] of text.matchAll(declared)) if (whole.startsWith("export")) shared.set(name, path);
  return files
    .filter(({ path }) => /^(packages\/[^/]+|scripts)\/test\//.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(declared)]
        .filter(([, name]) => shared.has(name))
        .map((match) => ({
          path,
          line: lineAt(text, match.index),
          sentence: `${match[1]} is in ${shared.get(match[1])}. Import it from @toolrack/testkit, or choose another name.`,
        })),
    );
}
