export const title = "Three servers behind nginx on PostgreSQL, under load all the time: memory, handles, connections, growth per call";

/** Memory is judged from the third of the time that is left for warming up. */
export async function run({ seconds }) {
  const [{ bundleServers }, { runSoak }] = await Promise.all([import("../lib/bundle.mjs"), import("../faults/servers/soak.mjs")]);
  const modules = await bundleServers("soak");
  return runSoak(modules, seconds);
}
