export const title = "Three servers behind nginx on PostgreSQL, under load all the time: memory, handles, connections, growth per call";

/** Memory is judged from the third of the time that is left for warming up. */
export async function run({ seconds }) {
  const [{ bundle, testkit }, { runSoak }] = await Promise.all([import("../lib/bundle.mjs"), import("../faults/servers/soak.mjs")]);
  const modules = await bundle(
    {
      core: "packages/core/src/index.ts",
      store: "packages/store/src/index.ts",
      server: "packages/server/src/index.ts",
      ...testkit,
    },
    "packages/server/.build/soak",
  );
  return runSoak(modules, seconds);
}
