import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRegistry } from "@toolrack/core";
import { assertTool } from "@toolrack/core/testing";
import { readConfig } from "@toolrack/server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import tools from "../../template/tools.ts";
import { run } from "../_run.ts";

const files = ["package.json", "tsconfig.json", "toolrack.config.yaml", "tools.ts", "tools.test.ts", ".gitignore", "README.md"];

describe("toolrack init", () => {
  it("creates a project in the folder that it is given, and says what to run next", async () => {
    const folder = temporaryFolder();
    const { code, output } = await run(["init", "My Tools"], { folder });
    expect(code).toBe(0);
    expect(output).toContain("\nNext:\n  cd 'My Tools'\n  npm install\n  npm test\n  npm run dev\n");
    const project = join(folder, "My Tools");
    for (const name of files) expect(existsSync(join(project, name)), name).toBe(true);
    expect(JSON.parse(readFileSync(join(project, "package.json"), "utf8"))).toEqual({
      name: "my-tools",
      private: true,
      type: "module",
      engines: { node: ">=20" },
      scripts: { start: "toolrack serve", dev: "toolrack dev", test: "node --import toolrack/typescript --test tools.test.ts" },
      dependencies: { "@toolrack/core": "^0.1.0", toolrack: "^0.1.0" },
      devDependencies: { "@types/node": expect.any(String), typescript: expect.any(String) },
    });
    const ignored = readFileSync(join(project, ".gitignore"), "utf8").split("\n");
    expect(ignored).toEqual(expect.arrayContaining([".toolrack/", ".env", "*.key", "*.pem", "node_modules/"]));
    const readme = readFileSync(join(project, "README.md"), "utf8");
    expect(readme).toMatch(/^# my-tools\n/);
    expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(10);
  });

  it("asks for no install where a folder above has the packages", async () => {
    const folder = temporaryFolder();
    for (const name of ["toolrack", "@toolrack/core"]) mkdirSync(join(folder, "node_modules", name), { recursive: true });
    expect((await run(["init", "tools"], { folder })).output).toContain("\nNext:\n  cd tools\n  npm test\n  npm run dev\n");
  });

  it("writes the files to deploy a server, keeps those that exist, and names what it has files for", async () => {
    const folder = temporaryFolder();
    const written = await run(["init", "--deploy", "systemd"], { folder });
    expect(written).toMatchObject({ code: 0, output: expect.stringContaining("deploy/systemd/toolrack.service") });
    const unit = join(folder, "deploy/systemd/toolrack.service");
    const shipped = new URL("../../template/deploy/systemd/toolrack.service", import.meta.url);
    expect(readFileSync(unit, "utf8")).toBe(readFileSync(shipped, "utf8"));
    expect(existsSync(join(folder, "package.json"))).toBe(false);
    writeFileSync(unit, "mine");
    expect(await run(["init", "--deploy", "systemd"], { folder })).toMatchObject({ code: 1, errors: expect.stringContaining("--force") });
    expect(readFileSync(unit, "utf8")).toBe("mine");
    expect((await run(["init", "--deploy", "systemd", "--force"], { folder })).code).toBe(0);
    expect(readFileSync(unit, "utf8")).toContain("[Service]");
    const targets = readdirSync(new URL("../../template/deploy", import.meta.url)).sort();
    const unknown = await run(["init", "--deploy", "docker"], { folder });
    expect(unknown.code).toBe(2);
    for (const target of targets) expect(unknown.errors).toContain(target);
    for (const target of targets) expect((await run(["init", "--deploy", target, "--force"], { folder })).code).toBe(0);
  });

  it("writes a configuration in which each agent has its own tools, strangers have none, and nothing runs programs or reads files", async () => {
    const folder = temporaryFolder();
    await run(["init"], { folder });
    const file = join(folder, "toolrack.config.yaml");
    const read = readConfig(readFileSync(file, "utf8"), file);
    expect(read).toMatchObject({ ok: true, warnings: [] });
    expect(read.ok && read.config).toMatchObject({
      server: { host: "127.0.0.1" },
      tools: { modules: ["./tools.ts"], packs: { files: false, utility: false, runtime: false } },
      policy: {
        unknownAgents: "deny",
        agents: { assistant: { tools: { allow: ["greet", "book_table"] } }, greeter: { tools: { allow: ["greet"] } } },
      },
      agents: { assistant: expect.anything(), greeter: expect.anything() },
    });
  });

  it("writes tools that pass their own checks, and refuse wrong input", async () => {
    for (const tool of tools) await assertTool(tool);
    const registry = createRegistry();
    for (const tool of tools) registry.register(tool);
    const result = await registry.invoke("book_table", { date: "tomorrow", guests: 20 });
    expect(result).toMatchObject({ ok: false, error: expect.stringMatching(/date must be[^]*guests must be at most 8/) });
  });

  it("keeps files that exist and names them with what they lack, and overwrites them only where it is told to", async () => {
    const mine = {
      "toolrack.config.yaml": "# mine\n",
      ".gitignore": "mine\n",
      "package.json": '{ "name": "mine", "dependencies": { "a": "1" } }',
    };
    const folder = temporaryFolder(mine);
    const { code, output } = await run(["init"], { folder });
    expect(code).toBe(0);
    expect(output).toMatch(/^Kept what exists \(--force overwrites it\):$/m);
    expect(output).toMatch(/package\.json {2}It lacks what the commands below add\.$/m);
    expect(output).toMatch(
      /\nNext:\n {2}npm install toolrack @toolrack\/core\n {2}npm pkg set scripts\.start="toolrack serve" .*\n {2}npm test\n/,
    );
    expect(output).toContain("add ./tools.ts to tools.modules");
    expect(output).toContain("See that it lists .toolrack/ and .env");
    for (const [name, text] of Object.entries(mine)) expect(readFileSync(join(folder, name), "utf8")).toBe(text);
    expect(existsSync(join(folder, "tools.ts"))).toBe(true);

    const again = await run(["init"], { folder });
    expect(again.code).toBe(1);
    expect(again.errors).toMatch(/^Nothing was written: all files of a project exist\. Use --force to overwrite them\.\n {2}package\.json/);

    expect(await run(["init", "--force", "--json"], { folder })).toMatchObject({ code: 0, output: expect.stringContaining('"kept": []') });
    expect(readFileSync(join(folder, "toolrack.config.yaml"), "utf8")).not.toContain("# mine");
    // Whatever else a package.json has is never replaced.
    expect(JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))).toEqual({
      name: "mine",
      dependencies: { a: "1" },
      scripts: expect.objectContaining({ start: "toolrack serve" }),
    });
  });

  it("names of a package.json that it keeps only what is missing in it", async () => {
    const manifest = {
      dependencies: { "@toolrack/core": "1" },
      devDependencies: { toolrack: "1" },
      scripts: { start: "mine", test: "mine" },
    };
    const lacking = await run(["init"], { folder: temporaryFolder({ "package.json": JSON.stringify(manifest) }) });
    expect(lacking.output).toContain('\nNext:\n  npm pkg set scripts.dev="toolrack dev"\n  npm install\n  npm test\n');
    const whole = { ...manifest, scripts: { ...manifest.scripts, dev: "mine" } };
    const complete = await run(["init"], { folder: temporaryFolder({ "package.json": JSON.stringify(whole) }) });
    expect(complete.output).toMatch(/^ {2}package\.json$/m);
    expect(complete.output).toContain("\nNext:\n  npm install\n  npm test\n");
  });

  it("never writes through a link, and refuses a folder that is a file", async () => {
    const folder = temporaryFolder({ "elsewhere.txt": "mine\n", "a-file": "" });
    mkdirSync(join(folder, "project"));
    symlinkSync(join(folder, "elsewhere.txt"), join(folder, "project", "tools.ts"));
    const { output } = await run(["init", "project", "--force", "--json"], { folder });
    expect(JSON.parse(output)).toMatchObject({ kept: ["tools.ts"] });
    expect(readFileSync(join(folder, "elsewhere.txt"), "utf8")).toBe("mine\n");
    const refused = await run(["init", "a-file"], { folder });
    expect(refused).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/a-file cannot be made a project: it is not a folder\. Choose another name\.\n$/),
    });
  });

  it("writes only the file that --config names, and overwrites one only where it is told to", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "other.yaml");
    expect(await run(["--config", "other.yaml", "init"], { folder })).toMatchObject({
      code: 0,
      output: `Wrote ${file}.\nNext: toolrack list, toolrack serve\n`,
    });
    expect(existsSync(join(folder, "tools.ts"))).toBe(false);
    const text = readFileSync(file, "utf8");
    writeFileSync(file, "mine");
    expect(await run(["--config", file, "init"], { folder })).toMatchObject({
      code: 1,
      errors: `${file} already exists. Use --force to overwrite it.\n`,
    });
    expect(readFileSync(file, "utf8")).toBe("mine");
    expect(await run(["--config", file, "init", "--force", "--json"], { folder })).toMatchObject({ code: 0 });
    expect(readFileSync(file, "utf8")).toBe(text);
    const nowhere = await run(["--config", join(folder, "no", "folder.yaml"), "init"], { folder });
    expect(nowhere).toMatchObject({ code: 1, errors: expect.stringContaining("cannot be written") });
  });
});
