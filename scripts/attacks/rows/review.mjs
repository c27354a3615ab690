const rack = "packages/server/src/rack";
const code = "packages/server/test/rack/files/code-in-workspace.test.ts";

/** Each row: an attack, the test that shows the defence, and a change of the code that removes the defence and must make that test fail. */
export const rows = [
  {
    id: "SD1",
    attack: "an agent changes a module of the server through the folder that a pack has of its own",
    test: code,
    name: "SD1: is refused where it lies in the folder that a pack has of its own",
    breaks: [{ file: `${rack}/files/writable.ts`, find: ", ...own].map(", replace: "].map(" }],
  },
  {
    id: "SD1",
    attack: "an agent changes what a source loads by a variable, an option, its search path or a shell line",
    test: code,
    name: "SD1: of a source leads into the workspace by no other way",
    breaks: [
      { file: `${rack}/files/source-paths.ts`, find: "loadingVariable.test(name) ||", replace: "" },
      { file: `${rack}/files/source-paths.ts`, find: "pieces.push(word.slice(2),", replace: "pieces.push(" },
      { file: `${rack}/files/source-paths.ts`, find: "[word, decoded(word),", replace: "[word," },
      { file: `${rack}/files/code-in-workspace.ts`, find: "if (hasShellLine(source))", replace: "if (false)" },
      { file: `${rack}/files/source-paths.ts`, find: ', ...named("command", [command])', replace: "" },
    ],
  },
  {
    id: "SD1",
    attack: "a program of one pack replaces a folder that programs of another pack may read",
    test: code,
    name: "SD1: are refused where they lie in the root of another pack",
    breaks: [{ file: `${rack}/files/writable.ts`, find: ", ...own].map(", replace: "].map(" }],
  },
  {
    id: "SD1",
    attack: "an agent whose workspace contains the server's packages changes them, or puts a command in their place",
    test: "packages/server/test/rack/files/own-files.test.ts",
    name: "SD1: is neither seen nor changed by an agent whose workspace contains it",
    breaks: [{ file: `${rack}/files/own-files.ts`, find: "    ...code,\n", replace: "" }],
  },
  {
    id: "SD1",
    attack: "an agent makes the command that is started next in the folder of the configuration",
    test: "packages/server/test/rack/files/own-files.test.ts",
    name: "SD1: is not put in place for the next start",
    breaks: [{ file: `${rack}/files/running-code.ts`, find: "...started, ...next]", replace: "...packages]" }],
  },
  {
    id: "SD5",
    attack: "a curator approves its own definition through a second sign-in of the same agent",
    test: "packages/server/test/api/own-definitions.test.ts",
    name: "SD5: one agent with a key and several tokens",
    breaks: [
      {
        file: "packages/store/src/lifecycle/authors.ts",
        find: "[record.updated_by, record.updated_agent]",
        replace: "[record.updated_by]",
      },
    ],
  },
  {
    id: "SD1",
    attack: "a file that was approved once is put back later and runs without another approval",
    test: "packages/server/test/rack/settings/config-changes.test.ts",
    name: "SD1: uses an approval once",
    breaks: [
      { file: `${rack}/settings/config-changes.ts`, find: "found === undefined || used.has(useOf(found))", replace: "found === undefined" },
    ],
  },
  {
    id: "SD1",
    attack: "code is hidden from the approver behind something that looks like a credential",
    test: "packages/server/test/config/shown-source.test.ts",
    name: "SD1: shows whoever approves it all of its code",
    breaks: [
      {
        file: "packages/server/src/config/checks/credentials.ts",
        find: 'const run = "[A-Za-z0-9_.~+/=%:@!*^,-]+";',
        replace: 'const run = "[^]+";',
      },
    ],
  },
  {
    id: "SD1",
    attack: "the program of a source is approved by somebody who never saw it",
    test: "packages/cli/test/running-server.test.ts",
    name: "SD1: are approved with the digest of the program that was shown alone",
    breaks: [{ file: "packages/cli/src/commands/sources.ts", find: "if (digest !== found.identity) {", replace: "if (false) {" }],
  },
  {
    id: "SD2",
    attack: "a policy that was tightened is not noticed, because the file is a link or its folder was replaced",
    test: "packages/server/test/config/file/file.test.ts",
    name: "SD2: is used when a change of it was not noticed by watching",
    breaks: [
      { file: "packages/server/src/config/file/file.ts", find: "      watchAgain();\n      poll();\n", replace: "      watchAgain();\n" },
    ],
  },
  {
    id: "SD2",
    attack: "a half-written file without its refusals is used because its writer rests for some seconds",
    test: "packages/server/test/config/file/file.test.ts",
    name: "SD2: that lost a rule is not used while its writer may only rest",
    breaks: [{ file: "packages/server/src/config/file/file.ts", find: "looser: 51", replace: "looser: 11" }],
  },
];
