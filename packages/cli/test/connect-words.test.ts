import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { type Ended, run } from "./_run.ts";

const script = fileURLToPath(new URL("../src/main.ts", import.meta.url));

function project(): { readonly folder: string; readonly connect: (...words: string[]) => Promise<Ended> } {
  const folder = temporaryFolder({ "toolrack.config.yaml": "store: { memory: true }\npolicy: { agents: { anna: {}, ben: {} } }\n" });
  const environment = { HOME: folder, XDG_STATE_HOME: join(folder, "state") };
  return { folder, connect: (...words) => run(["connect", ...words], { folder, environment, script }) };
}

describe("toolrack connect", () => {
  it("shows an undo that removes this very entry: with the file, the place and the name that were given", async () => {
    const { folder, connect } = project();
    const file = join(folder, "my clients.json");
    const written = await connect("cursor", "--agent", "anna", "--file", "my clients.json", "--name", "rack", "--write");
    expect([written.code, existsSync(file)]).toEqual([0, true]);
    expect(written.output).toContain(`Undo with: toolrack connect cursor --file '${file}' --name rack --undo\n`);
    expect((await connect("cursor", "--file", file, "--name", "rack", "--undo")).code).toBe(0);
    expect(existsSync(file)).toBe(false);
    expect((await connect("cursor", "--agent", "anna", "--user", "--write")).output).toContain("toolrack connect cursor --user --undo\n");
  });

  it("finds an agent in any case, and writes it as the configuration does", async () => {
    const { folder, connect } = project();
    expect((await connect("cursor", "--agent", "ANNA", "--write")).code).toBe(0);
    expect(readFileSync(join(folder, ".cursor", "mcp.json"), "utf8")).toMatch(/"--agent",\s+"anna"/);
  });
});
