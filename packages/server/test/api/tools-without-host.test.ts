import { openTestServer } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";

const config = { tools: { packs: { utility: true, media: { unconfined: true } } } } as const;
/** A machine without espeak-ng. */
const capabilities = {
  knows: () => true,
  has: (name: string) => name !== "binary:espeak-ng",
  remedy: () => "Install espeak-ng.",
  names: () => [],
};
const rack = { registry: { capabilities } };

describe("built-in tools whose program is not on this machine", () => {
  it("are not in the list, and are in the list of all tools with a mark", async () => {
    await using server = await openTestServer({ config, rack });
    const names = async (path: string): Promise<readonly string[]> =>
      (await server.ask("GET", path)).body.tools.map(({ name }: { name: string }) => name);
    expect(await names("/tools")).not.toContain("tts");
    const { tools } = (await server.ask("GET", "/tools?all=true")).body as { tools: { name: string; withoutHost?: true }[] };
    expect(tools.find(({ name }) => name === "tts")).toMatchObject({ state: "unavailable", withoutHost: true });
    expect(tools.find(({ name }) => name === "echo")).not.toHaveProperty("withoutHost");
    expect((await server.ask("GET", "/tools/tts")).body).toMatchObject({ withoutHost: true });
  });

  it("have no column in the matrix unless all are asked for, and the matrix counts them", async () => {
    await using server = await openTestServer({ config, rack });
    const matrix = (await server.ask("GET", "/policy/matrix")).body;
    expect(matrix.tools).toContain("image");
    expect(matrix.tools).not.toContain("tts");
    expect(matrix.withoutHost).toBe(1);
    for (const { cells } of matrix.rows) expect(cells).toHaveLength(matrix.tools.length);
    const whole = (await server.ask("GET", "/policy/matrix?all=true")).body;
    expect(whole.tools).toContain("tts");
    expect(whole.withoutHost).toBe(0);
  });
});

describe("tools whose pack is off", () => {
  it("are not there at all", async () => {
    await using server = await openTestServer({ config, rack });
    const { tools } = (await server.ask("GET", "/tools?all=true")).body as { tools: { name: string }[] };
    for (const name of ["canvas", "cron", "gateway", "nodes", "browser", "message"])
      expect(tools.map((tool) => tool.name)).not.toContain(name);
  });
});
