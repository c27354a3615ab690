import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openAndCompare, openBelowFolder, openInside } from "../../src/util/open-inside.ts";
import { createHiddenPaths, type HiddenPaths } from "../../src/util/path-hidden.ts";

let root: string;
const at = (path: string): string => join(root, path);
const hides = (hidden: HiddenPaths, path: string): boolean =>
  hidden.hides(at(path), lstatSync(at(path), { bigint: true, throwIfNoEntry: false }));

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "path-hidden-")));
  mkdirSync(at("store/deep"), { recursive: true });
  for (const path of ["store/key", "store/deep/log", "config", "plain", "store-beside"]) writeFileSync(at(path), path);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("createHiddenPaths", () => {
  it("SD1: hides a file, a folder and what lies in it, and nothing beside them", () => {
    const hidden = createHiddenPaths([at("store"), at("config")]);
    for (const path of ["store", "store/key", "store/deep/log", "config", "store/not-yet", "store/a/b"])
      expect(hides(hidden, path), path).toBe(true);
    for (const path of ["plain", "store-beside", "config.bak", "."]) expect(hides(hidden, path), path).toBe(false);
  });

  it("SD1: hides a place where nothing is yet, in any case of letters", () => {
    const hidden = createHiddenPaths([at("later"), at("none/later")]);
    for (const path of ["later", "LATER", "none/later/x"]) expect(hides(hidden, path), path).toBe(true);
    writeFileSync(at("later"), "");
    expect(hides(hidden, "later")).toBe(true);
    expect(hides(hidden, "none")).toBe(false);
  });

  it("SD1: knows a file by device and inode: under a hard link, and after it was moved", () => {
    const hidden = createHiddenPaths([at("store"), at("config")]);
    linkSync(at("store/deep/log"), at("hard"));
    expect(hides(hidden, "hard")).toBe(true);
    writeFileSync(at("store/made-later"), "");
    linkSync(at("store/made-later"), at("hard-later"));
    expect(hides(hidden, "hard-later")).toBe(true);
    renameSync(at("config"), at("moved"));
    expect(hides(hidden, "moved")).toBe(true);
    renameSync(at("store"), at("elsewhere"));
    for (const path of ["elsewhere", "elsewhere/key", "elsewhere/deep/log", "elsewhere/new", "hard"])
      expect(hides(hidden, path), path).toBe(true);
  });

  it("SD1: knows it when a folder around it is renamed", () => {
    mkdirSync(at("app/store"), { recursive: true });
    writeFileSync(at("app/store/key"), "key");
    const hidden = createHiddenPaths([at("app/store")]);
    renameSync(at("app"), at("other"));
    writeFileSync(at("other/store/made-later"), "");
    for (const path of ["other/store/key", "other/store/made-later", "other/store/not-yet"]) expect(hides(hidden, path), path).toBe(true);
    expect(hides(hidden, "other")).toBe(false);
  });

  it("SD1: follows a hidden path that is a link", () => {
    symlinkSync("config", at("current"));
    const hidden = createHiddenPaths([at("current")]);
    for (const path of ["current", "config"]) expect(hides(hidden, path), path).toBe(true);
  });

  it("SD1: follows a hidden path that becomes a link later", async () => {
    const hidden = createHiddenPaths([at("later")]);
    expect(hides(hidden, "config")).toBe(false);
    symlinkSync("config", at("later"));
    await expect.poll(() => hides(hidden, "config")).toBe(true);
    expect(hides(hidden, "plain")).toBe(false);
  });

  it("SD1: hides a file with several names where a hidden folder has more files than can be looked at", () => {
    linkSync(at("plain"), at("hard"));
    const hidden = createHiddenPaths([at("store")]);
    expect(hides(hidden, "hard")).toBe(false);
    for (let count = 0; count < 10_000; count++) writeFileSync(at(`store/${count}`), "");
    expect([hides(hidden, "hard"), hides(hidden, "config")]).toEqual([true, false]);
  });

  it("does not take a later file for the one that had its inode", () => {
    const hidden = createHiddenPaths([at("config")]);
    const { ino } = lstatSync(at("config"));
    unlinkSync(at("config"));
    for (let index = 0; index < 20; index++) {
      writeFileSync(at(`new-${index}`), "");
      const found = lstatSync(at(`new-${index}`), { bigint: true });
      if (found.ino === BigInt(ino) && found.birthtimeNs === 0n) continue; // the file system tells no birth times
      expect(hides(hidden, `new-${index}`)).toBe(false);
    }
  });
});

describe.each([
  ["openInside", (path: string, flags: "r" | "w" | "wx", hidden: HiddenPaths) => openInside(root, path, flags, { hidden })],
  ...(process.platform === "linux"
    ? ([
        ["openBelowFolder", (path: string, flags: "r" | "w" | "wx", hidden: HiddenPaths) => openBelowFolder(root, path, flags, { hidden })],
      ] as const)
    : []),
  ["openAndCompare", (path: string, flags: "r" | "w" | "wx", hidden: HiddenPaths) => openAndCompare(root, path, flags, { hidden })],
] as const)("%s with hidden paths", (_, open) => {
  it("SD1: answers as if there were nothing, and neither empties nor makes a file", async () => {
    linkSync(at("store/key"), at("hard"));
    symlinkSync("store", at("soft"));
    const hidden = createHiddenPaths([at("store"), at("later")]);
    for (const path of ["store/key", "hard", "soft/key", "store", "soft", "later", "store/new"]) {
      for (const flags of ["r", "w", "wx"] as const)
        await expect(open(path, flags, hidden), `${flags} ${path}`).rejects.toMatchObject({ code: "ENOENT" });
    }
    expect(readFileSync(at("store/key"), "utf8")).toBe("store/key");
    expect([existsSync(at("later")), existsSync(at("store/new"))]).toEqual([false, false]);
  });

  it("SD1: refuses what turns out to be hidden once it is open, and does not empty it", async () => {
    for (const flags of ["r", "w"] as const) {
      let looks = 0;
      const hidden: HiddenPaths = { hides: () => ++looks > 1, hidesIn: () => false };
      await expect(open("plain", flags, hidden)).rejects.toMatchObject({ code: "ENOENT" });
    }
    expect(readFileSync(at("plain"), "utf8")).toBe("plain");
  });

  it("opens, empties and makes everything else", async () => {
    const hidden = createHiddenPaths([at("store")]);
    const handle = await open("plain", "w", hidden);
    await handle.writeFile("ab");
    await handle.close();
    expect(readFileSync(at("plain"), "utf8")).toBe("ab");
    await (await open("made", "wx", hidden)).close();
    expect(existsSync(at("made"))).toBe(true);
  });
});
