import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listFiles, root } from "../lib/files.mjs";

const files = listFiles(root);
const pages = files.filter((path) => /^decisions\/\d{4}-.+\.md$/.test(path));

/** "`rack/calls/call-id.ts`" → "rack/calls/call-id.ts" */
const fileName = /`([\w@./-]+\.(?:tsx?|mjs|cjs))`/g;

describe("the pages of decisions", () => {
  it.each(pages)("%s names files that exist", (page) => {
    const named = [...readFileSync(join(root, page), "utf8").matchAll(fileName)].map(([, name]) => name);
    const missing = named.filter((name) => !files.some((path) => path === name || path.endsWith(`/${name}`)));
    expect(missing).toEqual([]);
  });

  it("are all listed, with numbers that follow each other", () => {
    const list = readFileSync(join(root, "decisions/README.md"), "utf8");
    expect(pages.filter((page) => !list.includes(`(${page.slice("decisions/".length)})`))).toEqual([]);
    expect(pages.map((page) => Number(page.slice(10, 14)))).toEqual(pages.map((_, index) => index + 1));
  });
});
