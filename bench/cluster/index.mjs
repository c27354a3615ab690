export const title = "Several servers on one PostgreSQL, two milliseconds away: calls, records, keyed calls and streams";

/** It compares with no peers. */
export async function prepare() {}

/** `npm run bench:cluster -- ../earlier 3` measures another checkout, with its packages installed, in the same run; each part takes 3 seconds. */
export async function run([against, seconds = "3"] = []) {
  const { measureCluster } = await import("./measure-cluster.mjs");
  return measureCluster({ against, seconds: Number(seconds) });
}
