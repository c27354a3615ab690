export const title = "Our types against the SDKs of vendors and frameworks";

/** Takes as long as the compiler takes: there is nothing to repeat. */
export async function run() {
  const { checkTypes } = await import("../types/run.mjs");
  const { passed, failed, skipped = 0, note, output } = await checkTypes();
  if (failed > 0) console.log(output);
  const row = [`${passed} passed, ${failed} failed, ${skipped} skipped`, note, failed > 0 ? "over" : "ok"];
  return [{ caption: "Files of bench/types", columns: ["files", "note", "verdict"], rows: [row] }];
}
