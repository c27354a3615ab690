import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasPart } from "@toolrack/core/testing";
import { canMount, createSmallDisk } from "@toolrack/testkit/small-disk";
import { turns } from "@toolrack/testkit/turns";
import { until } from "@toolrack/testkit/until";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFilesTools } from "../src/files/files.ts";
import { type FileOperations, FileFault } from "../src/operations/files.ts";
import { createFileOperations } from "../src/operations/node-files.ts";
import { createTemporaryWorkspace, type Invoke, invokerOf, type TemporaryWorkspace } from "./temporary-workspace.ts";

let workspace: TemporaryWorkspace;
beforeEach(() => {
  workspace = createTemporaryWorkspace({ "a.txt": "one\ntwo\n" });
});
afterEach(() => workspace.remove());

/** The tools on a disk that does something of its own at some step. */
function withDisk(change: (disk: FileOperations) => Partial<FileOperations>): Invoke {
  const disk = createFileOperations({ root: workspace.root });
  return invokerOf(createFilesTools({ root: workspace.root, processes: false, files: { ...disk, ...change(disk) } }));
}

describe("a full disk", () => {
  it.skipIf(!hasPart("the right to mount", canMount))(
    "leaves every file as it was, and nothing half written (needs the right to mount)",
    async () => {
      const disk = createSmallDisk("64k", workspace.root);
      try {
        workspace.write("a.txt", "one\n");
        const call = invokerOf(createFilesTools({ root: workspace.root, processes: false }));
        const before = workspace.snapshot();
        const big = "x".repeat(200_000);
        for (const [name, input] of [
          ["write", { path: "a.txt", content: big }],
          ["write", { path: "new/deep/b.txt", content: big }],
          ["edit", { path: "a.txt", old_text: "one", new_text: big }],
          [
            "apply_patch",
            { patch: `*** Begin Patch\n*** Add File: c.txt\n+small\n*** Add File: d.txt\n+${big}\n*** Delete File: a.txt\n*** End Patch` },
          ],
        ] as const) {
          const result = await call(name, input);
          expect(result).toMatchObject({ ok: false, code: "TOOL_FAILED", error: expect.stringContaining("the disk is full") });
          expect(workspace.snapshot()).toEqual(before);
        }
        expect(await call("write", { path: "a.txt", content: "still works\n" })).toMatchObject({ ok: true });
      } finally {
        disk.remove();
      }
    },
  );

  it("is told as such, whoever the operations belong to", async () => {
    const call = withDisk(() => ({
      stage: async (path) => {
        throw new FileFault("ENOSPC", path);
      },
    }));
    expect(await call("write", { path: "a.txt", content: "x" })).toMatchObject({
      ok: false,
      code: "TOOL_FAILED",
      error: '"a.txt" was not written: the disk is full. Nothing was changed; make room first.',
    });
    const plain = withDisk(() => ({
      stage: () => Promise.reject(Object.assign(new Error("write"), { code: "EDQUOT", path: "/somewhere/a.txt" })),
    }));
    expect(await plain("write", { path: "a.txt", content: "x" })).toMatchObject({
      ok: false,
      error: expect.stringContaining('"a.txt" was not written: the disk quota'),
    });
  });
});

describe("a file that changes while a call is at work", () => {
  it.each([
    ["vanishes", () => rmSync(join(workspace.root, "a.txt")), "was removed by someone else", undefined],
    ["is changed", () => writeFileSync(join(workspace.root, "a.txt"), "one\nother\n"), "was changed by someone else", "one\nother\n"],
  ])("%s: the edit is refused, and the file stays as it is", async (_, meanwhile, sentence, content) => {
    const call = withDisk((disk) => ({
      async read(path, maxBytes) {
        const read = await disk.read(path, maxBytes);
        meanwhile();
        return read;
      },
    }));
    expect(await call("edit", { path: "a.txt", old_text: "two", new_text: "2" })).toMatchObject({
      ok: false,
      error: expect.stringContaining(sentence),
    });
    expect(workspace.snapshot()["a.txt"]).toBe(content);
  });

  it("vanishes between staging and putting in place: nothing comes back", async () => {
    const call = withDisk((disk) => ({
      async stage(path, bytes, options) {
        const staged = await disk.stage(path, bytes, options);
        rmSync(join(workspace.root, "a.txt"));
        return staged;
      },
    }));
    expect(await call("edit", { path: "a.txt", old_text: "two", new_text: "2" })).toMatchObject({
      ok: false,
      error: expect.stringContaining("was removed"),
    });
    expect(workspace.snapshot()).toEqual({});
  });

  it("a folder that vanishes during a search is passed over", async () => {
    workspace.write("b/c.txt", "two\n");
    const call = withDisk((disk) => ({
      async list(path) {
        const entries = await disk.list(path);
        if (path === ".") rmSync(join(workspace.root, "b"), { recursive: true });
        return entries;
      },
    }));
    expect(await call("grep", { pattern: "two" })).toMatchObject({ ok: true, content: "a.txt:2: two" });
  });
});

describe("a cancelled call", () => {
  it("leaves the workspace as it was, also half way through a patch", async () => {
    const controller = new AbortController();
    const call = withDisk((disk) => ({
      async stage(path, bytes, options) {
        const staged = await disk.stage(path, bytes, options);
        if (path === "c.txt") controller.abort();
        return staged;
      },
    }));
    const before = workspace.snapshot();
    const patch = "*** Begin Patch\n*** Add File: b.txt\n+x\n*** Add File: c.txt\n+x\n*** Delete File: a.txt\n*** End Patch";
    expect(await call("apply_patch", { patch }, { signal: controller.signal })).toMatchObject({ ok: false, code: "ABORTED" });
    // The answer does not wait for the tool; the next change does.
    expect(await call("write", { path: "after.txt", content: "" })).toMatchObject({ ok: true });
    rmSync(join(workspace.root, "after.txt"));
    expect(workspace.snapshot()).toEqual(before);
  });

  it("ends a search through many files", async () => {
    for (let folder = 0; folder < 20; folder++) {
      mkdirSync(join(workspace.root, `d${folder}`));
      for (let file = 0; file < 50; file++) writeFileSync(join(workspace.root, `d${folder}/${file}.txt`), "line\n".repeat(100));
    }
    const controller = new AbortController();
    let [reads, underWay] = [0, 0];
    const call = withDisk((disk) => ({
      async read(path, maxBytes) {
        if (++reads === 10) controller.abort();
        underWay++;
        return disk.read(path, maxBytes).finally(() => underWay--);
      },
    }));
    expect(await call("grep", { pattern: "nothing" }, { signal: controller.signal })).toMatchObject({ ok: false, code: "ABORTED" });
    await until(() => underWay === 0);
    await turns();
    expect(reads).toBeLessThan(20);
  });
});

describe("what is written", () => {
  it("is a whole file or none, also for a reader that looks all the time", async () => {
    const call = invokerOf(createFilesTools({ root: workspace.root, processes: false }));
    const [short, long] = ["short\n", "long ".repeat(50_000)];
    await call("write", { path: "big.txt", content: short });
    let isWriting = true;
    const seen = new Set<number>();
    const reading = (async () => {
      while (isWriting) {
        seen.add(statSync(join(workspace.root, "big.txt")).size);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    for (let round = 0; round < 10; round++) await call("write", { path: "big.txt", content: round % 2 === 0 ? long : short });
    isWriting = false;
    await reading;
    expect([...seen].every((size) => size === short.length || size === long.length)).toBe(true);
    expect(Object.keys(workspace.snapshot())).toEqual(["a.txt", "big.txt"]);
  });
});
