import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openAndCompare, openBelowFolder, type OpenInsideFlags } from "../../src/util/open-inside.ts";

/** What happens right before and right after the n-th file or folder is opened. */
const moments = vi.hoisted(() => ({ opened: 0, before: new Map<number, () => void>(), after: new Map<number, () => void>() }));

vi.mock("node:fs/promises", async (original) => {
  const actual = await original<typeof import("node:fs/promises")>();
  const open: typeof actual.open = async (...args) => {
    const number = ++moments.opened;
    moments.before.get(number)?.();
    try {
      return await actual.open(...args);
    } finally {
      moments.after.get(number)?.();
    }
  };
  return { ...actual, open };
});

let base: string;
let root: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "open-inside-")));
  root = join(base, "root");
  for (const folder of ["root/top/folder", "outside/folder"]) mkdirSync(join(base, folder), { recursive: true });
  writeFileSync(join(root, "top/folder/file"), "inside");
  writeFileSync(join(base, "outside/folder/file"), "outside");
  moments.opened = 0;
  moments.before.clear();
  moments.after.clear();
});
afterEach(() => {
  expect(readFileSync(join(base, "outside/folder/file"), "utf8")).toBe("outside");
  rmSync(base, { recursive: true, force: true });
});

/** A link to the outside takes the place of a folder above the file. */
const swap = (): void => {
  renameSync(join(root, "top"), join(root, "aside"));
  symlinkSync("../outside", join(root, "top"));
};
const swapBack = (): void => {
  rmSync(join(root, "top"));
  renameSync(join(root, "aside"), join(root, "top"));
};
const swapFile = (): void => {
  rmSync(join(root, "top/folder/file"));
  symlinkSync(join(base, "outside/folder/file"), join(root, "top/folder/file"));
};

type Open = typeof openBelowFolder;
const refused = { code: "PATH_OUTSIDE_WORKSPACE" };
const flags: readonly OpenInsideFlags[] = ["r", "r+", "w", "a"];

describe.runIf(process.platform === "linux").each(flags)("openBelowFolder with %s", (flag) => {
  const open = (path = "top/folder/file"): ReturnType<Open> => openBelowFolder(root, path, flag);

  it("refuses a folder that leads out at the moment it is opened, even if it is put back at once", async () => {
    moments.before.set(1, swap);
    moments.after.set(1, swapBack);
    await expect(open()).rejects.toMatchObject(refused);
    expect(moments.opened).toBe(1);
  });

  it("creates nothing outside", async () => {
    moments.before.set(1, swap);
    await expect(open("top/folder/new")).rejects.toThrow();
    expect(existsSync(join(base, "outside/folder/new"))).toBe(false);
  });

  it("opens the file in the folder it verified, whatever took that folder's place meanwhile", async () => {
    moments.after.set(1, swap);
    const handle = await open();
    expect((await handle.stat()).ino).not.toBe(0);
    await handle.close();
    expect(existsSync(join(root, "aside/folder/file"))).toBe(true);
    if (flag.startsWith("r")) expect(readFileSync(join(root, "aside/folder/file"), "utf8")).toBe("inside");
    if (flag === "w") expect(readFileSync(join(root, "aside/folder/file"), "utf8")).toBe("");
  });

  it("refuses a link that took the place of the file", async () => {
    moments.before.set(2, swapFile);
    await expect(open()).rejects.toMatchObject(refused);
  });
});

describe.each(flags)("openAndCompare with %s", (flag) => {
  const open = (): ReturnType<Open> => openAndCompare(root, "top/folder/file", flag);

  it("refuses a file outside that was opened, even if everything is put back at once", async () => {
    moments.before.set(1, swap);
    moments.after.set(1, swapBack);
    await expect(open()).rejects.toMatchObject(refused);
  });

  it("refuses a file outside that was opened while the link stays", async () => {
    moments.before.set(1, swap);
    await expect(open()).rejects.toMatchObject(refused);
  });

  it.runIf(process.platform !== "win32")("follows no link that took the place of the file", async () => {
    moments.before.set(1, swapFile);
    await expect(open()).rejects.toThrow();
  });
});
