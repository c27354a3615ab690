export const title = "Finding tools: how often the right ones come first, and what a search costs";

/** `npm run bench:search -- DIR`: DIR holds the sets. Without it only the speed is measured, on tools that are made up. */
export async function run([folder] = []) {
  const { qualityTables } = await import("./quality.mjs");
  const { leftOutTables } = await import("./left-out.mjs");
  const { speedTables } = await import("./speed.mjs");
  const quality = folder === undefined ? [] : [...(await qualityTables(folder)), ...(await leftOutTables(folder))];
  return [...quality, ...(await speedTables(folder))];
}
