import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import type { Download } from "playwright-core";
import { describe, expect, it } from "vitest";
import { takeDownload } from "../../src/browser/downloads.ts";
import { createFileOperations } from "../../src/operations/node-files.ts";

/** A download that the browser has put into a file of this size. */
function downloadOf(bytes: number): { readonly download: Download; readonly removed: string[] } {
  const file = join(temporaryFolder(), "temporary");
  writeFileSync(file, "tea");
  truncateSync(file, bytes);
  const removed: string[] = [];
  const download = {
    url: () => "https://shop.example/tea.bin",
    suggestedFilename: () => "tea.bin",
    path: async () => file,
    delete: async () => void removed.push(file),
  };
  return { download: download as unknown as Download, removed };
}

describe("a download", () => {
  it("is kept up to 50 MiB, and one byte more is not", async () => {
    const files = createFileOperations({ root: temporaryFolder() });
    const [whole, over] = [downloadOf(52_428_800), downloadOf(52_428_801)];
    expect(await takeDownload(whole.download, files)).toMatchObject({ path: "downloads/tea.bin" });
    const refused = await takeDownload(over.download, files);
    expect(refused).toMatchObject({ suggestedFilename: "tea.bin", error: "It has more than 52428800 bytes." });
    expect(refused).not.toHaveProperty("path");
    expect(await files.stat("downloads/tea-2.bin")).toBeUndefined();
    for (const { removed } of [whole, over]) expect(removed).toHaveLength(1);
  });
});
