// A coding agent: it finds a bug, fixes it, runs the tests and commits. The model is a script; everything else is real.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
// #region imports
import { createRegistry } from "@toolrack/core";
import { codeAgentBundle } from "@toolrack/core/compat";
import { exportTools, readCalls, writeResults } from "@toolrack/core/vendors";
import {
  createCodeTools,
  createFileOperations,
  createFilesTools,
  createProcessOperations,
  createRuntimeTools,
  type FileOperations,
  findIsolation,
} from "@toolrack/tools";
// #endregion

const root = mkdtempSync(join(tmpdir(), "toolrack-coding-agent-"));
const git = (...args: string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8" });
writeFileSync(join(root, "package.json"), '{ "type": "module", "scripts": { "test": "node check.js" } }\n');
writeFileSync(join(root, "sum.js"), "export function sum(numbers) {\n  return numbers.reduce((a, b) => a - b, 0);\n}\n");
writeFileSync(
  join(root, "check.js"),
  'import { sum } from "./sum.js";\nif (sum([1, 2]) !== 3) throw new Error(`sum([1, 2]) is ${sum([1, 2])}`);\n',
);
git("init", "--quiet", "--initial-branch=main");
git("config", "user.name", "Coding Agent");
git("config", "user.email", "agent@example.com");
git("add", ".");
git("commit", "--quiet", "--message=Begin");

// Programs are isolated. If this machine cannot isolate programs, this example still runs, since all its programs are harmless.
const unconfined = findIsolation().kind === "none";

// #region tools
const processes = createProcessOperations({ root, unconfined }); // shared by all packs, so that one call ends every program
const registry = createRegistry({ workspace: { root } });
for (const tool of [
  ...createCodeTools({ root, processes }),
  ...createFilesTools({ root, processes }),
  ...createRuntimeTools({ root, processes }),
]) {
  registry.register(tool);
}
const { tools, missing } = registry.applyBundle(codeAgentBundle);
console.log(tools.map((tool) => `${tool.name}: ${tool.description}`).join("\n"));
// #endregion
assert.deepEqual(missing, []);

/** What the model says, turn by turn, in the format of its vendor. The first edit is wrong. */
const script: readonly (readonly [tool: string, input: object][])[] = [
  [
    ["test", { type: "npm" }],
    ["navigate", { action: "get_tree" }],
  ],
  [["search", { action: "find_definition", name: "sum" }]],
  [["file", { action: "read", path: "sum.js" }]],
  [["edit", { path: "sum.js", old_text: "(a, b) =>  a - b", new_text: "(a, b) => a + b" }]],
  [["edit", { file_path: "sum.js", old_string: "a - b", new_string: "a + b" }]],
  [["test", { type: "npm" }]],
  [
    ["git", { action: "diff" }],
    ["git", { action: "add", files: ["sum.js"] }],
  ],
  [["git", { action: "commit", message: "Add numbers instead of subtracting them" }]],
];
let turn = 0;
function askModel(_request: object): { readonly content: readonly object[] } {
  const calls = script[turn++] ?? [];
  if (calls.length === 0) return { content: [{ type: "text", text: "The sum is right now, and committed." }] };
  return { content: calls.map(([name, input], index) => ({ type: "tool_use", id: `toolu_${turn}_${index}`, name, input })) };
}

// #region loop
const caller = { agent: "coder", provider: "anthropic" };
const exported = exportTools(registry.view(caller).tools, "anthropic");
const messages: unknown[] = [{ role: "user", content: "The sum is wrong. Mend it, and commit." }];
for (;;) {
  const reply = askModel({ tools: exported.tools, messages });
  messages.push({ role: "assistant", content: reply.content });
  const calls = readCalls(reply, exported);
  if (calls.length === 0) break;
  const results = await registry.callAll(calls, { caller });
  for (const [index, result] of results.entries()) {
    console.log(`\n> ${calls[index]!.name} ${JSON.stringify(calls[index]!.input)}\n${result.ok ? result.content : result.error}`);
    for (const { action, target } of (result.ok && result.effects) || []) console.log(`[${action} ${target}]`);
  }
  messages.push(...writeResults(calls, results, exported));
}
await processes.close();
// #endregion

// #region background
const programs = createProcessOperations({ root, unconfined });
const runtime = createRegistry();
for (const tool of createRuntimeTools({
  root,
  processes: programs,
  shell: true, // exec then also takes `command`, a command line for /bin/sh
  environment: { inherit: ["PATH"], set: { CI: "1" }, accept: ["GREETING"] },
  timeoutMs: 60_000,
  maxRunning: 4,
})) {
  runtime.register(tool);
}
const started = await runtime.invoke("exec", { command: 'echo "$GREETING"; cat', env: { GREETING: "hello" }, background: true });
const { handle } = (started.ok && started.data) as { handle: string };
const polled = await runtime.invoke("process", { action: "poll", handle, wait_ms: 5_000 });
const killed = await runtime.invoke("process", { action: "kill", handle });
await programs.close(); // ends everything that is still running
// #endregion
assert(polled.ok && polled.content.includes("hello"), JSON.stringify(polled));
assert(killed.ok);

// #region operations
const disk = createFileOperations({ root });
const written: string[] = [];
const watched: FileOperations = {
  ...disk,
  stage(path, bytes, options) {
    written.push(path);
    return disk.stage(path, bytes, options);
  },
};
const filesOnly = createRegistry();
for (const tool of createFilesTools({ root, files: watched, processes: false })) filesOnly.register(tool);
const patched = await filesOnly.invoke("apply_patch", {
  patch: ["*** Begin Patch", "*** Add File: NOTES.md", "+# Notes", "*** Delete File: check.js", "*** End Patch"].join("\n"),
});
// #endregion
assert(patched.ok && patched.effects?.length === 2 && written.join() === "NOTES.md");

// #region bash
const careful = createRegistry();
for (const tool of createCodeTools({ root, bash: { allow: ["npm test", "git status"], forbid: ["rm "] } })) careful.register(tool);
const refused = await careful.invoke("bash", { command: "git status; curl example.com" });
// #endregion
assert(!refused.ok && refused.code === "TOOL_NOT_ALLOWED");
console.log(`\n${refused.error}`);

try {
  assert.equal(
    readFileSync(join(root, "sum.js"), "utf8"),
    "export function sum(numbers) {\n  return numbers.reduce((a, b) => a + b, 0);\n}\n",
  );
  assert.match(git("log", "--format=%s"), /^Add numbers instead of subtracting them\nBegin\n$/);
  assert.equal(git("status", "--porcelain"), " D check.js\n?? NOTES.md\n");
  const text = JSON.stringify(messages);
  assert(text.includes("sum([1, 2]) is -3")); // the tests failed at first
  assert(text.includes("differs only in its spaces and tabs")); // the wrong edit was answered with the nearest match
  assert(text.includes("Passed: npm run --silent test"));
} finally {
  rmSync(root, { recursive: true });
}
