import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFilesTools } from "../../src/files/files.ts";
import { createFileOperations } from "../../src/operations/node-files.ts";
import type { FileOperations } from "../../src/operations/files.ts";
import { FileFault } from "../../src/operations/files.ts";
import { createTemporaryWorkspace, type Invoke, invokerOf, type TemporaryWorkspace } from "../temporary-workspace.ts";

let workspace: TemporaryWorkspace;
let call: Invoke;
beforeEach(() => {
  workspace = createTemporaryWorkspace({
    "a.py": "class A:\n    def one(self):\n        return 1\n\n    def two(self):\n        return 1\n",
    "old.txt": "x\ny",
  });
  call = invokerOf(createFilesTools({ root: workspace.root, processes: false }));
});
afterEach(() => workspace.remove());

const patch = (...lines: string[]): { patch: string } => ({ patch: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") });

describe("apply_patch", () => {
  it("adds, updates, moves and deletes, and reports each", async () => {
    workspace.write("gone.txt", "1");
    const result = await call(
      "apply_patch",
      patch(
        "*** Add File: new/n.txt",
        "+one",
        "+two",
        "*** Update File: a.py",
        "@@ def two(self):",
        "-        return 1",
        "+        return 2",
        "*** Update File: old.txt",
        "*** Move to: moved/new.txt",
        "@@",
        " x",
        "-y",
        "+z",
        "*** Delete File: gone.txt",
      ),
    );
    expect(result).toMatchObject({
      ok: true,
      data: { added: ["new/n.txt"], updated: ["a.py"], moved: [{ from: "old.txt", to: "moved/new.txt" }], deleted: ["gone.txt"] },
      effects: [
        { action: "create", target: "new/n.txt" },
        { action: "write", target: "a.py" },
        { action: "create", target: "moved/new.txt" },
        { action: "delete", target: "old.txt" },
        { action: "delete", target: "gone.txt" },
      ],
    });
    expect(workspace.snapshot()).toEqual({
      "a.py": "class A:\n    def one(self):\n        return 1\n\n    def two(self):\n        return 2\n",
      "moved/": "",
      "moved/new.txt": "x\nz\n",
      "new/": "",
      "new/n.txt": "one\ntwo\n",
    });
  });

  it("takes the patch under its other name", async () => {
    expect(await call("apply_patch", { input: patch("*** Delete File: old.txt").patch })).toMatchObject({ ok: true });
  });

  it("keeps line endings and the bytes of the lines around a change", async () => {
    workspace.write("crlf.txt", "a  \r\nb\r\nc\n");
    await call("apply_patch", patch("*** Update File: crlf.txt", "@@", " a", "-b", "+B", "+B2", " c"));
    expect(workspace.read("crlf.txt")).toBe("a  \r\nB\nB2\nc\n");
    workspace.write("wide.txt", "a\r\nb\r\n");
    await call("apply_patch", patch("*** Update File: wide.txt", "-b", "+B"));
    expect(workspace.read("wide.txt")).toBe("a\r\nB\r\n");
  });

  it("finds the end of a file, and appends there", async () => {
    workspace.write("list.txt", "- x\n- y\n- x\n");
    await call("apply_patch", patch("*** Update File: list.txt", "-- x", "+- last", "*** End of File"));
    expect(workspace.read("list.txt")).toBe("- x\n- y\n- last\n");
    await call("apply_patch", patch("*** Update File: list.txt", "+- more"));
    expect(workspace.read("list.txt")).toBe("- x\n- y\n- last\n- more\n");
  });

  it.each([
    ["no beginning", { patch: "*** Delete File: old.txt" }, "Line 1"],
    ["no end", { patch: "*** Begin Patch\n*** Delete File: old.txt" }, "End Patch"],
    ["an unknown section", patch("*** Rename File: old.txt"), "expected"],
    ["a new file without plus", patch("*** Add File: n.txt", "text"), 'begin with "+"'],
    ["nothing to change", patch("*** Update File: old.txt"), "nothing is changed"],
    ["a line without sign", patch("*** Update File: old.txt", "@@", "x"), 'must begin with " "'],
    ["a file twice", patch("*** Delete File: old.txt", "*** Delete File: ./old.txt"), "twice"],
    ["an added file that is there", patch("*** Add File: old.txt", "+x"), "already exists"],
    ["a missing file", patch("*** Delete File: odl.txt"), 'Did you mean "old.txt"'],
    ["an unknown anchor", patch("*** Update File: a.py", "@@ def three(self):", "+x"), "def three"],
    ["lines that are not there", patch("*** Update File: a.py", "@@", "-        return 3", "+        return 4"), "The nearest is this"],
    ["a way out", patch("*** Add File: ../out.txt", "+x"), "workspace"],
    ["an absolute way out", patch("*** Delete File: /etc/hostname"), "workspace"],
  ])("refuses %s and changes nothing", async (_, input, sentence) => {
    const before = [workspace.snapshot(), workspace.snapshotOutside()];
    const result = await call("apply_patch", input);
    expect(result).toMatchObject({ ok: false, error: expect.stringContaining(sentence) });
    expect([workspace.snapshot(), workspace.snapshotOutside()]).toEqual(before);
  });

  it("a patch and a file that repeat one line do not stall it", async () => {
    workspace.write("same.txt", " a\n".repeat(1_000_000));
    const result = await call("apply_patch", patch("*** Update File: same.txt", "@@", ...Array<string>(100_000).fill(" a"), "-b"));
    expect(result).toMatchObject({ ok: false, error: expect.stringContaining("too many parts") });
  });

  it("changes nothing where a later file fails", async () => {
    const before = workspace.snapshot();
    const result = await call("apply_patch", patch("*** Add File: sub/n.txt", "+x", "*** Update File: a.py", "@@", "-nowhere", "+x"));
    expect(result).toMatchObject({ ok: false });
    expect(workspace.snapshot()).toEqual(before);
  });

  it.each(["stage", "commit", "remove"] as const)("puts everything back where the disk fails at %s", async (step) => {
    const real = createFileOperations({ root: workspace.root });
    let staged = 0;
    const full = (path: string): never => {
      throw new FileFault("ENOSPC", path);
    };
    const failing: FileOperations = {
      ...real,
      async stage(path, bytes, options) {
        if (step === "stage" && ++staged === 2) full(path);
        const file = await real.stage(path, bytes, options);
        return step === "commit" && ++staged === 2 ? { ...file, commit: async () => full(path) } : file;
      },
      remove: async (path, options) => (step === "remove" && path === "old.txt" ? full(path) : real.remove(path, options)),
    };
    const before = workspace.snapshot();
    const invoke = invokerOf(createFilesTools({ root: workspace.root, files: failing, processes: false }));
    const result = await invoke(
      "apply_patch",
      patch(
        "*** Add File: sub/n.txt",
        "+x",
        "*** Update File: a.py",
        "@@",
        "-    def two(self):",
        "+    def 2(self):",
        "*** Delete File: old.txt",
      ),
    );
    expect(result).toMatchObject({ ok: false, code: "TOOL_FAILED", error: expect.stringContaining("disk is full") });
    expect(workspace.snapshot()).toEqual(before);
  });
});
