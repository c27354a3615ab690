import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openAndCompare, openBelowFolder, openInside, type OpenInsideFlags } from "../../src/util/open-inside.ts";

let base: string;
let root: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "open-inside-")));
  root = join(base, "root");
  mkdirSync(join(root, "folder/sub"), { recursive: true });
  mkdirSync(join(base, "outside/sub"), { recursive: true });
  for (const file of ["file", "sub/file"]) {
    writeFileSync(join(root, "folder", file), "inside");
    writeFileSync(join(base, "outside", file), "outside");
  }
  symlinkSync("../outside", join(root, "link"));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const isLinux = process.platform === "linux";
const ways = [
  ["openInside", openInside],
  ...(isLinux ? ([["openBelowFolder", openBelowFolder]] as const) : []),
  ["openAndCompare", openAndCompare],
] as const;

describe.each(ways)("%s", (_, open) => {
  const read = async (path: string): Promise<string> => {
    const handle = await open(root, path, "r");
    try {
      return await handle.readFile("utf8");
    } finally {
      await handle.close();
    }
  };
  const write = async (path: string, flags: OpenInsideFlags, text: string): Promise<string> => {
    const handle = await open(root, path, flags);
    await handle.writeFile(text);
    await handle.close();
    return readFileSync(join(root, path), "utf8");
  };

  it("reads, creates, empties and appends inside", async () => {
    expect(await read("folder/file")).toBe("inside");
    expect(await read(join(root, "folder/file"))).toBe("inside");
    expect(await write("folder/new", "wx", "new")).toBe("new");
    expect(await write("folder/new", "a", " more")).toBe("new more");
    expect(await write("folder/new", "w", "less")).toBe("less");
  });

  it("refuses what leads out, and leaves the file there as it was", async () => {
    for (const path of ["../outside/file", "link/file", "link/new", join(base, "outside/file")]) {
      for (const flags of ["r", "w", "a"] as const)
        await expect(open(root, path, flags)).rejects.toMatchObject({ code: "PATH_OUTSIDE_WORKSPACE" });
    }
    expect(readFileSync(join(base, "outside/file"), "utf8")).toBe("outside");
    expect(existsSync(join(base, "outside/new"))).toBe(false);
  });

  it("hands on the system's own errors", async () => {
    await expect(open(root, "folder/none", "r")).rejects.toMatchObject({ code: "ENOENT" });
    await expect(open(root, "none/none", "w")).rejects.toMatchObject({ code: "ENOENT" });
    await expect(open(root, "folder/file", "wx")).rejects.toMatchObject({ code: "EEXIST" });
  });

  it.runIf(isLinux)("does not wait for the other end of a pipe, and leaves no descriptor open", async () => {
    execFileSync("mkfifo", [join(root, "pipe")]);
    const before = readdirSync("/proc/self/fd").length;
    await (await open(root, "pipe", "r")).close();
    await expect(open(root, "folder/none", "r")).rejects.toThrow();
    await expect(open(root, "link/file", "r")).rejects.toThrow();
    expect(readdirSync("/proc/self/fd")).toHaveLength(before);
  });

  it("never opens the outside while a folder and a link to it change places", async () => {
    const rounds = 300;
    const folder = join(root, "folder");
    let over = false;
    const swapping = (async () => {
      while (!over) {
        await rename(folder, join(root, "aside"));
        await rename(join(root, "link"), folder);
        await rename(folder, join(root, "link"));
        await rename(join(root, "aside"), folder);
      }
    })();
    const outcomes = new Map<string, number>();
    const count = (outcome: string): void => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    for (let round = 0; round < rounds; round++)
      await read(round % 2 ? "folder/file" : "folder/sub/file").then(count, (error: { code: string }) => count(error.code));
    over = true;
    await swapping;
    expect([...outcomes.keys()]).not.toContain("outside");
    expect([...outcomes.values()].reduce((sum, times) => sum + times, 0)).toBe(rounds);
    expect(await read("folder/file")).toBe("inside");
  });
});

describe("openInside", () => {
  it("opens the root itself", async () => {
    const handle = await openInside(root, ".");
    expect((await handle.stat()).isDirectory()).toBe(true);
    await handle.close();
  });
});
