/** The built package. */
export function loadCode() {
  return import(new URL("../../packages/code/dist/index.js", import.meta.url).href);
}
