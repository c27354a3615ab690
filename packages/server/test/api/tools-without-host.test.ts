import { openTestServer } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";

describe("known tools that no host supplies", () => {
  it("are not in the list, and are in the list of all tools with a mark", async () => {
    await using server = await openTestServer();
    const names = async (path: string): Promise<readonly string[]> =>
      (await server.ask("GET", path)).body.tools.map(({ name }: { name: string }) => name);
    expect(await names("/tools")).not.toContain("canvas");
    const { tools } = (await server.ask("GET", "/tools?all=true")).body as { tools: { name: string; withoutHost?: true }[] };
    expect(tools.find(({ name }) => name === "canvas")).toMatchObject({ state: "unavailable", withoutHost: true });
    expect(tools.find(({ name }) => name === "echo")).not.toHaveProperty("withoutHost");
    expect((await server.ask("GET", "/tools/canvas")).body).toMatchObject({ withoutHost: true });
  });

  it("have no column in the matrix unless all are asked for, and the matrix counts them", async () => {
    await using server = await openTestServer();
    const matrix = (await server.ask("GET", "/policy/matrix")).body;
    expect(matrix.tools).toContain("echo");
    expect(matrix.tools).not.toContain("canvas");
    expect(matrix.withoutHost).toBeGreaterThan(3);
    for (const { cells } of matrix.rows) expect(cells).toHaveLength(matrix.tools.length);
    const whole = (await server.ask("GET", "/policy/matrix?all=true")).body;
    expect(whole.tools).toContain("canvas");
    expect(whole.tools).toHaveLength(matrix.tools.length + matrix.withoutHost);
    expect(whole.withoutHost).toBe(0);
  });

  it("are ordinary tools where the host is there", async () => {
    const capabilities = { knows: () => true, has: () => true, remedy: () => "", names: () => [] };
    await using server = await openTestServer({ rack: { registry: { capabilities } } });
    expect((await server.ask("GET", "/policy/matrix")).body.tools).toContain("canvas");
    const { tools } = (await server.ask("GET", "/tools?all=true")).body as { tools: { name: string; withoutHost?: true }[] };
    expect(tools.some(({ withoutHost }) => withoutHost)).toBe(false);
  });
});
