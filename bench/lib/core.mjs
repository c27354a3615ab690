/** @toolrack/core as it is built, which is what its users run. */
export const coreUrl = new URL("../../packages/core/lib/index.js", import.meta.url);

/** The names of the root, and of the subpaths that are asked for. */
export async function loadCore(...subpaths) {
  const entries = ["index", ...subpaths].map((name) => import(new URL(`./${name}.js`, coreUrl).href));
  return Object.assign({}, ...(await Promise.all(entries)));
}
