export const title = "Inputs made from the schema of every tool";

/** As many calls of each tool as fit into the time, about: a call takes a millisecond. */
export async function run({ seconds }) {
  const { fuzzPacks } = await import("../fuzz/fuzz-packs.mjs");
  return fuzzPacks(Math.max(20, Math.round(seconds * 10)));
}
