import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openServer } from "@toolrack/server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it, onTestFinished } from "vitest";
import { exitCodes } from "../src/errors.ts";
import { type Ended, run } from "./_run.ts";

const state = (folder: string): { readonly XDG_STATE_HOME: string } => ({ XDG_STATE_HOME: join(folder, "state") });

/** A folder with one agent, and a home of its own. */
function setUp() {
  const [folder, home] = [temporaryFolder(), temporaryFolder()];
  writeFileSync(
    join(folder, "toolrack.config.yaml"),
    "store: { sqlite: ./toolrack.db }\npolicy: { agents: { anna: { tools: { allow: [random] } } } }\n",
  );
  const script = join(folder, "toolrack.mjs");
  writeFileSync(script, "");
  const environment = { PATH: process.env["PATH"]!, HOME: home, USERPROFILE: home, ...state(folder) };
  const connectFrom = (program: string, ...words: string[]): Promise<Ended> =>
    run(["connect", ...words], { folder, environment, script: program });
  const connect = (...words: string[]): Promise<Ended> => connectFrom(script, ...words);
  return {
    connect,
    connectFrom,
    folder,
    script,
    projectFile: join(folder, ".cursor", "mcp.json"),
    userFile: join(home, ".cursor", "mcp.json"),
  };
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
  });

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
  });

  it("counts the tools of the agent only where a server has loaded them", async () => {
    const { connect, folder } = setUp();
    writeFileSync(
      join(folder, "greet.mjs"),
      'export default { name: "greet", description: "Greets.", inputSchema: { type: "object" }, handler: () => "Hello." };\n',
    );
    const config =
      "store: { sqlite: ./toolrack.db }\ntools: { modules: [./greet.mjs] }\npolicy: { agents: { anna: { tools: { allow: [greet] } } } }\n";
    writeFileSync(join(folder, "toolrack.config.yaml"), config);
    expect((await connect("cursor", "--agent", "anna", "--write")).output).toContain("gives it the tools of agent anna:");
    const server = await openServer({ folder, port: 0, consoleFolder: false, logLevel: "silent", environment: state(folder) });
    onTestFinished(() => server.close({ graceMs: 0 }));
    expect((await connect("cursor", "--agent", "anna", "--write")).output).toContain("gives it the 1 tool of agent anna:");
  });

  it("lets a client start this very program, and the package where that is in the cache of npx", async () => {
    const { connect, connectFrom, folder, script, projectFile } = setUp();
    const entry = (): unknown => JSON.parse(readFileSync(projectFile, "utf8")).mcpServers.toolrack;
    await connect("cursor", "--agent", "anna", "--write");
    expect(entry()).toMatchObject({ command: process.execPath, args: [script, "--config", expect.any(String), "mcp", "--agent", "anna"] });
    const cached = join(folder, "_npx", "0a1b", "node_modules", "toolrack");
    mkdirSync(cached, { recursive: true });
    writeFileSync(join(cached, "toolrack.mjs"), "");
    await connectFrom(join(cached, "toolrack.mjs"), "cursor", "--agent", "anna", "--write");
    expect(entry()).toMatchObject({
      command: "npx",
      args: ["-y", expect.stringMatching(/^toolrack@\d/), "--config", expect.any(String), "mcp", "--agent", "anna"],
    });
  });

  it("writes the file of the project, and with --user the user's own", async () => {
    const { connect, projectFile, userFile } = setUp();
    expect(await connect("cursor", "--agent", "anna", "--user", "--write")).toMatchObject({ code: 0 });
    expect([entriesOf(userFile), existsSync(projectFile)]).toEqual([["toolrack"], false]);
    expect(await connect("cursor", "--user", "--undo")).toMatchObject({ code: 0 });
    expect(await connect("cursor", "--agent", "anna", "--write")).toMatchObject({ code: 0 });
    expect([existsSync(userFile), entriesOf(projectFile)]).toEqual([false, ["toolrack"]]);
  });
});
