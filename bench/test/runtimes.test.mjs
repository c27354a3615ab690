import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hasPart } from "@toolrack/core/testing";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installedRuntimes } from "../runtimes/parts.mjs";
import { bundleForBrowsers, bundleForNode, bundleForWorkerd, createProject } from "../runtimes/project.mjs";
import { runInBrowser, runInProcess, withWorker } from "../runtimes/run.mjs";

const runtimes = await installedRuntimes();

/** One program, examples/anywhere, with the packages as npm would publish them; and what a runtime without files answers. */
describe("a program that uses the core", () => {
  let project;
  let onNode;

  beforeAll(async () => {
    project = await createProject();
    onNode = await runInProcess(project.folder, process.execPath);
    expect(onNode).toEqual([expect.arrayContaining(["clerk calls quote@^1.0.0: by 1.2.0"]), withFiles]);
  });
  afterAll(() => project.remove());

  it.skipIf(!hasPart("bun", runtimes.bun !== undefined))("answers the same in Bun as in Node", async () => {
    expect(await runInProcess(project.folder, runtimes.bun)).toEqual(onNode);
  });

  it.skipIf(!hasPart("deno", runtimes.deno !== undefined))("answers the same in Deno as in Node", async () => {
    const args = ["run", "--no-lock", "--node-modules-dir=manual", "--allow-read", "--allow-env"];
    expect(await runInProcess(project.folder, runtimes.deno, args)).toEqual(onNode);
  });

  it.skipIf(!hasPart("esbuild", runtimes.esbuild !== undefined))(
    "answers the same in Node, bundled, where no package is installed",
    async () => {
      const folder = temporaryFolder();
      await bundleForNode(project.folder, "process.js", runtimes.esbuild, folder);
      expect(await runInProcess(folder, process.execPath)).toEqual(onNode);
    },
  );

  it("answers the same in a browser, bundled, on a page that may not make code from text", async () => {
    const files = await bundleForBrowsers(project.folder, "page.js");
    const code = files.map((file) => readFileSync(join(project.folder, "browser", file), "utf8")).join("\n");
    expect(code.match(/\b(?:from|import|require)\s*\(?\s*["'`]node:[^"'`]*/g)).toBeNull();
    expect(await runInBrowser(project.folder, files)).toEqual([onNode[0], withoutFiles]);
  });

  it.skipIf(!hasPart("workerd", runtimes.workerd !== undefined && runtimes.esbuild !== undefined)).each([
    ["without weak references", { date: "2024-01-01" }, withoutFiles],
    ["without anything of Node", { date: "2026-07-01" }, withoutFiles],
    ["with files of its own", { date: "2026-10-01" }, withFiles],
    ["with Node's modules by a flag", { date: "2026-01-01", flags: ["nodejs_compat"] }, withFiles],
  ])("answers the same in workerd, bundled, %s: %o", async (_what, worker, files) => {
    if (!existsSync(join(project.folder, "workerd"))) await bundleForWorkerd(project.folder, "all-requests.js", runtimes.esbuild);
    await withWorker(project.folder, runtimes.workerd, worker, async (ask) => {
      expect(await ask("/")).toEqual([onNode[0], files]);
      // The timers of a request end with it: what one request waits for must not be a timer of another.
      const first = ask("/short");
      await new Promise((resolve) => setTimeout(resolve, 50));
      const second = ask("/endless");
      expect(await Promise.all([first, second])).toEqual(["done", "TIMEOUT"]);
      // Older workers cannot wait for another request at all.
      if (worker.date >= "2024-10-14") expect(await Promise.all([ask("/single"), ask("/single")])).toEqual(["done", "done"]);
      expect(await ask("/", { celsius: 100 })).toEqual({ fahrenheit: 212 });
    });
  });
});

const withFiles = {
  workspace: "read",
  outside: expect.stringMatching(/^PATH_OUTSIDE_WORKSPACE /),
  guard: "nothing",
  deniedPath: expect.stringMatching(/^TOOL_NOT_ALLOWED .* leads to a denied location/),
  otherPath: "read",
  decision: "allow",
  noPath: "read",
  program: expect.stringMatching(/^TOOL_UNAVAILABLE .* Install no-such-program/),
};

/** What would be guarded is refused, and says why. */
const withoutFiles = {
  workspace: expect.stringMatching(/^CONFIG_INVALID .* needs a file system/),
  outside: expect.stringMatching(/^CONFIG_INVALID .* needs a file system/),
  guard: expect.stringMatching(/^CONFIG_INVALID .* needs a file system/),
  deniedPath: expect.stringMatching(/^TOOL_NOT_ALLOWED .* cannot be checked: this runtime has no file system/),
  otherPath: expect.stringMatching(/^TOOL_NOT_ALLOWED .* cannot be checked: this runtime has no file system/),
  decision: "deny",
  noPath: "read",
  program: expect.stringMatching(/^TOOL_UNAVAILABLE .* Programs can be run only in Node, Bun and Deno/),
};
