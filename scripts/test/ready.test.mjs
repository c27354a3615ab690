import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { isInstallStale } from "../lib/install.mjs";
import { closingLine } from "../lib/run-steps.mjs";
import { run } from "../lib/run.mjs";

const lockOf = (version) =>
  JSON.stringify({ packages: { "": {}, "node_modules/a": { version }, "node_modules/b-win": { version: "1.0.0", optional: true } } });
const installedOf = (version) => JSON.stringify({ packages: { "node_modules/a": { version } } });

describe("whether packages must be installed", () => {
  it("is so without node_modules", () => {
    expect(isInstallStale(temporaryFolder({ "package-lock.json": lockOf("1.0.0") }))).toBe(true);
  });

  it("is not so when npm installed what the lock says, also by hand; optional packages may be absent", () => {
    const folder = temporaryFolder({ "package-lock.json": lockOf("1.0.0"), "node_modules/.package-lock.json": installedOf("1.0.0") });
    expect(isInstallStale(folder)).toBe(false);
    expect(existsSync(join(folder, "node_modules/.toolrack-lock"))).toBe(true);
  });

  it("is so when the lock changed since", () => {
    const folder = temporaryFolder({ "package-lock.json": lockOf("1.0.0"), "node_modules/.package-lock.json": installedOf("1.0.0") });
    expect(isInstallStale(folder)).toBe(false);
    writeFileSync(join(folder, "package-lock.json"), lockOf("2.0.0"));
    expect(isInstallStale(folder)).toBe(true);
  });

  it("is so when a command of the workspace is another file than the one that was put into place", () => {
    const withBin = (file) => JSON.stringify({ packages: { "": {}, "packages/cli": { version: "1.0.0", bin: { toolrack: file } } } });
    const folder = temporaryFolder({ "package-lock.json": withBin("a.cjs"), "node_modules/.package-lock.json": withBin("a.cjs") });
    expect(isInstallStale(folder)).toBe(false);
    writeFileSync(join(folder, "package-lock.json"), withBin("b.cjs"));
    expect(isInstallStale(folder)).toBe(true);
  });
});

describe("running a program", () => {
  it("keeps both streams and the exit code", async () => {
    const { code, output } = await run(process.execPath, ["-e", "console.log('a'); console.error('b'); process.exitCode = 3"]);
    expect({ code, lines: output.split("\n").toSorted() }).toEqual({ code: 3, lines: ["", "a", "b"] });
  });

  it("answers also when the program cannot be started", async () => {
    expect(await run("no-such-program-here", [])).toMatchObject({ code: 127, output: expect.stringContaining("could not be started") });
  });
});

describe("the closing line", () => {
  it("counts passed and failed, and skipped only when something was", () => {
    expect(closingLine({ passed: 3, failed: 0, skipped: 0 })).toBe("3 passed, 0 failed");
    expect(closingLine({ passed: 3, failed: 1, skipped: 2 })).toBe("3 passed, 1 failed, 2 skipped");
  });
});
