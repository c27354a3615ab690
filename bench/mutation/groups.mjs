import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles, root } from "../../scripts/lib/files.mjs";

/** The tests of requests; of those of the parts behind them only what sends requests, too (`sendsRequests`). */
const serverTests = [
  "http",
  "api",
  "openapi",
  "attacks",
  "open-server",
  "serve",
  "serve-socket",
  "serve-stop",
  "serve-tls",
  "shutdown",
].map((name) => `server/test/${name}`);

const behind = ["server/test/rack", "server/test/telemetry"];
const sendsRequests = (file) => /"@toolrack\/testkit\/test-server"|\/src\/serve\.ts"/.test(readFileSync(join(root, file), "utf8"));

/** What is measured: the sources of a group, the tests nearest to them, and the share of mutants that tests must kill. */
const groups = [
  {
    name: "core",
    folders: ["core/src/policy", "core/src/call", "core/src/registry"],
    tests: ["policy", "call", "registry", "sources", "tool", "attacks", "fit-tools"].map((name) => `core/test/${name}`),
    target: 90,
  },
  { name: "server/http", folders: ["server/src/http"], tests: serverTests, behind, target: 90 },
  { name: "store", folders: ["store/src"], tests: ["store/test"], target: 90 },
  { name: "server/api", folders: ["server/src/api"], tests: serverTests, behind, target: 85 },
  { name: "cli", folders: ["cli/src"], tests: ["cli/test"], target: 85 },
  { name: "mcp", folders: ["mcp/src"], tests: ["mcp/test"], target: 85 },
  { name: "tools", folders: ["tools/src"], tests: ["tools/test"], target: 85 },
  { name: "code", folders: ["code/src"], tests: ["code/test"], target: 85 },
  { name: "openapi", folders: ["openapi/src"], tests: ["openapi/test"], target: 85 },
];

/** `[{ name, sources, tests, target }]`; throws for a name that no group has. */
export function loadGroups(names = groups.map(({ name }) => name)) {
  return names.map((name) => {
    const group = groups.find((one) => one.name === name);
    if (group === undefined) throw new Error(`There is no group "${name}". There are: ${groups.map((one) => one.name).join(", ")}.`);
    return {
      name,
      target: group.target,
      sources: filesOf(group.folders, /(?<!\.d)\.ts$/).filter((file) => !file.includes("/src/testing/")),
      tests: [...filesOf(group.tests, isTest), ...filesOf(group.behind ?? [], isTest).filter(sendsRequests)].filter(
        (file) => !measuresMemory.test(file),
      ),
    };
  });
}

/** All that run in Node; the console's need a browser for minutes. */
export function testsOfPackages() {
  return listFiles(root, "packages").filter(
    (file) => isTest.test(file) && !file.startsWith("packages/console/") && !measuresMemory.test(file),
  );
}

const isTest = /\.test\.(?:ts|mjs)$/;

/** Takes a minute, and answers nothing that a mutant could change. */
const measuresMemory = /\/memory\.alone\.test\.ts$/;

/** The files below the folders; "core/test/attacks" stands for "core/test/attacks.test.ts", too. */
function filesOf(places, pattern) {
  const packages = listFiles(root, "packages");
  const isIn = (file) => places.some((place) => file.startsWith(`packages/${place}/`) || file === `packages/${place}.test.ts`);
  return packages.filter((file) => isIn(file) && pattern.test(file));
}
