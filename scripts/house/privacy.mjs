/**
 * A leading underscore means "only for this folder": `a/_x.ts`, and everything in `a/_x/`, is imported only from `a/` and the folders
 * below it. Tests may look into everything in the source of their own package.
 */
export function findPrivateImports(files) {
  return files.flatMap(({ path, imports }) =>
    imports.flatMap(({ target, specifier, line }) => {
      const owner = target === undefined ? undefined : ownerOf(target);
      if (owner === undefined || isBelow(path, owner) || isOwnTest(path, target)) return [];
      const sentence = `"${specifier}" is only for ${owner}/: its name begins with "_". Drop the underscore, or move it to where it is used.`;
      return [{ path, line, sentence }];
    }),
  );
}

/** "a/_sql/page.ts" → "a"; undefined for a path without an underscore at the beginning of a name. */
function ownerOf(path) {
  const names = path.split("/");
  const found = names.findLastIndex((name) => name.startsWith("_"));
  return found === -1 ? undefined : names.slice(0, found).join("/");
}

function isBelow(path, folder) {
  return path.startsWith(`${folder}/`);
}

function isOwnTest(path, target) {
  const [, name] = /^packages\/([^/]+)\/test\//.exec(path) ?? [];
  return name !== undefined && isBelow(target, `packages/${name}/src`);
}
