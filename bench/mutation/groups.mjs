import { listFiles, root } from "../../scripts/lib/files.mjs";

/** What is measured: the sources of a group, the tests that should notice a change of them, and the share of mutants they must kill. */
const groups = [
  { name: "core", folders: ["core/src/policy", "core/src/call", "core/src/registry"], tests: "core/test", target: 90 },
  { name: "server/http", folders: ["server/src/http"], tests: "server/test", target: 90 },
  { name: "store", folders: ["store/src"], tests: "store/test", target: 90 },
  { name: "server/api", folders: ["server/src/api"], tests: "server/test", target: 85 },
  { name: "cli", folders: ["cli/src"], tests: "cli/test", target: 85 },
  { name: "mcp", folders: ["mcp/src"], tests: "mcp/test", target: 85 },
  { name: "tools", folders: ["tools/src"], tests: "tools/test", target: 85 },
];

/** `[{ name, label, sources, tests, target }]`; throws for a name that no group has. */
export function loadGroups(names = groups.map(({ name }) => name)) {
  return names.map((name) => {
    const group = groups.find((one) => one.name === name);
    if (group === undefined) throw new Error(`There is no group "${name}". There are: ${groups.map((one) => one.name).join(", ")}.`);
    return {
      name,
      target: group.target,
      sources: group.folders.flatMap((folder) => filesOf(folder, /(?<!\.d)\.ts$/)).filter((file) => !file.includes("/src/testing/")),
      tests: filesOf(group.tests, /\.test\.(?:ts|mjs)$/),
    };
  });
}

function filesOf(folder, pattern) {
  const path = `packages/${folder}`;
  return listFiles(root, path).filter((file) => pattern.test(file));
}
