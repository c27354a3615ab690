/** Each row: an attack, the test that shows the defence, and a change of the code that removes the defence and must make that test fail. */
const git = "packages/tools/test/code/git-programs.test.ts";
const isolation = "packages/tools/test/runtime/isolation.test.ts";
const programs = "packages/server/test/rack/packs/programs.test.ts";
const replaced = "packages/server/test/rack/files/replaced-folders.test.ts";

export const rows = [
  {
    id: "SD3",
    attack: "a key of a repository's configuration makes git run a program",
    test: git,
    name: "SD3: by no key of the configuration",
    breaks: [{ file: "packages/tools/src/code/_git.ts", find: "      refuseUnknownSettings(stdout);\n", replace: "" }],
  },
  {
    id: "SD3",
    attack: "a configuration too long to be shown hides the key that names a program, or another file holds it",
    test: git,
    name: "SD3: also where the key stands",
    breaks: [
      {
        file: "packages/tools/src/code/_repository.ts",
        find: '["config", "config.worktree"]',
        replace: '["config"]',
      },
    ],
  },
  {
    id: "SD3",
    attack: "files that look like a bare repository make git read its settings from the workspace",
    test: git,
    name: "SD3: a workspace whose own files look like a bare repository",
    breaks: [
      { file: "packages/tools/src/code/_repository.ts", find: "if (found === undefined) {", replace: "if (found === null) {" },
      {
        file: "packages/tools/src/code/_repository.ts",
        find: "if (!found.isDirectory()) {",
        replace: "if (found?.isDirectory() === false) {",
      },
      { file: "packages/tools/src/code/_repository.ts", find: "readdirSync(folder, { withFileTypes: true })", replace: "[]" },
      { file: "packages/tools/src/code/_git.ts", find: "    GIT_DIR: folder,\n    GIT_WORK_TREE: root,\n", replace: "" },
      {
        file: "packages/tools/src/code/_git-config.ts",
        find: '  "safe.bareRepository": "explicit",\n  "core.fsmonitor": "false",\n',
        replace: "",
      },
    ],
  },
  {
    id: "SD3",
    attack: "a .git that points elsewhere brings the configuration of another repository",
    test: git,
    name: "a .git file that points elsewhere",
    breaks: [{ file: "packages/tools/src/code/_repository.ts", find: "if (!found.isDirectory()) {", replace: "if (false) {" }],
  },
  {
    id: "SD3",
    attack: "hooks and settings of the machine run programs during a commit",
    test: git,
    name: "SD3: hooks run only where that is said",
    breaks: [
      { file: "packages/tools/src/code/_git-config.ts", find: '"core.hooksPath": "/dev/null"', replace: '"core.hooksPath": ".git/hooks"' },
    ],
  },
  {
    id: "SD3",
    attack: "a push to a path runs the programs of the repository there",
    test: git,
    name: "SD3: a push goes over a network",
    breaks: [{ file: "packages/tools/src/code/_git-config.ts", find: '  "protocol.allow": "never",\n', replace: "" }],
  },
  {
    id: "SD14",
    attack: "a program reads the environment of the server or of another process",
    test: isolation,
    name: "SD14: see no environment of another process",
    breaks: [
      {
        file: "packages/tools/src/operations/node-processes.ts",
        find: "options.unconfined === true ? undefined",
        replace: "options.unconfined !== undefined || true ? undefined",
      },
    ],
  },
  {
    id: "SD14",
    attack: "a program reads the server's own files in a folder that it may read",
    test: isolation,
    name: "SD14: find none of the server's own files",
    breaks: [{ file: "packages/tools/src/operations/sandbox.ts", find: ", ...(options.hidden ?? [])]", replace: "]" }],
  },
  {
    id: "SD14",
    attack: "a program replaces the server's own files in the workspace, or makes those that do not exist yet",
    test: isolation,
    name: "SD14: are not run where the server's own files lie",
    breaks: [
      {
        file: "packages/tools/src/operations/node-processes.ts",
        find: "if (reserved !== undefined) throw reservedInside(reserved);",
        replace: "",
      },
    ],
  },
  {
    id: "SD1",
    attack: "a program replaces a link that the server's configuration is read through",
    test: programs,
    name: "holds a link that the server's configuration",
    breaks: [
      {
        file: "packages/tools/src/operations/reserved-files.ts",
        find: "if (statIfThere(place)?.isSymbolicLink() !== true) break;",
        replace: "break;",
      },
    ],
  },
  {
    id: "SD1",
    attack: "a program writes the server's configuration through a hard link in the workspace",
    test: programs,
    name: "may hold a hard link to the server's configuration",
    breaks: [{ file: "packages/tools/src/operations/reserved-files.ts", find: "found.nlink > 1", replace: "false" }],
  },
  {
    id: "SD1",
    attack: "tools that run programs are offered where the workspace holds the server's own files",
    test: programs,
    name: "SD1: are unavailable where the workspace",
    breaks: [{ file: "packages/server/src/rack/packs/_workspace.ts", find: '    needed.push("separate-workspace");\n', replace: "" }],
  },
  {
    id: "SD14",
    attack: "a program of a server that runs as root writes settings of the machine's kernel",
    test: isolation,
    name: "SD14: may write to no setting of the kernel",
    breaks: [{ file: "packages/tools/src/operations/sandbox.ts", find: "[...procMounts(), ", replace: "[" }],
  },
  {
    id: "SD14",
    attack: "a program reads a descriptor that was left open for the server",
    test: isolation,
    name: "SD14: get no descriptor",
    breaks: [
      {
        file: "packages/core/src/programs/descriptors.ts",
        find: "if (others.length === 0) return",
        replace: "if (others.length >= 0) return",
      },
    ],
  },
  {
    id: "SD14",
    attack: "a link in place of the folder that programs work in makes another folder of the machine writable",
    test: replaced,
    name: "SD14: runs no programs, which could replace it",
    breaks: [
      {
        file: "packages/server/src/rack/packs/_workspace.ts",
        find: "const isReplaceable = folder !== context.root && within === context.root;",
        replace: "const isReplaceable = false;",
      },
    ],
  },
  {
    id: "SD14",
    attack: "a program of a server that runs as root reads files below /etc that only root may read",
    test: "packages/tools/test/runtime/private-files.alone.test.ts",
    name: "SD14: are not seen below /etc",
    breaks: [{ file: "packages/tools/src/operations/sandbox.ts", find: "...privateSettings(), ", replace: "" }],
  },
  {
    id: "SD16",
    attack: "a program in the background outlives the key that started it",
    test: "packages/server/test/rack/packs/programs.test.ts",
    name: "SD16: of a key in the background end",
    breaks: [
      {
        file: "packages/tools/src/runtime/_table.ts",
        find: "if (record.end === undefined && isOver(caller)) void record.started.stop();",
        replace: "if (record.end === undefined && isOver(caller) && record.label === '') void record.started.stop();",
      },
    ],
  },
  {
    id: "SD14",
    attack: "a program takes all memory of the machine",
    test: "packages/tools/test/runtime/program-limits.test.ts",
    name: "SD14: gets no more memory than it may have",
    breaks: [
      {
        file: "packages/tools/src/operations/program-limits.ts",
        find: "if (!canLimit()) return [program, ...args];",
        replace: "if (canLimit()) return [program, ...args];",
      },
      {
        file: "packages/tools/src/operations/program-limits.ts",
        find: "else if (sum(members, privateBytes) > maxMemoryBytes &&",
        replace: "else if (members.length < 0 &&",
      },
    ],
  },
  {
    id: "SD14",
    attack: "many processes of a program together take all memory of the machine",
    test: "packages/tools/test/runtime/program-limits.test.ts",
    name: "SD14: is ended where its processes together",
    breaks: [
      {
        file: "packages/tools/src/operations/program-limits.ts",
        find: "else if (sum(members, privateBytes) > maxMemoryBytes &&",
        replace: "else if (members.length > 8 &&",
      },
    ],
  },
  {
    id: "SD14",
    attack: "a program replaces a folder that programs may read by a link to a folder of the machine",
    test: "packages/server/test/rack/files/code-in-workspace.test.ts",
    name: "SD14: are refused where one of",
    breaks: [
      {
        file: "packages/server/src/rack/files/code-in-workspace.ts",
        find: "  refuseReadable(config.tools?.packs, root, writable);\n",
        replace: "",
      },
    ],
  },
  {
    id: "SD14",
    attack: "a folder that programs may read is reached by a link that they may replace",
    test: "packages/server/test/rack/files/code-in-workspace.test.ts",
    name: "SD14: are refused where one of",
    breaks: [
      {
        file: "packages/server/src/rack/files/code-in-workspace.ts",
        find: "findWritable(path.resolve(root, folder), writable);",
        replace: "writable.find((one) => isInside(one.folder, realPlace(path.resolve(root, folder))));",
      },
    ],
  },
  {
    id: "SD14",
    attack: "a program writes outside of the workspace, or reads other people's files",
    test: isolation,
    name: "SD14: write nothing outside",
    breaks: [
      {
        file: "packages/tools/src/operations/sandbox.ts",
        find: 'const systemFolders = ["/usr",',
        replace: 'const systemFolders = ["/tmp", "/root", "/usr",',
      },
      {
        file: "packages/tools/src/operations/sandbox.ts",
        find: 'const temporary = ["/tmp", "/var/tmp", sandboxHome];',
        replace: "const temporary = [sandboxHome];",
      },
    ],
  },
  {
    id: "SD14",
    attack: "a program gains privileges",
    test: isolation,
    name: "SD14: gain no privileges",
    breaks: [
      { file: "packages/tools/src/operations/bubblewrap.ts", find: '"--cap-drop", "ALL"', replace: '"--cap-add", "ALL"' },
      { file: "packages/tools/src/operations/unshare.ts", find: "--no-new-privs --bounding-set=-all ", replace: "" },
    ],
  },
  {
    id: "SD14",
    attack: "a daemon outlives the call that started it",
    test: isolation,
    name: "SD14: leave no daemon behind",
    breaks: [
      {
        file: "packages/tools/src/operations/node-processes.ts",
        find: "options.unconfined === true ? undefined",
        replace: "options.unconfined !== undefined || true ? undefined",
      },
    ],
  },
  {
    id: "SD14",
    attack: "a program reaches the network, and services of this machine, without being allowed to",
    test: isolation,
    name: "SD14: reach no network",
    breaks: [
      {
        file: "packages/tools/src/operations/node-processes.ts",
        find: "network: options.network === true,",
        replace: "network: true,",
      },
    ],
  },
  {
    id: "SD14",
    attack: "programs run with all rights of the server where nothing isolates them",
    test: isolation,
    name: "SD14: are refused where nothing isolates them",
    breaks: [
      {
        file: "packages/tools/src/operations/node-processes.ts",
        find: "options.unconfined === true ? undefined : requireIsolation(options.isolation)",
        replace: 'findIsolation().kind === "none" ? undefined : requireIsolation(options.isolation)',
      },
    ],
  },
  {
    id: "SD14",
    attack: "a program finds the configuration, the store or the key of the server that runs it",
    test: programs,
    name: "SD14: find neither the configuration",
    breaks: [{ file: "packages/server/src/rack/packs/_workspace.ts", find: "    hidden: context.ownFiles,\n  });", replace: "  });" }],
  },
  {
    id: "SD14",
    attack: "secrets of the server stay in its environment, which its children inherit and the system shows",
    test: programs,
    name: "SD14: are gone from the server",
    breaks: [
      {
        file: "packages/server/src/rack/keys-and-tokens/forget-variables.ts",
        find: "    overwriteInitialValues(new Set(names));\n",
        replace: "",
      },
    ],
  },
];
