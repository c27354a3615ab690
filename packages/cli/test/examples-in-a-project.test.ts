import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commands } from "../src/commands.ts";
import { run } from "./_run.ts";

/** Commands that a person tries first: their examples need nothing but the project. */
const first = [
  "list",
  "show",
  "search",
  "call",
  "calls",
  "policy list",
  "policy explain",
  "policy simulate",
  "policy matrix",
  "export",
  "assemble",
  "lint",
  "disable",
  "enable",
  "keys create",
  "stats",
  "history",
];

/** What an answer says where an example speaks of something that the project does not have. */
const unknown = /does not list the agent|There is no|No tools? found|No tool matches/;

describe("in a project that toolrack init created, the examples in the help", () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "toolrack-examples-"));
    expect((await run(["init"], { folder })).code).toBe(0);
    symlinkSync(fileURLToPath(new URL("../../../node_modules", import.meta.url)), join(folder, "node_modules"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const shown = commands.filter(({ name, examples = [] }) => first.includes(name) && examples.length > 0);

  it.each(shown.map(({ name, examples }) => [name, examples!] as const))("of %s work", async (_name, examples) => {
    for (const line of examples) {
      const [, input] = /^echo '(.*?)' \| /.exec(line) ?? [];
      const command = line.replace(/^echo '.*?' \| /, "").replace(/ > \S+$/, "");
      const words = [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, bare]) => single ?? double ?? bare!);
      const { code, output, errors } = await run(words.slice(1), { folder, ...(input !== undefined && { input }) });
      expect({ line, code, output, errors }).toMatchObject({ line, code: 0 });
      expect(output + errors).not.toMatch(unknown);
    }
  });

  it("are those of every command that is tried first", () => {
    const names = new Set(commands.map(({ name }) => name));
    for (const name of first) expect(names, name).toContain(name);
  });
});
