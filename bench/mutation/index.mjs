export const title = "Whether a test fails when the source is changed at random";

/** Nothing is built: tests run against the source. No peers are needed either. */
export async function prepare() {
  const { ready } = await import("../../scripts/ready.mjs");
  return ready({ build: false });
}

export const options = {
  group: { type: "string" },
  count: { type: "string", default: "100" },
  seed: { type: "string" },
  own: { type: "boolean", default: false },
  under: { type: "string" },
  list: { type: "boolean", default: false },
  workers: { type: "string" },
};

/**
 * npm run bench:mutation                                    every group, a hundred mutants each, against the tests of all packages: an hour
 * npm run bench:mutation -- --group cli --own               against the tests of the group alone: minutes
 * npm run bench:mutation -- --group cli,mcp --count 20      some groups, fewer mutants
 * npm run bench:mutation -- --seed 1234abcd --list          other mutants than those of the commit; every survivor with its change
 * npm run bench:mutation -- --group mcp --under mcp/src/relay   only sources whose path holds this: to strengthen the tests of one folder
 * npm run bench:mutation -- --workers 1                      leaves the other cores to others
 */
export async function run(_args, { group, count, seed, own, under, list, workers, keep }) {
  const { measureGroups } = await import("./measure-groups.mjs");
  return measureGroups({
    names: group?.split(","),
    count: Number(count),
    seed,
    own,
    under,
    list,
    keep,
    workers: workers === undefined ? undefined : Number(workers),
  });
}
