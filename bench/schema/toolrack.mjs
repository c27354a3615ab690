/** A compiled module of @toolrack/core by its path: the parts of the engine have no public names. */
export const loadModule = (path) => import(new URL(`../../packages/core/dist/${path}.js`, import.meta.url).href);
