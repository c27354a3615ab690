/** What an independent review of programs, progress and upstreams found. */
const [core, tools, mcp] = ["packages/core", "packages/tools", "packages/mcp"];

export const rows = [
  {
    id: "SD16",
    attack: "a tool tells in its progress the secret of the tool that called it",
    test: `${core}/test/call/config-secrets.test.ts`,
    name: "SD16: is taken out of the progress",
    breaks: [{ file: `${core}/src/call/context.ts`, find: "const own = this.withoutSecrets(update);", replace: "const own = update;" }],
  },
  {
    id: "SD16",
    attack: "a tool tells in its progress a field that results never show",
    test: `${core}/test/call/config-secrets.test.ts`,
    name: "SD16: is taken out of the progress",
    breaks: [
      {
        file: `${core}/src/call/context.ts`,
        find: "host.redactProgress === undefined ? own : host.redactProgress(own)",
        replace: "own",
      },
    ],
  },
  {
    id: "SD14",
    attack: "a program hides its processes in a namespace of its own",
    test: `${tools}/test/runtime/program-limits.test.ts`,
    name: "SD14: is ended for what it does in namespaces",
    breaks: [
      {
        file: `${tools}/src/operations/program-limits.ts`,
        find: "for (const pid of found) found.push(...(children.get(pid) ?? []));",
        replace: "",
      },
      { file: `${tools}/src/operations/program-limits.ts`, find: "`--nproc=${maxProcesses}`, ", replace: "" },
    ],
  },
  {
    id: "SD14",
    attack: "a program fills the memory of the machine with temporary files",
    test: `${tools}/test/runtime/program-limits.test.ts`,
    name: "SD14: cannot fill the memory",
    breaks: [{ file: `${tools}/src/operations/mount.ts`, find: "1_073_741_824", replace: "8_073_741_824" }],
  },
  {
    id: "SD8",
    attack: "an upstream announces changes without a pause, and its list is read all the time",
    test: `${mcp}/test/upstream/connection/throttle.test.ts`,
    name: "SD8",
    breaks: [{ file: `${mcp}/src/upstream/connection/throttle.ts`, find: "if (timer === undefined) run();", replace: "run();" }],
  },
];
