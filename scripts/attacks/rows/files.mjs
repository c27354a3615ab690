/** Each row: an attack, the test that shows the defence, and a change of the code that removes the defence and must make that test fail. */
const attack = "packages/server/test/rack/files/own-files.test.ts";
const hiddenTest = "packages/core/test/util/path-hidden.test.ts";
const rulesTest = "packages/tools/test/files/path-rules.test.ts";
const hiddenPaths = "packages/core/src/util/path-hidden.ts";
const bounds = "packages/tools/src/operations/file-bounds.ts";
const ruled = "packages/tools/src/workspace/path-rules.ts";

export const rows = [
  {
    id: "SD1",
    attack: "a file tool reads the master key or the configuration that lies in the workspace",
    test: attack,
    name: "SD1: reads none of the server's own files",
    breaks: [
      {
        file: "packages/server/src/rack/packs/_workspace.ts",
        find: "return { root, within, hidden: context.ownFiles, processes };",
        replace: "return { root, within, hidden: [], processes };",
      },
      {
        file: "packages/server/src/rack/open-registry.ts",
        find: "hidden: ownFiles",
        replace: "hidden: []",
      },
    ],
  },
  {
    id: "SD1",
    attack: "a file tool writes the configuration, which is followed, and so makes the server run a program",
    test: attack,
    name: "SD1: changes, removes and makes none",
    breaks: [{ file: bounds, find: "if (bounds.hidden?.hides(real, lstatIfThere(real)))", replace: "if (false)" }],
  },
  {
    id: "SD1",
    attack: "ls, find, grep, search or navigate show the server's own files",
    test: attack,
    name: "SD1: finds none of the server's own files",
    breaks: [{ file: bounds, find: "if (hidden?.hidesIn(folder!, place, lstatIfThere(join(at, name)))) return false;", replace: "" }],
  },
  {
    id: "SD1",
    attack: "a hard link in the workspace leads to the master key",
    test: hiddenTest,
    name: "SD1: knows a file by device and inode",
    breaks: [{ file: hiddenPaths, find: "found.nlink > 1n && isHardLink(found)", replace: "false" }],
  },
  {
    id: "SD1",
    attack: "a folder around the store is renamed, and the store is read under its new name",
    test: hiddenTest,
    name: "SD1: knows it when a folder around it is renamed",
    breaks: [
      { file: hiddenPaths, find: "        there = folder;", replace: "        there = undefined;" },
      { file: hiddenPaths, find: "places.has(placeIn(folder, nodePath.basename(realPath)))", replace: "false" },
    ],
  },
  {
    id: "SD1",
    attack: "a tool makes a file where the server will look for its own",
    test: hiddenTest,
    name: "SD1: hides a place where nothing is yet",
    breaks: [{ file: hiddenPaths, find: "places.has(placeIn(folder, nodePath.basename(realPath)))", replace: "false" }],
  },
  {
    id: "SD1",
    attack: "memory reads the master key through a note that is a hard link",
    test: attack,
    name: "SD1: reads none of the server's own files",
    breaks: [{ file: "packages/server/src/rack/packs/memory.ts", find: "    hidden: ownFiles,", replace: "    hidden: []," }],
  },
  {
    id: "SD1",
    attack: "the workspace is a folder of the server itself",
    test: attack,
    name: "SD1: must not lie in a folder of the server",
    breaks: [{ file: bounds, find: "if (hidden.hides(realIfThere(root)))", replace: "if (false)" }],
  },
  {
    id: "SD1",
    attack: "without a configured workspace, tools work beside the configuration and paths are not guarded",
    test: attack,
    name: "SD1: is a folder of its own where nothing is said",
    breaks: [
      {
        file: "packages/server/src/rack/open.ts",
        find: 'const defaultWorkspace = "workspace"',
        replace: 'const defaultWorkspace = "."',
      },
    ],
  },
  {
    id: "SD1",
    attack: "a tool names a hidden path in a parameter and opens it by itself",
    test: "packages/core/test/call/wrappers/workspace-guard.test.ts",
    name: "SD1: refuses a path to what is hidden",
    breaks: [
      {
        file: "packages/core/src/call/wrappers/workspace-guard.ts",
        find: "hidden !== undefined && (pathReadings",
        replace: "hidden === undefined && (pathReadings",
      },
    ],
  },
  {
    id: "SD1",
    attack: "another user of the machine reads the database or the keys",
    test: attack,
    name: "SD1: are closed to others",
    breaks: [{ file: "packages/server/src/rack/files/private-files.ts", find: "return chmodSync(location, mode);", replace: "return;" }],
  },
  {
    id: "SD4",
    attack: "grep, find, ls, search and navigate show what a path rule denies",
    test: rulesTest,
    name: "leaves out what a path rule denies",
    breaks: [{ file: bounds, find: "if (!mayShow(name, place)) return false;", replace: "" }],
  },
  {
    id: "SD4",
    attack: "a patch changes a file that a path rule denies",
    test: rulesTest,
    name: "SD4: a patch changes, moves and makes nothing",
    breaks: [{ file: ruled, find: "(pathRules === undefined ? tool", replace: "(pathRules !== undefined ? tool" }],
  },
  {
    id: "SD4",
    attack: "a link leads around a path rule",
    test: rulesTest,
    name: "SD4: a link does not lead around a rule",
    breaks: [{ file: bounds, find: "&& mayShow(name, target.path)", replace: "" }],
  },
  {
    id: "SD4",
    attack: "memory_search and memory_get read notes that a path rule denies",
    test: rulesTest,
    name: "SD4: memory finds and reads no note",
    breaks: [
      {
        file: "packages/tools/src/operations/notes.ts",
        find: "if (rules === undefined) return notes;",
        replace: "if (notes) return notes;",
      },
    ],
  },
  {
    id: "SD4",
    attack: "some mixture of tools, links and rules reaches a denied file",
    test: rulesTest,
    name: "SD4: whatever the tree, the rules and the calls",
    breaks: [{ file: bounds, find: "const sentence = rules?.(resolve(root, path), real, path);", replace: "const sentence = undefined;" }],
  },
  {
    id: "SD4",
    attack: "a program that a tool runs opens what a path rule denies",
    test: rulesTest,
    name: "runs programs, which open what they like",
    breaks: [
      {
        file: "packages/core/src/policy/paths/rules.ts",
        find: "return parameters !== undefined || !runsPrograms(tool);",
        replace: "return parameters !== undefined || !runsPrograms(tool) || true;",
      },
    ],
  },
  {
    id: "SD1",
    attack: "a link in place of the folder of notes makes every text of the machine a note",
    test: "packages/server/test/rack/files/replaced-folders.test.ts",
    name: "SD1: is not followed out of the workspace by notes",
    breaks: [{ file: bounds, find: "createBoundary(outer)", replace: 'createBoundary("/")' }],
  },
  {
    id: "SD1",
    attack: "a link in place of the folder of file tools lets them read and write elsewhere",
    test: "packages/server/test/rack/files/replaced-folders.test.ts",
    name: "SD1: is not followed out of the workspace by file tools",
    breaks: [
      { file: "packages/server/src/rack/packs/_inner-folder.ts", find: "within: isInner ? workspace : folder", replace: 'within: "/"' },
    ],
  },
  {
    id: "SD1",
    attack: "another folder, or a link, takes the place of the workspace",
    test: "packages/server/test/rack/files/replaced-folders.test.ts",
    name: "SD1: a workspace that became another folder",
    breaks: [{ file: bounds, find: "createBoundary(outer)", replace: 'createBoundary("/")' }],
  },
  {
    id: "SD1",
    attack: "a link in the workspace makes the server create a folder elsewhere when it starts",
    test: "packages/server/test/rack/files/replaced-folders.test.ts",
    name: "SD1: makes no folder elsewhere",
    breaks: [
      {
        file: "packages/server/src/rack/packs/_workspace.ts",
        find: "if (resolveInside(within, root).ok) makeFolder(root);",
        replace: "makeFolder(root);",
      },
    ],
  },
];
