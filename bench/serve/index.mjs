export const title =
  "Calls over HTTP with policy, validation and audit, beside bare routes that only validate; memory over many calls and streams";

/** `npm run bench:serve -- 20000 1000` makes fewer calls and abandons fewer streams in the memory part; `0 0` leaves it out. */
export async function run([calls = "100000", streams = "10000"] = []) {
  const { measureServers } = await import("./measure-servers.mjs");
  return measureServers({ calls: Number(calls), streams: Number(streams) });
}
