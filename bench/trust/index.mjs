export const title =
  "Scanning definitions and results: what is found, what is found wrongly, and what it costs; what the ledger of definitions costs";

/** `--only ledger` measures the ledger alone. `npm run bench:trust -- DIR`: DIR holds benign.jsonl, hostile.jsonl, results.jsonl and changes.jsonl. Without it only our own sentences and the speed are measured. */
export async function run([folder] = [], { only } = {}) {
  const { qualityTables } = await import("./quality.mjs");
  const { heldTable, otherStylesTable } = await import("./held.mjs");
  const { speedTable } = await import("./speed.mjs");
  const { ledgerTable } = await import("./ledger.mjs");
  if (only === "ledger") return [await ledgerTable()];
  // First, while no text has been met yet.
  const speed = await speedTable(folder);
  return [
    ...(folder === undefined ? [] : await qualityTables(folder)),
    await heldTable(),
    await otherStylesTable(),
    speed,
    await ledgerTable(),
  ];
}
