import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { copiesOf, readClientFile, removeClientFile, restoreCopy, writeClientFile } from "../../src/clients/files.ts";

const fileIn = (text?: string): string => {
  const file = join(temporaryFolder(), "mcp.json");
  if (text !== undefined) writeFileSync(file, text, { mode: 0o644 });
  return file;
};

describe("the file of a client", () => {
  it("that changed since it was read is neither replaced, nor put back, nor removed", () => {
    const file = fileIn("newer");
    writeFileSync(`${file}.toolrack-backup-1`, "oldest");
    const changes = [
      () => writeClientFile(file, "ours", { before: "older", keepsCopy: true }),
      () => writeClientFile(file, "ours", { before: undefined, keepsCopy: false }),
      () => restoreCopy(file, "older", `${file}.toolrack-backup-1`),
      () => removeClientFile(file, "older"),
    ];
    for (const change of changes) expect(change).toThrow(/mcp\.json changed while this command ran, so it was left as it is/);
    expect(readFileSync(file, "utf8")).toBe("newer");
    expect(readdirSync(join(file, ".."))).toEqual(["mcp.json", "mcp.json.toolrack-backup-1"]);
  });

  it("that is no text, too large, or a folder is refused by name", () => {
    const file = fileIn();
    expect(readClientFile(file)).toBeUndefined();
    writeFileSync(file, Buffer.from([0x7b, 0xff, 0x7d]));
    expect(() => readClientFile(file)).toThrow(/mcp\.json cannot be read: /);
    writeFileSync(file, "");
    truncateSync(file, 10_000_001);
    expect(() => readClientFile(file)).toThrow(/mcp\.json cannot be read: it has more than 10000000 bytes/);
    const folder = join(temporaryFolder(), "mcp.json");
    mkdirSync(folder);
    expect(() => readClientFile(folder)).toThrow("Name the client's file with --file");
  });

  it("keeps its mode, and is closed to others when it gets a key; a copy and a new file are the owner's alone", () => {
    const file = fileIn("old");
    const modeOf = (name: string): number => statSync(name).mode & 0o777;
    const { backup } = writeClientFile(file, "first", { before: "old", keepsCopy: true });
    expect([modeOf(file), modeOf(backup!)]).toEqual([0o644, 0o600]);
    writeClientFile(file, "second", { before: "first", keepsCopy: true, isPrivate: true });
    expect(modeOf(file)).toBe(0o600);
    expect(copiesOf(file).map((copy) => readFileSync(copy, "utf8"))).toEqual(["first", "old"]);
    const made = fileIn();
    expect(writeClientFile(made, "new", { before: undefined, keepsCopy: true })).toEqual({});
    expect(modeOf(made)).toBe(0o600);
  });

  it("is put back from the newest copy, through a link, and the copy is gone then", () => {
    const file = fileIn("old");
    const link = join(temporaryFolder(), "link.json");
    symlinkSync(file, link);
    const { backup } = writeClientFile(link, "ours", { before: "old", keepsCopy: true });
    restoreCopy(link, "ours", backup!);
    expect([readFileSync(file, "utf8"), copiesOf(link)]).toEqual(["old", []]);
  });
});
