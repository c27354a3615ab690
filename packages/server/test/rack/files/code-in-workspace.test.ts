import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";

const memory = { memory: true } as const;

describe("code that the server runs", () => {
  it("SD1: is refused where it lies in the workspace of tools that change files", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "mine.mjs"), "export default [];");
    const config = { store: memory, tools: { packs: { files: true }, modules: ["./mine.mjs"] } };
    await expect(openTestRack({ folder, config: { ...config, workspace: "." } })).rejects.toThrow(/mine.mjs lies in the workspace/);
    await openTestRack({ folder, config });
    // Nobody changes a file there.
    await openTestRack({ folder, config: { ...config, workspace: ".", tools: { modules: ["./mine.mjs"] } } });
  });

  it("is refused with advice that also helps where the workspace is the default one", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "workspace"));
    writeFileSync(join(folder, "workspace", "mine.mjs"), "export default [];");
    const config = { store: memory, tools: { modules: ["./workspace/mine.mjs"], packs: { files: true } } };
    await expect(openTestRack({ folder, config })).rejects.toThrow("or set workspace to a folder that holds no code of the server.");
  });

  it("SD1: of a source is not started from there, and the source says why", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "workspace"));
    writeFileSync(join(folder, "workspace", "server.mjs"), "");
    const node = process.execPath;
    const sources = {
      mine: { command: node, args: ["workspace/server.mjs"] },
      later: { command: node, args: ["workspace/not-there-yet.mjs"] },
      loads: { command: node, args: ["--import=./workspace/pre.mjs", "server.mjs"] },
      shell: { command: "sh", args: ["-c", "exec node workspace/server.mjs"] },
      works: { command: node, args: ["../server.mjs"], cwd: "workspace" },
    };
    const rack = await openTestRack({ folder, config: { store: memory, tools: { packs: { files: true } }, sources } });
    await until(() => rack.sources.list().filter(({ error }) => error?.includes("lies in the workspace")).length === 5);
  });

  it("SD1: is refused where it lies in the folder that a pack has of its own", async () => {
    const folder = temporaryFolder();
    for (const name of ["box", "lib"]) mkdirSync(join(folder, name));
    writeFileSync(join(folder, "box", "mine.mjs"), "export default [];");
    symlinkSync("../box/mine.mjs", join(folder, "lib", "link.mjs"));
    for (const pack of [{ files: { root: "../box" } }, { runtime: { root: "../box" } }, { memory: { folder: "../box" } }])
      for (const module of ["./box/mine.mjs", "./lib/link.mjs"]) {
        const opening = openTestRack({ folder, config: { store: memory, tools: { packs: pack, modules: [module] } } });
        await expect(opening, JSON.stringify(pack)).rejects.toThrow(/tools.modules: .* lies in tools.packs.\w+.(root|folder) .*Move it/);
      }
    const sources = { mine: { command: process.execPath, args: ["box/server.mjs"] } };
    const rack = await openTestRack({ folder, config: { store: memory, tools: { packs: { files: { root: "../box" } } }, sources } });
    await until(() => rack.sources.list().some(({ error }) => error?.includes("server.mjs lies in tools.packs.files.root")));
  });

  it("SD1: of a source leads into the workspace by no other way", async () => {
    const folder = temporaryFolder();
    const work = join(folder, "lib", "w");
    mkdirSync(work, { recursive: true });
    const node = process.execPath;
    const attacks = {
      command: { command: "w/run.sh", cwd: "lib" },
      url: { command: node, args: [`--import=file://${work}/x.mjs`, "server.mjs"] },
      encoded: { command: node, args: [`--import=file://${folder}/lib/%77/x.mjs`, "server.mjs"] },
      itself: { command: node, args: ["./lib/w"] },
      attached: { command: "perl", args: [`-I${work}`, "-MEvil", "-e1"] },
      below: { command: "perl", args: ["-Ilib/w", "-MEvil", "-e1"] },
      options: { command: node, args: ["server.mjs"], env: { NODE_OPTIONS: `--import ${work}/x.mjs` } },
      path: { command: "run.sh", env: { PATH: `${work}:/usr/bin` } },
      preload: { command: node, args: ["server.mjs"], env: { LD_PRELOAD: "lib/w/x.so" } },
      python: { command: "python3", args: ["-m", "evil"], env: { PYTHONPATH: "/opt:lib/w" } },
      module: { command: node, args: ["server.mjs"], env: { NODE_PATH: "w" }, cwd: "lib" },
      shell: { command: "sh", args: ["-c", "cd lib; cd w; . ./x.sh"] },
      wrapped: { command: "env", args: ["A=1", "/bin/bash", "-lc", 'cd l"ib" && . w/x.sh'] },
      split: { command: "env", args: ["-S", "sh -c '. l*b/w/x.sh'"] },
      called: { command: "npx", args: ["-c", "cd l*b && . w/x.sh"] },
      imported: { command: "python3", args: ["-m", "lib.w.x"] },
      inline: { command: "python3", args: ["-c", "import lib.w.x"] },
    };
    const sources = { ...attacks, sound: { command: node, args: ["--version"], env: { LEVEL: "w", NODE_ENV: "production" } } };
    const rack = await openTestRack({
      folder,
      config: { store: memory, workspace: "./lib/w", tools: { packs: { files: true } }, sources },
    });
    await rack.sources.ready();
    const errors = new Map(rack.sources.list().map(({ id, error }) => [id, error]));
    for (const id of Object.keys(attacks)) expect(errors.get(id), id).toMatch(new RegExp(`^sources\\.${id}\\.(command|args|env).*: `));
    expect(errors.get("sound")).not.toContain("sources.sound");
  });

  it("SD1: of a source is found behind names with spaces, links on the search path, and in packages that are not installed yet", async () => {
    const folder = temporaryFolder();
    const work = join(folder, "agent files");
    mkdirSync(work);
    mkdirSync(join(folder, "bin"));
    writeFileSync(join(work, "run"), "#!/bin/sh\n", { mode: 0o755 });
    symlinkSync(join(work, "run"), join(folder, "bin/mine"));
    const node = process.execPath;
    const attacks = {
      relative: { command: node, args: ["./agent files/x.mjs"] },
      absolute: { command: node, args: [`${work}/x.mjs`] },
      attached: { command: node, args: [`--import=${work}/x.mjs`] },
      quoted: { command: node, args: ["-e", "import(`./agent files/x.mjs`)"] },
      options: { command: node, args: ["server.mjs"], env: { NODE_OPTIONS: `--import "${work}/x.mjs"` } },
      found: { command: "mine", env: { PATH: `${join(folder, "bin")}:/usr/bin` } },
    };
    const config = { store: memory, workspace: "./agent files", tools: { packs: { files: true } } } as const;
    const rack = await openTestRack({ folder, config: { ...config, sources: attacks } });
    await rack.sources.ready();
    const errors = new Map(rack.sources.list().map(({ id, error }) => [id, error]));
    for (const id of Object.keys(attacks)) expect(errors.get(id), id).toMatch(new RegExp(`^sources\\.${id}\\.(command|args|env).*: `));
    const late = { ...config, workspace: ".", tools: { packs: { files: true }, modules: ["late-package"] } };
    await expect(openTestRack({ folder, config: late })).rejects.toThrow(/late-package/);
  });

  it("SD1: is refused where a link in the workspace leads to it", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "workspace"));
    writeFileSync(join(folder, "mine.mjs"), "export default [];");
    symlinkSync("../mine.mjs", join(folder, "workspace", "link.mjs"));
    symlinkSync("workspace/link.mjs", join(folder, "outer.mjs"));
    const config = { store: memory, tools: { packs: { files: true }, modules: ["./outer.mjs"] } };
    await expect(openTestRack({ folder, config })).rejects.toThrow(/outer.mjs lies in the workspace/);
  });

  it("SD1: is not loaded for those who only look", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "mine.mjs"), `globalThis.wasLoadedByLooking = true; export default [];`);
    await openTestRack({ folder, config: { store: memory, tools: { modules: ["./mine.mjs"] } }, startSources: false });
    expect(Object.hasOwn(globalThis, "wasLoadedByLooking")).toBe(false);
  });
});

describe("folders that programs may read", () => {
  /** A folder with a workspace, a folder in it, and links: into the workspace, and through it to elsewhere. */
  function prepare(): string {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "workspace", "inner"), { recursive: true });
    mkdirSync(join(folder, "other", "inner"), { recursive: true });
    mkdirSync(join(folder, "tools"));
    symlinkSync("workspace/inner", join(folder, "into"));
    symlinkSync("../tools", join(folder, "workspace", "away"));
    symlinkSync("workspace/away", join(folder, "through"));
    return folder;
  }

  it("SD1: are refused where they lie in the root of another pack", async () => {
    const packs = { runtime: { root: "../other" }, code: { readable: ["../other/inner"] } };
    const opening = openTestRack({ folder: prepare(), config: { store: memory, tools: { packs } } });
    await expect(opening).rejects.toThrow(/tools.packs.code.readable: ..\/other\/inner lies in tools.packs.runtime.root/);
  });

  for (const pack of ["runtime", "code"]) {
    for (const [what, readable, root] of [
      ["is the workspace", "."],
      ["lies in the workspace", "inner"],
      ["is not there yet, and would lie in the workspace", "later"],
      ["is a link into the workspace", "../into"],
      ["is reached by a link in the workspace", "../through"],
      ["lies in the pack's own root", "../other/inner", "../other"],
    ] as const) {
      it(`SD14: are refused where one of ${pack} ${what}, since a program could replace it`, async () => {
        const config = { store: memory, tools: { packs: { [pack]: { readable: [readable], ...(root !== undefined && { root }) } } } };
        await expect(openTestRack({ folder: prepare(), config })).rejects.toThrow(
          new RegExp(`tools.packs.${pack}.readable: ${readable.replaceAll(".", "\\.")} lies in`),
        );
      });
    }

    it(`SD14: are taken where one of ${pack} lies elsewhere`, async () => {
      const config = { store: memory, tools: { packs: { [pack]: { readable: ["../tools", "/usr"] } } } };
      await openTestRack({ folder: prepare(), config });
    });
  }
});
