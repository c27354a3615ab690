import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openServer } from "@toolrack/server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it, onTestFinished } from "vitest";
import { exitCodes } from "../src/errors.ts";
import { run } from "./_run.ts";

const base = "store: { memory: true }\nagents:\n  support: {}\npolicy:\n  tools: { deny: [random] }\n";

describe("the configuration file, from the command", () => {
  it("SD1: shows what waits for approval, and approves the file that was looked at", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "toolrack.config.yaml");
    await writeFile(file, base);
    const server = await openServer({ folder, port: 0, consoleFolder: false, logLevel: "silent" });
    onTestFinished(() => server.close({ graceMs: 0 }));
    const here = { folder: temporaryFolder(), environment: { TOOLRACK_URL: server.url } };
    const calm = await run(["config", "status"], here);
    expect(calm).toMatchObject({ code: 0, output: expect.stringContaining("No change is waiting for approval") });
    expect(await run(["config", "approve"], here)).toMatchObject({ code: exitCodes.refused.code });

    await writeFile(file, `${base}sources:\n  docs: { url: "https://docs.example.com/mcp", enabled: true }\n`);
    await server.rack.settings.reload();
    const status = await run(["config", "status"], here);
    expect(status.code).toBe(exitCodes.failed.code);
    expect(status.output).toContain("sources.docs.url");
    expect(status.output).toContain("https://docs.example.com/mcp");
    const digest = /config approve (\w+)/.exec(status.output)![1]!;
    const doctor = await run(["doctor"], here);
    expect(doctor.output).toContain("wait for approval");
    // Two files whose digests begin alike can be made; the whole one is what was looked at.
    for (const other of ["00000000", digest.slice(0, 32)])
      expect(await run(["config", "approve", other], here)).toMatchObject({ code: exitCodes.refused.code });
    expect(await run(["config", "approve", digest], here)).toMatchObject({ code: 0, output: expect.stringContaining("Approved") });
    expect(server.rack.sources.list().map(({ id }) => id)).toContain("docs");
    expect((await run(["config", "status"], here)).code).toBe(0);
  });

  it("SD1: dev serves on this machine alone", async () => {
    const folder = temporaryFolder();
    for (const host of ["0.0.0.0", "::", "example.com", "127.0.0.1.example.com"])
      expect(await run(["dev", "--host", host, "--port", "0"], { folder })).toMatchObject({
        code: exitCodes.usage.code,
        errors: expect.stringContaining("can be reached from other machines"),
      });
  });

  it("SD9: makes no key for an agent that is not listed, and names the nearest one and the line to add", async () => {
    const folder = temporaryFolder();
    await writeFile(join(folder, "toolrack.config.yaml"), "store: { sqlite: a.db }\nagents:\n  support: {}\n");
    const refused = await run(["keys", "create", "suport"], { folder });
    expect(refused.code).toBe(exitCodes.usage.code);
    expect(refused.errors).toContain('does not list the agent "suport"');
    expect(refused.errors).toContain('Did you mean "support"?');
    expect(refused.errors).toContain("suport: { tools: { allow: [<tools>] } }");
    expect((await run(["keys", "create", "support"], { folder })).code).toBe(0);
    expect((await run(["keys", "create", "me", "--roles", "owner"], { folder })).code).toBe(0);
  });

  it("SD9: says so where --agent names an agent that is not listed", async () => {
    const folder = temporaryFolder();
    await writeFile(join(folder, "toolrack.config.yaml"), "store: { memory: true }\nagents:\n  support: {}\n");
    for (const words of [["list"], ["search", "number"], ["export", "openai"]]) {
      const { errors } = await run([...words, "--agent", "suport"], { folder });
      expect(errors).toContain('does not list the agent "suport"');
      expect(errors).toContain('Did you mean "support"?');
    }
    expect((await run(["list", "--agent", "support"], { folder })).errors).not.toContain("does not list");
    const explained = await run(["policy", "explain", "random", "--agent", "suport"], { folder });
    expect(explained.code).toBe(exitCodes.refused.code);
    expect(explained.output).toContain('Did you mean "support"?');
  });
});
