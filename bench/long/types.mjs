export const title = "Our types against the SDKs of vendors and frameworks, and our tools in the frameworks";

/** Takes as long as the compiler and the frameworks take: there is nothing to repeat. */
export async function run() {
  const { checkTypes } = await import("../types/run.mjs");
  const { checkFrameworks } = await import("../types/run-time/run.mjs");
  const rows = [toRow("files that compile", await checkTypes()), toRow("tests in the frameworks", await checkFrameworks())];
  return [{ caption: "bench/types", columns: ["what", "count", "note", "verdict"], rows }];
}

function toRow(what, { passed, failed, skipped = 0, note, output }) {
  if (failed > 0) console.log(output);
  return [what, `${passed} passed, ${failed} failed, ${skipped} skipped`, note, failed > 0 ? "over" : "ok"];
}
