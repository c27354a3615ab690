import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFilesTools } from "../../src/files/files.ts";
import { createTemporaryWorkspace, type Invoke, invokerOf, type TemporaryWorkspace } from "../temporary-workspace.ts";

let workspace: TemporaryWorkspace;
let call: Invoke;
beforeAll(() => {
  workspace = createTemporaryWorkspace({
    "a/one.txt": "first\nsecond\nthird\nfourth\nfifth\n",
    "a/two.txt": "second\r\n",
    "a/long.txt": `${"x".repeat(6000)}\nshort\n`,
    "a/wide.txt": `${"needle ".repeat(100)}\n`,
    "a/mixed.txt": "a\r\nb\n",
    "a/empty.txt": "",
    "b/deep/three.md": "second\n",
  });
  symlinkSync("one.txt", join(workspace.root, "a/link.txt"));
  call = invokerOf(createFilesTools({ root: workspace.root }));
});
afterAll(() => workspace.remove());

const answerTo = async (name: string, input: object): Promise<{ content: string; data: any }> => {
  const result = await call(name, input);
  return result.ok ? { content: result.content, data: result.data } : { content: result.error, data: undefined };
};

describe("read", () => {
  it.each([
    ["png", "\x89PNG\r\n\x1a\n", "image/png"],
    ["jpg", "\xff\xd8\xff\xe0", "image/jpeg"],
    ["gif", "GIF89a", "image/gif"],
    ["webp", "RIFF\x01\x02\x03\x04WEBPVP8 ", "image/webp"],
  ])("knows a %s by its beginning, whatever its name", async (name, start, mimeType) => {
    workspace.write(`images/${name}.txt`, Buffer.from(start, "latin1"));
    const { content, data } = await answerTo("read", { path: `images/${name}.txt` });
    expect(data).toEqual({ path: `images/${name}.txt`, kind: "image", bytes: start.length, mimeType });
    expect(content).toBe(`images/${name}.txt: an image (${mimeType}, ${start.length} bytes)`);
  });

  it("cuts long lines and says how many, and refuses what lies behind the end", async () => {
    const { content, data } = await answerTo("read", { path: "a/long.txt" });
    expect(data).toMatchObject({ firstLine: 1, lastLine: 2, totalLines: 2, bytes: 6007 });
    expect(data.text).toMatch(/^x{5000}…\nshort$/);
    expect(content).toMatch(/\n\[1 long lines were cut to 5000 characters\.\]$/);
    expect(data).not.toHaveProperty("nextOffset");
    expect((await answerTo("read", { path: "a/one.txt", offset: 5 })).data).toMatchObject({ text: "fifth", lastLine: 5 });
    expect((await answerTo("read", { path: "a/one.txt", offset: 6 })).content).toBe('"a/one.txt" has 5 lines; offset 6 is behind its end.');
    expect((await answerTo("read", { path: "a/empty.txt" })).data).toMatchObject({ text: "", totalLines: 0, lastLine: 0 });
    expect((await answerTo("read", { path: "a/empty.txt", offset: 2 })).content).toContain("has 0 lines; offset 2");
  });

  it("tells how lines end", async () => {
    const endingOf = async (path: string): Promise<unknown> => (await answerTo("read", { path })).data.lineEnding;
    expect([await endingOf("a/one.txt"), await endingOf("a/two.txt"), await endingOf("a/mixed.txt")]).toEqual(["\n", "\r\n", "mixed"]);
  });
});

describe("grep", () => {
  it("shows the lines around a match with their numbers, as far as there are any", async () => {
    const { content, data } = await answerTo("grep", { pattern: "^second$", path: "a/one.txt", context: 2 });
    expect(content.split("\n")).toEqual(["a/one.txt-1- first", "a/one.txt:2: second", "a/one.txt-3- third", "a/one.txt-4- fourth"]);
    expect(data).toEqual({
      matches: [{ path: "a/one.txt", line: 2, text: "second", before: ["first"], after: ["third", "fourth"] }],
      truncated: false,
      files: 1,
    });
  });

  it("cuts long lines, counts the files, and says where there is more", async () => {
    const wide = (await answerTo("grep", { pattern: "needle" })).data.matches;
    expect(wide).toHaveLength(1);
    expect(wide[0].text).toHaveLength(501);
    expect((await answerTo("grep", { pattern: "nothing of it", path: "b" })).content).toBe("Nothing was found in 1 files.");
    const some = await answerTo("grep", { pattern: "second", limit: 2, path: "." });
    expect(some.data).toMatchObject({ truncated: true, matches: [{ path: "a/one.txt" }, { path: "a/two.txt" }] });
    expect(some.content).toContain("[There are more than 2 matches. Narrow the search, or raise limit.]");
    expect((await answerTo("grep", { pattern: "second", limit: 3 })).data).toMatchObject({ truncated: false });
    expect((await answerTo("grep", { pattern: "SECOND", ignore_case: true, glob: "*.md" })).data.matches).toMatchObject([
      { path: "b/deep/three.md" },
    ]);
  });
});

describe("find and ls", () => {
  it("find files, folders or both, from the folder or from the root, and stop at their limit", async () => {
    const paths = async (input: object): Promise<unknown> => (await answerTo("find", input)).data.paths;
    expect(await paths({ pattern: "*.md" })).toEqual(["b/deep/three.md"]);
    expect(await paths({ pattern: "deep/*", path: "b" })).toEqual(["b/deep/three.md"]);
    expect(await paths({ pattern: "b/deep/*", path: "b" })).toEqual(["b/deep/three.md"]);
    expect(await paths({ pattern: "deep", kind: "folder" })).toEqual(["b/deep"]);
    expect(await paths({ pattern: "*deep*", kind: "any" })).toEqual(["b/deep"]);
    expect(await paths({ pattern: "deep" })).toEqual([]);
    const cut = await answerTo("find", { pattern: "*.txt", path: "a", limit: 2 });
    expect(cut).toMatchObject({ data: { truncated: true }, content: expect.stringMatching(/\n\[There are more than 2\.\]$/) });
    expect((await answerTo("find", { pattern: "*.md", limit: 1 })).data.truncated).toBe(false);
    expect((await answerTo("find", { pattern: "*.none" })).content).toBe("Nothing was found.");
  });

  it("list what a folder holds, marked, and say how much was left out", async () => {
    const whole = await answerTo("ls", { path: "a" });
    expect(whole.content.split("\n")).toEqual(["empty.txt", "link.txt@", "long.txt", "mixed.txt", "one.txt", "two.txt", "wide.txt"]);
    expect(whole.data).toMatchObject({ path: "a", truncated: false });
    const cut = await answerTo("ls", { path: "a", limit: 2 });
    expect(cut.content).toBe("empty.txt\nlink.txt@\n[5 more were left out.]");
    expect(cut.data).toMatchObject({ truncated: true, entries: [{ name: "empty.txt" }, { name: "link.txt" }] });
    expect((await answerTo("ls", { path: "b" })).content).toBe("deep/");
  });
});

describe("write", () => {
  it("tells what it made, in which encoding, and how lines end where that is asked for", async () => {
    const made = await call("write", { path: "new/a.txt", content: "a\nb\n", line_endings: "crlf" });
    expect(made).toMatchObject({
      ok: true,
      content: "Created new/a.txt: 6 bytes, utf-8.",
      data: { path: "new/a.txt", created: true, bytes: 6, encoding: "utf-8" },
      effects: [{ kind: "file", action: "create", target: "new/a.txt" }],
    });
    const again = await call("write", { path: "new/a.txt", content: "c\nd\n" });
    expect(again).toMatchObject({ content: "Wrote new/a.txt: 6 bytes, utf-8.", data: { created: false }, effects: [{ action: "write" }] });
    expect((await answerTo("write", { path: "new/a.txt", content: "c\r\nd\n", line_endings: "lf" })).data.bytes).toBe(4);
    expect((await answerTo("write", { path: "new", content: "x" })).content).toBe('"new" is a folder. Name a file.');
  });
});

describe("edit", () => {
  it("says how many replacements it made, and where the first is", async () => {
    workspace.write("edit.txt", "a\nb b\n");
    expect(await call("edit", { path: "edit.txt", old_text: "a", new_text: "c" })).toMatchObject({
      content: "Edited edit.txt: 1 replacement, the first in line 1.",
      data: { path: "edit.txt", replacements: 1, firstLine: 1 },
      effects: [{ kind: "file", action: "write", target: "edit.txt" }],
    });
    const both = await answerTo("edit", { path: "edit.txt", edits: [{ old_text: "b", new_text: "d", replace_all: true }] });
    expect(both.content).toBe("Edited edit.txt: 2 replacements, the first in line 2.");
    workspace.write("image.bin", Buffer.from([1, 0, 2]));
    expect((await answerTo("edit", { path: "image.bin", old_text: "a", new_text: "b" })).content).toBe(
      '"image.bin" is no text file: it holds 3 bytes of binary data.',
    );
  });
});
