import { hostPacks } from "./host-packs.mjs";
import { publishPacks } from "./publish-packs.mjs";
import { servicePacks } from "./service-packs.mjs";
import { createFuzzWorkspace, workspaceHints, workspaceTexts } from "./workspace.mjs";

/**
 * Every pack, made ready to be fuzzed. `open(tools)` is handed the public names of @toolrack/tools and answers the pack's tools on something
 * of their own, with programs and networks faked: `{ tools, caller?, texts?, hints?, registry?, between?, world, requests?, close? }`. `world()` tells
 * what calls can change, and `requests()` how many requests were sent to others.
 */
export const packs = [
  { name: "files", open: inWorkspace((tools, options) => tools.createFilesTools(options)) },
  { name: "runtime", open: inWorkspace((tools, options) => tools.createRuntimeTools({ ...options, shell: true })) },
  { name: "code", open: inWorkspace((tools, options) => tools.createCodeTools({ ...options, bash: true })) },
  ...servicePacks,
  ...hostPacks,
  ...publishPacks,
];

/** What the calls leave behind is put in order again this often. */
const callsPerFill = 50;

function inWorkspace(create) {
  return (tools) => {
    const workspace = createFuzzWorkspace();
    const programs = fakePrograms(tools);
    return {
      tools: create(tools, { root: workspace.root, processes: programs }),
      texts: workspaceTexts,
      hints: workspaceHints,
      between(count, result) {
        if (count % callsPerFill === 0) workspace.fill();
        return workspace.findFault(result);
      },
      // What a program does cannot be known: whoever starts one may have changed anything, and asked anybody.
      world: () => `${programs.started()}\n${workspace.content()}`,
      requests: programs.started,
      close: () => workspace.remove(),
    };
  };
}

/** Programs that end at once, in every way that one can end. */
function fakePrograms({ ProcessFault }) {
  let count = 0;
  return {
    started: () => count,
    async start({ program, onOutput }) {
      const way = ways[count++ % ways.length];
      if (way.fault !== undefined) throw new ProcessFault(way.fault, program);
      onOutput("stdout", Buffer.from(way.stdout ?? ""));
      onOutput("stderr", Buffer.from(way.stderr ?? ""));
      const ended = Promise.resolve({ exitCode: way.exitCode ?? null, signal: way.signal ?? null });
      return { pid: 0, ended, write: async () => {}, endInput() {}, signal() {}, stop: () => ended };
    },
    close: async () => {},
  };
}

const ways = [
  { exitCode: 0 },
  { exitCode: 0, stdout: "main\n" },
  { exitCode: 1, stderr: "it failed\n" },
  { exitCode: 0, stdout: " M a.txt\0R  new\0old\0" },
  { fault: "ENOENT" },
  { exitCode: 128, stderr: "fatal: not a git repository\n" },
  { signal: "SIGKILL", stdout: "cut" },
  { exitCode: 0, stdout: Buffer.from([0xff, 0xfe, 0x00, 0xc3]) },
];
