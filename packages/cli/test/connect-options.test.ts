import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { exitCodes } from "../src/errors.ts";
import { type Ended, run } from "./_run.ts";

/** A folder with one agent, and a home of its own. */
function setUp() {
  const [folder, home] = [temporaryFolder(), temporaryFolder()];
  writeFileSync(
    join(folder, "toolrack.config.yaml"),
    "store: { sqlite: ./toolrack.db }\npolicy: { agents: { anna: { tools: { allow: [random] } } } }\n",
  );
  const script = join(folder, "toolrack.mjs");
  writeFileSync(script, "");
  const environment = { PATH: process.env["PATH"]!, HOME: home, USERPROFILE: home };
  const connect = (...words: string[]): Promise<Ended> => run(["connect", ...words], { folder, environment, script });
  return { connect, script, projectFile: join(folder, ".cursor", "mcp.json"), userFile: join(home, ".cursor", "mcp.json") };
}

const entriesOf = (file: string): string[] => Object.keys(JSON.parse(readFileSync(file, "utf8")).mcpServers);

describe("toolrack connect", () => {
  it("refuses a name that is not one of letters, digits, dashes, underscores and dots, at most 64", async () => {
    const { connect, projectFile } = setUp();
    for (const name of ["a b", "../x", "x".repeat(65), "", ".x", "a\nb"])
      for (const what of ["--write", "--undo"])
        expect(await connect("cursor", "--agent", "anna", "--name", name, what), name).toMatchObject({
          code: exitCodes.usage.code,
          errors: expect.stringContaining("cannot name an entry"),
        });
    expect(existsSync(projectFile)).toBe(false);
    const longest = "x".repeat(64);
    expect(await connect("cursor", "--agent", "anna", "--name", longest, "--write")).toMatchObject({ code: 0 });
    expect(entriesOf(projectFile)).toEqual([longest]);
  }, 60_000);

  it("says which program is gone, instead of an error of the system", async () => {
    const { connect, script, projectFile } = setUp();
    rmSync(script);
    const gone = await connect("cursor", "--agent", "anna", "--write");
    expect(gone).toMatchObject({
      code: exitCodes.failed.code,
      errors: expect.stringContaining("toolrack.mjs, which cannot be used: there is no such file."),
    });
    expect(gone.errors).not.toContain("ENOENT");
    expect(existsSync(projectFile)).toBe(false);
  }, 60_000);

  it("writes the file of the project, and with --user the user's own", async () => {
    const { connect, projectFile, userFile } = setUp();
    expect(await connect("cursor", "--agent", "anna", "--user", "--write")).toMatchObject({ code: 0 });
    expect([entriesOf(userFile), existsSync(projectFile)]).toEqual([["toolrack"], false]);
    expect(await connect("cursor", "--user", "--undo")).toMatchObject({ code: 0 });
    expect(await connect("cursor", "--agent", "anna", "--write")).toMatchObject({ code: 0 });
    expect([existsSync(userFile), entriesOf(projectFile)]).toEqual([false, ["toolrack"]]);
  }, 60_000);
});
