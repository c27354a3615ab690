import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readWholeFile } from "../../../src/config/file/whole-file.ts";

const folder = mkdtempSync(join(tmpdir(), "toolrack-whole-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("SD2: a pipe, a folder and a huge file are no configuration, and hold nobody up", () => {
  const [pipe, huge, fine] = ["pipe", "huge", "fine"].map((name) => join(folder, name)) as [string, string, string];
  execFileSync("mkfifo", [pipe]);
  writeFileSync(huge, "");
  truncateSync(huge, 50_000_000_000);
  writeFileSync(fine, "policy: {}");
  expect(readWholeFile(pipe).fault).toContain("not a regular file");
  expect(readWholeFile(folder).fault).toContain("not a regular file");
  expect(readWholeFile(huge).fault).toContain("more than 4194304 bytes");
  expect(readWholeFile(fine)).toMatchObject({ text: "policy: {}" });
});
