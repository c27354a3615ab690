import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { makeSecretFile, readSecretFile } from "../../../src/rack/keys-and-tokens/secret-file.ts";

describe("a file with a secret", () => {
  it("SD17: is refused where it is empty, so that nothing is sealed with nothing", () => {
    const file = join(temporaryFolder(), "master.key");
    expect(readSecretFile(file, "master key")).toBeUndefined();
    for (const text of ["", " \n"]) {
      writeFileSync(file, text, { mode: 0o600 });
      expect(() => readSecretFile(file, "master key")).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
    }
  });

  it("SD17: is made once, for its owner alone: whoever comes second reads what the first wrote", () => {
    const file = join(temporaryFolder(), "own", "master.key");
    expect(makeSecretFile(file, "first", "master key")).toEqual({ text: "first", isNew: true });
    expect(makeSecretFile(file, "second", "master key")).toEqual({ text: "first", isNew: false });
    expect(readFileSync(file, "utf8")).toBe("first\n");
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});
