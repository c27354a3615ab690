import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPathResolver, toAbsolute } from "../../../src/policy/paths/resolve.ts";

let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "paths-")));
  mkdirSync(join(folder, "real", "deep"), { recursive: true });
  writeFileSync(join(folder, "real", "deep", "a.txt"), "a");
  symlinkSync("real/deep", join(folder, "relative"));
  symlinkSync(join(folder, "real"), join(folder, "absolute"));
  symlinkSync("nowhere/at-all", join(folder, "dangling"));
  symlinkSync("loop", join(folder, "loop"));
  for (let link = 0; link < 41; link++) symlinkSync(link === 0 ? "real" : `l${link - 1}`, join(folder, `l${link}`));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a path as a tool wrote it", () => {
  it.each<[string, (root: string) => string]>([
    ["a/../b", (root) => `${root}/a/../b`],
    ["/etc/passwd", () => "/etc/passwd"],
    ["~", () => homedir()],
    ["~/notes", () => `${homedir()}/notes`],
    ["~other/notes", (root) => `${root}/~other/notes`],
    ["file:///etc/hosts", () => "/etc/hosts"],
    ["FILE:///etc/hosts", () => "/etc/hosts"],
    ["files/a", (root) => `${root}/files/a`],
  ])("begins at the root of the disk: %s", (given, expected) => {
    expect(toAbsolute(given, "/work")).toBe(expected("/work"));
  });

  it("must not hold a null character", () => {
    expect(() => toAbsolute("a\0b", "/work")).toThrow("the path holds a null character");
  });
});

describe("a path resolver", () => {
  it.each<[string, string]>([
    [".", ""],
    ["real/./deep//a.txt", "/real/deep/a.txt"],
    ["relative/a.txt", "/real/deep/a.txt"],
    ["relative/../b.txt", "/real/b.txt"],
    ["absolute/deep", "/real/deep"],
    ["dangling", "/nowhere/at-all"],
    ["new/file.txt", "/new/file.txt"],
    ["l39/deep", "/real/deep"],
  ])("follows links as the system does: %s", (given, expected) => {
    expect(createPathResolver({ root: folder })(given)).toBe(`${folder}${expected}`);
  });

  it("follows forty links, as Linux does, and no more", () => {
    const resolve = createPathResolver({ root: folder });
    for (const given of ["l40", "loop"]) expect(() => resolve(given), given).toThrow(`${folder}/${given} follows too many links`);
  });

  it("begins at the working directory if nothing else is named, and takes addresses of files", () => {
    expect(createPathResolver()(".")).toBe(realpathSync(process.cwd()));
    expect(createPathResolver()(pathToFileURL(join(folder, "absolute")).href)).toBe(join(folder, "real"));
  });
});
