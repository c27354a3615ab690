import { afterEach, describe, expect, expectTypeOf, it, vi } from "vitest";
import * as celOnNode from "../../../src/util/on-node/cel.ts";
import * as onNode from "../../../src/util/on-node/platform.ts";
import * as semverOnNode from "../../../src/util/on-node/semver.ts";
import * as cel from "../../../src/util/on-web/cel.ts";
import * as onWeb from "../../../src/util/on-web/platform.ts";
import * as semver from "../../../src/util/on-web/semver.ts";

/** What differs between runtimes, in its form for browsers and workers. */
describe("the platform of browsers and workers", () => {
  afterEach(() => vi.unstubAllGlobals());

  /** As a page loads it, which has no `process`. */
  async function inBrowser(): Promise<typeof onWeb> {
    vi.resetModules();
    vi.stubGlobal("process", undefined);
    return import("../../../src/util/on-web/platform.ts");
  }

  it("has the names of Node's, with the same types", () => {
    const { loadLate: _onlyThere, ...shared } = onNode;
    expect(Object.keys(onWeb).toSorted()).toEqual(Object.keys(shared).toSorted());
    expectTypeOf<typeof onWeb>().toExtend<Omit<typeof onNode, "loadLate">>();
  });

  it("gives the hashes that Node gives", async () => {
    const { sha256Hex } = await inBrowser();
    for (const text of ["", "é", "a".repeat(1_000)]) expect(sha256Hex(text)).toBe(onNode.sha256Hex(text));
    expect(onWeb.sha256Hex("é")).toBe(onNode.sha256Hex("é"));
  });

  it("gives random bytes", async () => {
    const { randomBytes } = await inBrowser();
    expect(randomBytes(12)).toHaveLength(12);
    expect(randomBytes(12)).not.toEqual(randomBytes(12));
  });

  it("has no files where the runtime has none, and says so when one is asked for", async () => {
    const { hasFiles, nodeFs, nodePath } = await inBrowser();
    expect(hasFiles).toBe(false);
    for (const use of [() => nodeFs.lstatSync("."), () => nodePath.resolve("."), () => nodePath.sep]) expect(use).toThrow("no file system");
  });

  it("finds the modules of Node where a bundle for browsers runs in Node", () => {
    expect(onWeb.hasFiles).toBe(true);
    expect(onWeb.nodeFs).toBe(onNode.nodeFs);
    expect(onWeb.nodePath).toBe(onNode.nodePath);
  });

  it("takes a signal with any number of listeners, where there is nothing to allow", async () => {
    const { allowManyListeners } = await inBrowser();
    expect(() => allowManyListeners(new AbortController().signal)).not.toThrow();
  });

  it("brings versions and conditions along, as Node loads them", () => {
    const [ours, theirs] = [semver.loadSemver(), semverOnNode.loadSemver()];
    expect(ours.satisfies("1.2.0", "^1.0.0")).toBe(theirs.satisfies("1.2.0", "^1.0.0"));
    expect(ours.rcompare("1.2.0", "1.10.0")).toBe(theirs.rcompare("1.2.0", "1.10.0"));
    expect(ours.prerelease("1.0.0-beta.1")).toEqual(theirs.prerelease("1.0.0-beta.1"));
    const evaluate = ({ Environment }: ReturnType<typeof cel.loadCel>): unknown => new Environment().parse("1 + 1 == 2")({});
    expect([evaluate(cel.loadCel()), evaluate(celOnNode.loadCel())]).toEqual([true, true]);
  });
});
