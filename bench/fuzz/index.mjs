export const title = "Inputs made from the schema of every tool";

/** `npm run bench:fuzz -- 500 files` makes fewer calls of each tool, or of one pack's alone. */
export async function run([runs = "10000", only] = []) {
  const { fuzzPacks } = await import("./fuzz-packs.mjs");
  return fuzzPacks(Number(runs), only);
}
