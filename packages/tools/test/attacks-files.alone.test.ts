import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createCodeTools } from "../src/code/code.ts";
import { createFilesTools } from "../src/files/files.ts";
import { createProcessOperations } from "../src/operations/node-processes.ts";
import type { ProcessOperations } from "../src/operations/processes.ts";
import { createTemporaryWorkspace, type Invoke, invokerOf, outsideSecret, type TemporaryWorkspace } from "./temporary-workspace.ts";

/** What happens right before the n-th operation on files that is waited for. */
const moment = vi.hoisted(() => ({ done: 0, at: 0, act: undefined as (() => void) | undefined }));

vi.mock("node:fs/promises", async (original) => {
  const actual = await original<Record<string, unknown>>();
  const watched = Object.entries(actual).map(([name, value]) => {
    if (typeof value !== "function" || name === "default") return [name, value];
    const operation = value as (...args: unknown[]) => unknown;
    return [
      name,
      (...args: unknown[]) => {
        if (++moment.done === moment.at) moment.act?.();
        return operation(...args);
      },
    ];
  });
  return Object.fromEntries(watched) as Record<string, unknown>;
});

let workspace: TemporaryWorkspace;
let processes: ProcessOperations;
let call: Invoke;
beforeEach(() => {
  workspace = createTemporaryWorkspace();
  const { root } = workspace;
  processes = createProcessOperations({ root });
  call = invokerOf([...createFilesTools({ root, processes }), ...createCodeTools({ root, processes })]);
});
afterEach(async () => {
  moment.act = undefined;
  await processes.close();
  workspace.remove();
});

/** The folder "swap" anew, and files of the same names outside. Answers what is outside. */
function prepare(): Record<string, string> {
  const { root, outside } = workspace;
  for (const name of ["swap", "aside"]) rmSync(join(root, name), { recursive: true, force: true });
  for (const folder of [join(root, "swap/deep"), join(outside, "deep")]) mkdirSync(folder, { recursive: true });
  for (const file of ["swap/secret.txt", "swap/deep/secret.txt"]) writeFileSync(join(root, file), "secret inside\n");
  for (const file of ["deep/secret.txt", "deep/only-outside.txt"]) writeFileSync(join(outside, file), `secret ${outsideSecret}\n`);
  return workspace.snapshotOutside();
}

function swap(): void {
  const { root } = workspace;
  renameSync(join(root, "swap"), join(root, "aside"));
  symlinkSync("../work-outside", join(root, "swap"));
}

/** More operations than any of the tools needs for these calls. */
const maxOperations = 200;

describe("someone who swaps a folder for a link after it was checked", () => {
  for (const [name, input] of [
    ["read", { path: "swap/secret.txt" }],
    ["read", { path: "swap/deep/secret.txt" }],
    ["write", { path: "swap/secret.txt", content: "x" }],
    ["write", { path: "swap/new.txt", content: "x" }],
    ["write", { path: "swap/deep/secret.txt", content: "x" }],
    ["write", { path: "swap/other/new.txt", content: "x" }],
    ["edit", { path: "swap/deep/secret.txt", old_text: "s", new_text: "S" }],
    ["ls", { path: "swap/deep" }],
    ["grep", { pattern: "the-outside|secret", path: "swap" }],
    ["file", { action: "delete", path: "swap/deep/secret.txt" }],
    ["file", { action: "append", path: "swap/deep/secret.txt", content: "x" }],
  ] as const) {
    it(`S22: gets nothing of ${name} ${JSON.stringify(input)}, at whatever moment`, async () => {
      for (let at = 1; at <= maxOperations; at++) {
        const before = prepare();
        Object.assign(moment, { done: 0, at, act: swap });
        const text = JSON.stringify(await call(name, input));
        const isOver = moment.done < at;
        moment.act = undefined;
        expect({ at, text }).toEqual({ at, text: expect.not.stringMatching(`${outsideSecret}|only-outside`) });
        expect({ at, outside: workspace.snapshotOutside() }).toEqual({ at, outside: before });
        // The call was over before the swap: there is no later moment.
        if (isOver) return expect(at).toBeGreaterThan(1);
      }
      throw new Error("The call needs more operations than were tried.");
    });
  }
});
