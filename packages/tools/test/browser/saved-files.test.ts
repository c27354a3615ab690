import { temporaryFolder } from "@toolrack/testkit/folders";
import type { Download } from "playwright-core";
import { describe, expect, it } from "vitest";
import { safeName, saveFile, takeDownload } from "../../src/browser/downloads.ts";
import { createFileOperations } from "../../src/operations/node-files.ts";

describe("a file that a page gives", () => {
  it.each([
    ["../../x", "x"],
    ["a\\b.txt", "b.txt"],
    [".bashrc", "bashrc"],
    ["..", "download"],
    ["", "download"],
    ["a<b>|c.txt", "a_b__c.txt"],
    ["tea (1) ä.txt. ", "tea (1) ä.txt"],
    ["x".repeat(130), "x".repeat(120)],
  ])("named %j is saved as %j", (suggested, name) => expect(safeName(suggested)).toBe(name));

  it("takes the place of no other", async () => {
    const files = createFileOperations({ root: temporaryFolder() });
    const save = (name: string): Promise<string> => saveFile(files, name, Buffer.from(name));
    expect([await save("a.b.txt"), await save("a.b.txt"), await save("a.b.txt")]).toEqual([
      "downloads/a.b.txt",
      "downloads/a.b-2.txt",
      "downloads/a.b-3.txt",
    ]);
    expect([await save("plain"), await save("plain")]).toEqual(["downloads/plain", "downloads/plain-2"]);
    expect([await save("x.longer-ending"), await save("x.longer-ending")]).toEqual([
      "downloads/x.longer-ending",
      "downloads/x.longer-ending-2",
    ]);
  });

  it("is told of where it cannot be kept", async () => {
    let removed = 0;
    const download = (path: () => Promise<string>): Download =>
      ({
        url: () => `https://x.example/${"y".repeat(3_000)}`,
        suggestedFilename: () => "z".repeat(300),
        path,
        delete: async () => void removed++,
      }) as unknown as Download;
    const facts = { url: `https://x.example/${"y".repeat(3_000)}`.slice(0, 2_000), suggestedFilename: "z".repeat(255) };
    expect(
      await takeDownload(
        download(async () => ""),
        undefined,
      ),
    ).toEqual({ ...facts, error: "There is no workspace to keep it in." });
    const files = createFileOperations({ root: temporaryFolder() });
    expect(
      await takeDownload(
        download(() => Promise.reject(new Error("canceled"))),
        files,
      ),
    ).toEqual({ ...facts, error: "It was not completed." });
    expect(removed).toBe(2);
  });
});
