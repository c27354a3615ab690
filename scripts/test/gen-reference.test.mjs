import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { generateReference } from "../gen-reference.mjs";
import { root } from "../lib/files.mjs";

const page = (path) => readFileSync(join(root, path), "utf8");

describe("the reference", () => {
  it("says what the source says", async () => {
    expect(await generateReference(root, { check: true })).toEqual([]);
  });

  it("explains every option", () => {
    const rows = ["registry-options", "store", "fetch", "server", "http-api", "configuration", "command"].flatMap((name) =>
      page(`docs/reference/${name}.md`).match(/^\| `.*$/gm),
    );
    expect(rows.length).toBeGreaterThan(300);
    expect(rows.filter((row) => /\|\s*\|$/.test(row))).toEqual([]);
  });

  it("has every error code of the core, the store, fetch and the server", () => {
    for (const [name, file] of [
      ["core", "errors"],
      ["json-schema", "errors"],
      ["store", "store"],
      ["fetch", "fetch"],
      ["server", "server"],
    ]) {
      const codes = page(`packages/${name}/src/errors.ts`).match(/(?<=^ {2})[A-Z_]+(?=:)/gm);
      expect(codes.length).toBeGreaterThan(1);
      expect(codes.filter((code) => !page(`docs/reference/${file}.md`).includes(`| \`${code}\` |`))).toEqual([]);
    }
  });

  it("has every event on its page", () => {
    const types = page("packages/core/src/events.ts").matchAll(/readonly type: ((?:"[a-z-]+"(?: \| )?)+)/g);
    const events = [...types].flatMap(([, list]) => list.match(/[a-z-]+/g));
    expect(events.length).toBeGreaterThan(9);
    expect(events.filter((event) => !page("docs/reference/events.md").includes(`\`${event}\``))).toEqual([]);
  });
});
