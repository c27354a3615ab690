import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { generateReference } from "../gen-reference.mjs";
import { root } from "../lib/files.mjs";

const page = (path) => readFileSync(join(root, path), "utf8");

describe("the reference", () => {
  it("says what the source says", () => {
    expect(generateReference(root, { check: true })).toEqual([]);
  });

  it("explains every option", () => {
    const rows = page("docs/reference/registry-options.md").match(/^\| `.*$/gm);
    expect(rows.length).toBeGreaterThan(50);
    expect(rows.filter((row) => /\|\s*\|$/.test(row))).toEqual([]);
  });

  it("has every event on its page", () => {
    const types = page("packages/core/src/events/events.ts").matchAll(/readonly type: ((?:"[a-z-]+"(?: \| )?)+)/g);
    const events = [...types].flatMap(([, list]) => list.match(/[a-z-]+/g));
    expect(events.length).toBeGreaterThan(9);
    expect(events.filter((event) => !page("docs/reference/events.md").includes(`\`${event}\``))).toEqual([]);
  });
});
