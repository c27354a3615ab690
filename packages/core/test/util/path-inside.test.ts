import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import fc from "fast-check";
import { cpuTime } from "@toolrack/testkit/cpu-time";
import { sized } from "@toolrack/testkit/sized";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isInside, resolveInside } from "../../src/util/path-inside.ts";
import { pathFault, pathReadings } from "../../src/util/path-readings.ts";

let base: string;
let root: string;

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "path-inside-")));
  root = join(base, "root");
  for (const folder of ["root/sub/deep", "root-evil", "outside"]) mkdirSync(join(base, folder), { recursive: true });
  for (const file of ["root/file.txt", "root/sub/a.txt", "root-evil/secret", "outside/secret"]) writeFileSync(join(base, file), "text");
  const links = {
    "root/to-file": "../outside/secret",
    "root/to-folder": "../outside",
    "root/to-folder-absolute": join(base, "outside"),
    "root/dangling": "../outside/not-there",
    "root/dangling-inside": "sub/not-there",
    "root/inside": "sub",
    "root/inside-absolute": join(root, "sub"),
    "root/chain": "chain-2",
    "root/chain-2": "to-folder",
    "root/loop": "loop",
    "root/out-and-back": "../root/sub",
    "root/shortcut": "sub/deep",
    "root/sub/up": "..",
    "root/sub/deep/absolute": join(root, "sub"),
    "root/sub/deep/up-out": "../../..",
    "link-to-root": "root",
  };
  for (const [link, target] of Object.entries(links)) symlinkSync(target, join(base, link));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const isRefused = (path: string): boolean => !resolveInside(root, path).ok;

describe("resolveInside", () => {
  it.each([
    ["..", "the parent"],
    ["../outside/secret", "two dots at the start"],
    ["sub/../../outside/secret", "two dots in the middle"],
    ["../root/file.txt", "out and in again"],
    ["sub/up/../outside/secret", "two dots behind a link"],
    ["shortcut/../../file.txt", "two dots that lead out by name, though not on the disk"],
    ["not-there/../../outside/secret", "two dots behind what does not exist"],
    ["/etc/passwd", "an absolute path elsewhere"],
    ["//etc/passwd", "two slashes"],
    ["~", "the home directory"],
    ["~/x", "a path in the home directory"],
    ["~\\x", "the same with a backslash"],
    ["to-file", "a link to a file outside"],
    ["to-folder/secret", "a link to a folder outside"],
    ["to-folder/new-file", "a new file in a folder outside"],
    ["to-folder-absolute/secret", "an absolute link"],
    ["chain/secret", "a chain of links"],
    ["dangling", "a link to what does not exist yet outside"],
    ["out-and-back/a.txt", "a link that leaves and comes back"],
    ["sub/deep/up-out/outside/secret", "a relative link that climbs out"],
    ["loop", "a link to itself"],
    ["a\0b", "a NUL byte"],
    ["file.txt\0.png", "a NUL byte behind a real name"],
    ["%2e%2e%2foutside%2fsecret", "percent-encoding"],
    ["..%2foutside", "partly encoded"],
    ["%252e%252e%252foutside", "encoded twice"],
    ["%25252e%25252e%25252foutside", "encoded three times"],
    ["%2E%2E/outside", "upper-case encoding"],
    ["%c0%ae%c0%ae/outside", "an overlong dot"],
    ["..%c0%afoutside", "an overlong slash"],
    ["%7e/x", "an encoded home directory"],
    ["to-folder%2fsecret", "an encoded slash behind a link"],
    ["a%00b", "an encoded NUL byte"],
    ["..\\outside\\secret", "backslashes"],
    ["sub\\..\\..\\outside", "backslashes in the middle"],
    ["..%5coutside", "an encoded backslash"],
    ["\\\\server\\share", "a network share"],
    ["\\etc\\passwd", "an absolute path with backslashes"],
    ["C:\\Windows", "a drive"],
    ["c:/Windows", "a drive with a slash"],
    ["C:secret", "a path relative to a drive"],
    ["file.txt:hidden", "an alternate stream"],
    ["file.txt::$DATA", "the main stream by name"],
    ["sub:$I30:$INDEX_ALLOCATION", "a folder's stream"],
    ["file:///etc/passwd", "a file URL"],
    ["FILE:/etc/passwd", "a file URL in capitals"],
    [" ../outside", "a space in front that a tool would trim"],
    ["\u00a0../outside ", "a space of another kind"],
    [`${"a/".repeat(3_000)}x`, "a path longer than any"],
    ["%25".repeat(60).replaceAll("%25", "%252525252525"), "an encoding without end"],
  ])("refuses %j: %s", (path) => {
    expect(isRefused(path)).toBe(true);
  });

  it("refuses a look-alike prefix and everything else beside the root", () => {
    expect(isRefused(`${root}-evil/secret`)).toBe(true);
    expect(isRefused("../root-evil/secret")).toBe(true);
    expect(isRefused(join(base, "outside", "secret"))).toBe(true);
    expect(isRefused(`${root}/../outside/secret`)).toBe(true);
    expect(isRefused(base)).toBe(true);
    expect(isRefused(root.toUpperCase())).toBe(true);
  });

  it.each([
    ["file.txt", "file.txt"],
    ["./sub//a.txt", "sub/a.txt"],
    ["sub/../file.txt", "file.txt"],
    ["", "."],
    [".", "."],
    ["..notes", "..notes"],
    ["sub/..hidden/x", "sub/..hidden/x"],
    ["...", "..."],
    ["new/folder/file.txt", "new/folder/file.txt"],
    ["file.txt/below", "file.txt/below"],
    ["inside/a.txt", "sub/a.txt"],
    ["inside-absolute/a.txt", "sub/a.txt"],
    ["sub/deep/absolute/a.txt", "sub/a.txt"],
    ["shortcut/../a.txt", "sub/a.txt"],
    ["dangling-inside", "sub/not-there"],
    ["sub/up/file.txt", "file.txt"],
    ["日本語/ファイル.txt", "日本語/ファイル.txt"],
    ["naïve – café.md", "naïve – café.md"],
    ["100%.txt", "100%.txt"],
    ["100%25.txt", "100%25.txt"],
    ["a%20b.txt", "a%20b.txt"],
    ["10:30.md", "10:30.md"],
    ["2024-01-01T10:30:00.log", "2024-01-01T10:30:00.log"],
    ["~notes", "~notes"],
    ["a~/b", "a~/b"],
    ["back\\slash", "back\\slash"],
    [" spaces around ", " spaces around "],
  ])("takes %j to %j", (path, expected) => {
    expect(resolveInside(root, path)).toEqual({ ok: true, path: join(root, expected) });
  });

  it("takes an absolute path inside, however the root itself is written", () => {
    expect(resolveInside(root, join(root, "sub/a.txt"))).toEqual({ ok: true, path: join(root, "sub/a.txt") });
    const linked = join(base, "link-to-root");
    expect(resolveInside(linked, join(linked, "file.txt"))).toEqual({ ok: true, path: join(root, "file.txt") });
    expect(resolveInside(linked, join(root, "file.txt"))).toEqual({ ok: true, path: join(root, "file.txt") });
    expect(resolveInside(`${root}/`, "file.txt")).toEqual({ ok: true, path: join(root, "file.txt") });
    expect(resolveInside("/", "/etc")).toMatchObject({ ok: true });
  });

  it("takes a root that does not exist yet for an empty folder", () => {
    expect(resolveInside(join(base, "nowhere"), "a")).toEqual({ ok: true, path: join(base, "nowhere", "a") });
    expect(resolveInside(join(base, "nowhere"), "../a")).toEqual({ ok: false, reason: "it leads out of the workspace" });
  });

  it("never lets a path through whose real place is outside, however it is put together", () => {
    const part = fc.constantFrom(
      "..",
      ".",
      "",
      "sub",
      "deep",
      "up",
      "up-out",
      "to-folder",
      "inside",
      "chain",
      "file.txt",
      "outside",
      "secret",
      "root",
      "%2e%2e",
      "..%2f",
      "..\\",
      " ..",
      "x",
      "~",
      "dangling",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 7 }), fc.boolean(), (parts, absolute) => {
        const path = (absolute ? `${root}/` : "") + parts.join("/");
        const found = resolveInside(root, path);
        if (!found.ok) return;
        expect(isInside(root, found.path)).toBe(true);
        for (const tried of [join(root, relative(root, found.path)), absolute ? path : `${root}/${path}`]) {
          const real = realpathOrUndefined(tried);
          if (real !== undefined) expect(isInside(root, real)).toBe(true);
        }
      }),
      { numRuns: sized(150, 500) },
    );
  });

  it("agrees with the system on where a path leads that exists", () => {
    const part = fc.constantFrom("..", ".", "sub", "deep", "up", "inside", "file.txt", "a.txt");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const found = resolveInside(root, parts.join("/"));
        const real = realpathOrUndefined([root, ...parts].join(sep));
        if (found.ok && real !== undefined) expect(found.path).toBe(real);
      }),
      { numRuns: sized(150, 500) },
    );
  });

  it("takes little time for the longest and most tangled paths", () => {
    const started = cpuTime();
    for (const path of ["a/../".repeat(800), "%2525".repeat(800), "sub/up/".repeat(500), "..\\%2e".repeat(500), " \\%25..".repeat(500)])
      resolveInside(root, path);
    expect(cpuTime() - started).toBeLessThan(20_000);
  });
});

describe("pathFault", () => {
  it("knows the tricks of Windows there", () => {
    for (const path of ["a:b", "sub\\x.txt:s", "C:x", "sub\\.. \\x", "sub./x", "trailing ", "NUL", "sub/con.txt", "COM1"]) {
      expect(pathFault(path, "win32")).toBeDefined();
    }
    for (const path of ["C:\\work\\a.txt", "a\\b", "..\\a", "./a", "console.txt", "10.30.md"])
      expect(pathFault(path, "win32")).toBeUndefined();
  });
});

describe("pathReadings", () => {
  it("has one reading for a plain path, and the path itself always first", () => {
    expect(pathReadings("src/index.ts")).toEqual(["src/index.ts"]);
    expect(pathReadings("a%2fb")).toEqual(["a%2fb", "a/b"]);
    fc.assert(fc.property(fc.string(), (path) => [path, undefined].includes(pathReadings(path)?.[0])));
  });
});

function realpathOrUndefined(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
