/** The entries of @toolrack/core and @toolrack/json-schema that are documented, with the names that each exports. Read as text. */

/** `export { a, type B, c as D } from "…"`: the only statement that a list of public names holds. */
const statement = /^export (?:type )?\{([^}]*)\} from "[^"]+";\n?/gm;

/** [{ entry: "@toolrack/core/policy", about: "Who may use which tool, and why.", names }], the root first. `read` answers a file's text. */
export function readEntries(read) {
  const { exports } = JSON.parse(read("packages/core/package.json"));
  const subpaths = Object.keys(exports).filter((key) => key !== "." && key !== "./package.json" && !key.startsWith("./internal"));
  return [
    { entry: "@toolrack/core", about: "What an agent author needs on the first day.", file: "packages/core/src/index.ts" },
    ...subpaths.map((key) => ({
      entry: `@toolrack/core${key.slice(1)}`,
      file: `packages/core${exports[key]["toolrack-source"].slice(1)}`,
    })),
    {
      entry: "@toolrack/json-schema",
      about: "JSON Schema without tools: a package of its own.",
      file: "packages/json-schema/src/index.ts",
    },
  ].map(({ entry, about, file }) => {
    const text = read(file);
    return { entry, file, about: about ?? /^\/\*\* (.+) \*\/$/m.exec(text)?.[1] ?? "", names: exportedNames(text) };
  });
}

function exportedNames(text) {
  const rest = text.replace(statement, "").replace(/^\/\*\*.*?\*\/$|^\/\/.*$/gms, "");
  if (rest.trim() !== "") throw new Error(`A list of public names holds something else: ${rest.trim().split("\n")[0]}`);
  return [...text.matchAll(statement)].flatMap(([, list]) =>
    list
      .split(",")
      .map((part) => part.trim().split(/\s+/).at(-1))
      .filter((name) => name !== ""),
  );
}

/** Which entries export a name: { defineTool: ["@toolrack/core"] }. */
export function homesOf(entries) {
  const homes = new Map();
  for (const { entry, names } of entries) for (const name of names) homes.set(name, [...(homes.get(name) ?? []), entry]);
  return homes;
}
