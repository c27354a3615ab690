/** @toolrack/core as it is built, which is what its users run. */
export const coreUrl = new URL("../../packages/core/lib/index.js", import.meta.url);

export function loadCore() {
  return import(coreUrl.href);
}
