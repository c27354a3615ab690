import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterThisTest } from "./cleanup.ts";

/** Files by their path in the folder; an array is joined to lines. */
export type FolderContent = Readonly<Record<string, string | readonly string[]>>;

/** A new folder with these files, removed after the test. Its path contains no symbolic link. */
export function temporaryFolder(files: FolderContent = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolrack-")));
  afterThisTest(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof content === "string" ? content : content.join("\n"));
  }
  return folder;
}
