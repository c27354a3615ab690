/**
 * How many packages come with a package of the workspace when it is installed, itself included.
 * `packages` is that part of a package-lock.json; `start` its path there, "packages/core".
 */
export function countInstalled(packages, start) {
  const seen = new Set();
  const waiting = [start];
  while (waiting.length > 0) {
    const path = waiting.pop();
    if (seen.has(path)) continue;
    seen.add(path);
    const { dependencies, optionalDependencies } = packages[path];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = findInstalled(packages, path, name);
      if (found !== undefined) waiting.push(found);
    }
  }
  return seen.size;
}

/** Looks where Node looks: in the folder's own node_modules, then in those of the folders above. */
function findInstalled(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")))) {
    const path = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (Object.hasOwn(packages, path)) return packages[path].link ? packages[path].resolved : path;
    if (folder === "") return undefined;
  }
}
