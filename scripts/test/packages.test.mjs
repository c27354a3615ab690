import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { privatePackages } from "../house/drawing.mjs";
import { listFolders, root } from "../lib/files.mjs";

/** The packages as npm would publish them, and what tools for package authors say of them. */
describe("a packed package", () => {
  const folder = mkdtempSync(join(tmpdir(), "toolrack-packed-"));
  const names = listFolders(join(root, "packages")).filter((name) => !privatePackages.includes(name));
  const packed = new Map();

  beforeAll(() => {
    const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder, ...names.map((name) => `./packages/${name}`)];
    const written = JSON.parse(
      execFileSync("npm", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], shell: process.platform === "win32" }),
    );
    for (const one of Array.isArray(written) ? written : Object.values(written)) packed.set(one.name, one);
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const manifestOf = (name) => JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
  const bytesOf = (name) => readFileSync(join(folder, packed.get(manifestOf(name).name).filename));

  it.each(names)("%s has its licence, its readme and the address of its source", (name) => {
    const { repository, homepage, bugs, license } = manifestOf(name);
    expect({ repository, license }).toEqual({
      repository: { type: "git", url: "git+https://github.com/toolrack/toolrack.git", directory: `packages/${name}` },
      license: "MIT",
    });
    expect([homepage, bugs].every((url) => url.startsWith("https://"))).toBe(true);
    const files = packed.get(manifestOf(name).name).files.map(({ path }) => path);
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
    expect(files.filter((path) => /(^|\/)(test|src|node_modules|\.build)\/|\.tsbuildinfo$/.test(path))).toEqual([]);
  });

  it.each(names)("%s can be resolved as its package.json says", async (name) => {
    const tarball = bytesOf(name);
    const { messages, pkg } = await publint({ pack: { tarball: toArrayBuffer(tarball) }, level: "warning", strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  it.each(names.filter((name) => manifestOf(name).exports !== undefined))("%s has types wherever it has code", async (name) => {
    const { problems = [] } = await checkPackage(createPackageFromTarballData(new Uint8Array(bytesOf(name))));
    // Everything here is an ES module: what requires one sees that, in every version of Node that is supported.
    const faults = problems.filter(({ kind, resolutionKind }) => kind !== "CJSResolvesToESM" && resolutionKind !== "node10");
    expect(faults).toEqual([]);
  });
});

function toArrayBuffer(buffer) {
  return buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + buffer.byteLength);
}
