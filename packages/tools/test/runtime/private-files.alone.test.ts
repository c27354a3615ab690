import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasPart } from "@toolrack/core/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { findIsolation } from "../../src/operations/isolation.ts";
import { createProcessOperations } from "../../src/operations/node-processes.ts";
import { createPrivateFiles, privateFilesBelow } from "../../src/operations/private-files.ts";
import { createTemporaryWorkspace } from "../temporary-workspace.ts";

const isRoot = process.getuid?.() === 0;

describe("files that only root may read", () => {
  it("SD14: are found with the folders that nobody else may enter or list, and links are left out", () => {
    const folder = mkdtempSync(join(tmpdir(), "toolrack-private-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (const [name, mode] of [
      ["open", 0o755],
      ["open/closed", 0o750],
      ["unlisted", 0o711],
    ] as const) {
      mkdirSync(join(folder, name));
      chmodSync(join(folder, name), mode);
    }
    for (const [name, mode] of [
      ["public", 0o644],
      ["shadow", 0o640],
      ["open/key", 0o600],
      ["open/closed/key", 0o644],
    ] as const) {
      writeFileSync(join(folder, name), "x");
      chmodSync(join(folder, name), mode);
    }
    symlinkSync("shadow", join(folder, "link"));
    expect(privateFilesBelow(folder, true)).toEqual(["open/closed", "open/key", "shadow", "unlisted"].map((name) => join(folder, name)));
    expect(privateFilesBelow(folder, false)).toEqual([]);
    expect(privateFilesBelow(folder, true, 0)).toEqual([]);
  });

  it("SD14: are looked up again after a moment, and left out at once when they are gone", () => {
    const folder = mkdtempSync(join(tmpdir(), "toolrack-private-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (const name of ["a", "b"]) writeFileSync(join(folder, name), "x", { mode: 0o600 });
    const files = createPrivateFiles(folder, { keptMs: 3_600_000, isRoot: true });
    expect(files()).toEqual(["a", "b"].map((name) => join(folder, name)));
    rmSync(join(folder, "a"));
    expect(files()).toEqual([join(folder, "b")]);
    writeFileSync(join(folder, "c"), "x", { mode: 0o600 });
    expect(files()).toEqual([join(folder, "b")]);
    expect(createPrivateFiles(folder, { keptMs: -1, isRoot: true })()).toEqual(["b", "c"].map((name) => join(folder, name)));
  });

  let own = "";
  beforeAll(() => {
    if (!isRoot) return;
    own = mkdtempSync("/etc/toolrack-test-");
    chmodSync(own, 0o755);
    mkdirSync(join(own, "keys"), { mode: 0o700 });
    writeFileSync(join(own, "keys/host.key"), "planted-in-etc");
    writeFileSync(join(own, "host.key"), "planted-in-etc", { mode: 0o600 });
    writeFileSync(join(own, "public"), "everybody-may");
  });
  afterAll(() => {
    if (own !== "") rmSync(own, { recursive: true, force: true });
  });

  for (const kind of ["bubblewrap", "unshare"] as const) {
    it.skipIf(!isRoot || !hasPart(kind, findIsolation(kind).kind !== "none"))(
      `SD14: are not seen below /etc by programs of a server that runs as root, with ${kind}`,
      async () => {
        const workspace = createTemporaryWorkspace();
        const processes = createProcessOperations({ root: workspace.root, isolation: kind });
        onTestFinished(async () => {
          await processes.close();
          workspace.remove();
        });
        let output = "";
        const started = await processes.start({
          program: "/bin/sh",
          args: ["-c", `cat ${own}/host.key ${own}/keys/host.key; cat ${own}/public; ls -A ${own}/keys; cat /etc/shadow`],
          env: { PATH: "/usr/bin:/bin" },
          onOutput: (_, bytes) => (output += Buffer.from(bytes).toString()),
        });
        await started.ended;
        expect(output).toContain("everybody-may");
        expect(output).not.toMatch(/planted-in-etc|root:/);
      },
    );
  }
});
