import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFakeClock } from "@toolrack/core/testing";
import { codeSource, defineTool, type ToolDefinition, type ToolSource } from "@toolrack/core";
import { listAudit, openDefinitionLog } from "@toolrack/store";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { openTestServer } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";

const build = (change: Partial<ToolDefinition> = {}): ToolDefinition =>
  defineTool({
    name: "build",
    description: "Builds the project.",
    inputSchema: { type: "object" },
    metadata: { needs: { programs: ["make"], permissions: ["run"] }, secrets: ["DEPLOY_KEY"] },
    handler: () => "built",
    ...change,
  }) as ToolDefinition;
const harmless = defineTool({ name: "harmless", description: "Adds.", inputSchema: { type: "object" }, handler: () => "2" });

function worker(
  tools: readonly ToolDefinition[] = [build(), harmless],
  identity = "worker-1",
): ToolSource & { change(tools: readonly ToolDefinition[]): void } {
  let [now, tell] = [tools, (): void => undefined];
  return {
    id: "workers:ci",
    identity,
    list: () => now,
    watch(onChange) {
      tell = onChange;
      return () => undefined;
    },
    change(next) {
      now = next;
      tell();
    },
  };
}

describe("a grant", () => {
  // row: E23
  it("is needed before a tool that asks for more than its input is served, has reason, author and date, and is in audit and log", async () => {
    await using server = await openTestServer({ config: { store: { memory: true } } });
    const { rack } = server;
    await rack.secrets.set("DEPLOY_KEY", "value-of-the-key");
    await rack.registry.addSource(worker());
    const problems = (): string =>
      rack.registry
        .sources()
        .find(({ id }) => id === "workers:ci")!
        .problems.join("\n");
    expect([rack.registry.get("build"), rack.registry.get("harmless")?.name]).toEqual([undefined, "harmless"]);
    expect(problems()).toContain(
      'The tool "build" asks for programs make; permissions run; secrets DEPLOY_KEY, and nobody granted that. Look at it, and grant it, with: toolrack grants add workers:ci/build --reason "why"',
    );
    const call = await server.ask("POST", "/tools/build/call", {});
    expect(call).toMatchObject({ status: 403, body: { code: "TOOL_HELD" } });
    expect((call.body as { detail: string }).detail).toBe(
      'Tool "build" of the source "workers:ci" waits for a grant: it asks for more than its input (programs, permissions, secrets). A person has to look at it first: toolrack grants add workers:ci/build --reason "why"',
    );
    const { waiting } = (await server.ask("GET", "/grants")).body as { waiting: { print: string; asks: object }[] };
    expect(waiting).toMatchObject([
      { tool: "build", sourceId: "workers:ci", isChanged: false, asks: { programs: ["make"], secrets: ["DEPLOY_KEY"] } },
    ]);
    const { print } = waiting[0]!;
    // In the list of everything that waits, too, and decided there.
    const { grants, grantsTotal } = (await server.ask("GET", "/approvals")).body;
    expect([grants, grantsTotal]).toMatchObject([[{ kind: "grant", tool: "build", print }], 1]);
    const waitingId = grants[0].id as string;
    expect((await server.ask("GET", `/approvals/${waitingId}`)).body).toMatchObject({ kind: "grant", asks: { programs: ["make"] } });
    const curator = await server.as("cura", "curator");
    const decide = (body: object) => server.ask("POST", `/approvals/${waitingId}/decide`, body);
    expect(await curator("POST", `/approvals/${waitingId}/decide`, { approved: true, digest: print, reason: "x" })).toMatchObject({
      status: 403,
    });
    expect(await decide({ approved: true, digest: print })).toMatchObject({ status: 400 });
    expect(await decide({ approved: false, digest: print })).toMatchObject({ status: 409 });
    expect(await decide({ approved: true, digest: "v1:sha256:00", reason: "x" })).toMatchObject({ status: 409 });
    const grant = (body: object) => server.ask("POST", "/grants", body);
    expect(await grant({ tool: "build", print })).toMatchObject({ status: 400 });
    expect(await grant({ tool: "build", print: "v1:sha256:00", reason: "x" })).toMatchObject({ status: 409 });
    expect(await grant({ tool: "nothing", print, reason: "x" })).toMatchObject({ status: 404 });
    const granted = await grant({ tool: "build", print, reason: "Releases need it." });
    expect(granted).toMatchObject({
      status: 200,
      body: { reason: "Releases need it.", by: "owner", at: expect.any(String), state: "in-force" },
    });
    expect((await server.ask("POST", "/tools/build/call", {})).body).toMatchObject({ content: "built" });
    expect([problems(), rack.grants.waiting()]).toEqual(["", []]);
    const { id } = granted.body as { id: string };
    expect(await server.ask("DELETE", `/grants/${id}`)).toMatchObject({ status: 200 });
    expect([rack.registry.get("build"), rack.grants.list()]).toEqual([undefined, []]);
    expect(await server.ask("DELETE", `/grants/${id}`)).toMatchObject({ status: 404 });
    const lines = await listAudit(rack.store, { kinds: ["grant-added", "grant-revoked"] });
    expect(lines.map(({ kind, subject, agent, body }) => [kind, subject, agent, body])).toMatchObject([
      ["grant-revoked", "build", "owner", { upstream: { source: "worker-1", tool: "build" } }],
      ["grant-added", "build", "owner", { reason: "Releases need it.", asks: { programs: ["make"] } }],
    ]);
    expect(
      (await openDefinitionLog(rack.store).list())
        .filter(({ kind }) => kind === "grant")
        .map(({ kind, print: of, detail }) => [kind, of, detail["action"]]),
    ).toEqual([
      ["grant", print, "revoked"],
      ["grant", print, "granted"],
    ]);
  });

  it("is lost when the definition changes, when the source is another one, and when its time is over", async () => {
    const clock = createFakeClock(Date.UTC(2026, 0, 1));
    // The lock only reports, so that a changed tool reaches its grant.
    const rack = await openTestRack({ config: { store: { memory: true }, trust: { enforce: false } }, clock });
    const source = worker();
    await rack.registry.addSource(source);
    const add = (days?: number) => rack.grants.add({ tool: "build", print: rack.grants.waiting()[0]!.print, reason: "r", days }, "anna");
    await add();
    expect(rack.registry.get("build")).toBeDefined();
    source.change([build({ description: "Builds the project, and publishes it." }), harmless]);
    await until(() => rack.registry.get("build") === undefined);
    expect([rack.grants.list()[0], rack.grants.waiting()[0]]).toMatchObject([{ state: "lost" }, { isChanged: true }]);
    expect(await add(2)).toMatchObject({ until: "2026-01-03T00:00:00.000Z", state: "in-force" });
    await clock.advance(3 * 86_400_000);
    await until(() => rack.registry.get("build") === undefined);
    await add();
    expect(rack.registry.get("build")).toBeDefined();
    await rack.registry.removeSource("workers:ci");
    expect(rack.grants.list()).toMatchObject([{ state: "unused" }]);
    await rack.registry.addSource(worker([build({ description: "Builds the project, and publishes it." })], "worker-2"));
    expect([rack.registry.get("build"), rack.grants.list()[0]]).toMatchObject([undefined, { state: "lost" }]);
  });

  it("is given to packs, modules and the program's own tools by the line that names them, and not to plugins", async () => {
    const folder = temporaryFolder();
    const definition = `{ name: "NAME", description: "Builds.", inputSchema: { type: "object" }, metadata: { needs: { permissions: ["run"] } }, handler: () => "x" }`;
    writeFileSync(join(folder, "mine.mjs"), `export default ${definition.replace("NAME", "from_module")};`);
    writeFileSync(
      join(folder, "voice.mjs"),
      `export const register = (api) => api.registerTool(${definition.replace("NAME", "from_plugin")});`,
    );
    const rack = await openTestRack({
      folder,
      config: { store: { memory: true }, tools: { modules: ["./mine.mjs"], plugins: { folder: ".", allow: ["voice"] } } },
      tools: [build({ name: "from_program" })],
    });
    await rack.registry.addSource(codeSource("mine", [build({ name: "from_code" })]));
    for (const name of ["from_module", "from_program", "from_code"]) expect(rack.registry.get(name)?.name).toBe(name);
    expect(rack.registry.get("from_plugin")).toBeUndefined();
    await rack.grants.add({ tool: "from_plugin", print: rack.grants.waiting()[0]!.print, reason: "r" }, "anna");
    expect(rack.registry.get("from_plugin")).toBeDefined();
  });

  it("is given in the list of everything that waits, too", async () => {
    await using server = await openTestServer({ config: { store: { memory: true } } });
    await server.rack.registry.addSource(worker());
    const [{ id, print }] = (await server.ask("GET", "/approvals")).body.grants;
    const decided = await server.ask("POST", `/approvals/${id}/decide`, { approved: true, digest: print, reason: "Needed." });
    expect(decided).toMatchObject({ status: 200, body: { kind: "grant", tool: "build" } });
    expect((await server.ask("GET", "/approvals")).body).toMatchObject({ grants: [], grantsTotal: 0 });
    expect(server.rack.grants.list()).toMatchObject([{ id, reason: "Needed.", state: "in-force" }]);
    expect(server.rack.registry.get("build")?.name).toBe("build");
  });
});
