import { readFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { describe, expect, it } from "vitest";

const demo = fileURLToPath(new URL("../../../../../examples/demo", import.meta.url));

describe("the demo that is served by npm start", () => {
  it("has no warning in its policy, and names the line of the file where its module and its packs are configured", async () => {
    const folder = temporaryFolder();
    await cp(demo, folder, { recursive: true, filter: (path) => basename(path) !== ".toolrack" });
    const rack = await openTestRack({ folder, config: "toolrack.config.yaml" });
    const lines = readFileSync(join(folder, "toolrack.config.yaml"), "utf8").split("\n");
    const lineOf = (text: string): string => `toolrack.config.yaml:${lines.findIndex((line) => line.includes(text)) + 1}`;
    const origins = new Map(rack.sources.list().map(({ id, origin }) => [id, origin]));
    expect(origins.get("module:./tools.js")).toBe(lineOf("modules:"));
    expect(origins.get("packs")).toBe(lineOf("packs:"));
    expect(origins.get("records")).toBe("default");
    expect(await rack.policyWarnings.list()).toEqual([]);
  });
});
