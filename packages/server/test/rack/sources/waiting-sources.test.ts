import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("../programs/mcp-server.mjs", import.meta.url));

describe("a source that nobody has approved", () => {
  it("is warned about once at each start, with the command that approves it", async () => {
    const folder = temporaryFolder();
    const config = { store: { sqlite: join(folder, "rack.db") } };
    const first = await openTestRack({ folder, config });
    await first.settings.set("sources.small", { command: process.execPath, args: [program] }, "root");
    await first.close({ graceMs: 0 });

    const warnings: string[] = [];
    const nothing = (): void => undefined;
    const log = { debug: nothing, info: nothing, error: nothing, warn: (text: string) => void warnings.push(text) };
    const rack = await openTestRack({ folder, config, log });
    await rack.sources.ready();
    await rack.settings.set("tools.echo", { enabled: false }, "root");
    await rack.sources.ready();
    expect(warnings.filter((text) => text.includes('"small" waits for approval'))).toEqual([
      expect.stringContaining("toolrack sources approve small"),
    ]);
  });

  it("is starting, and not ready without tools, until its first list was read", async () => {
    const rack = await openTestRack();
    await rack.settings.set("sources.small", { command: process.execPath, args: [program] }, "root");
    const stateOf = (): string => rack.sources.list().find(({ id }) => id === "small")!.state;
    expect(stateOf()).toBe("waiting-for-approval");
    const { identity } = rack.sources.list().find(({ id }) => id === "small")!;
    expect(await rack.sources.approve("small", identity!, "root")).toMatchObject({ state: "starting", tools: [] });
    await rack.sources.ready();
    expect(rack.sources.list().find(({ id }) => id === "small")).toMatchObject({ state: "ready", tools: ["small__say", "small__hang"] });
  });
});
