import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { defineTool } from "@toolrack/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { openRack } from "../../../src/rack/open.ts";
import { type Served, serve } from "../../../src/serve.ts";

const echo = defineTool({ name: "echo", description: "Echoes.", inputSchema: { type: "object" }, handler: () => "ok" });

/** A server whose configuration lists only anna; the key of bob was made before that. */
async function openServer(): Promise<{ readonly served: Served; readonly anna: string; readonly bob: string; readonly owner: string }> {
  const rack = await openRack({
    tools: [echo],
    environment: {},
    config: { store: { memory: true }, tools: { packs: { utility: false } }, policy: { agents: { anna: {} } } },
  });
  const served = await serve(rack, { port: 0, consoleFolder: false });
  onTestFinished(() => served.close({ graceMs: 0 }));
  const { secret: anna } = await rack.keys.create({ agent: "anna", roles: [], by: "test" });
  await rack.settings.set("policy.agents.bob", {}, "test");
  const { secret: bob } = await rack.keys.create({ agent: "bob", roles: [], by: "test" });
  await rack.settings.reset("policy.agents.bob", "test");
  return { served, anna, bob, owner: rack.ownerToken.text };
}

const note = /^The configuration does not list the agent "bob", so it may use no tools\..+policy\.agents/;

describe("an agent with a valid key that the configuration does not list", () => {
  it("is told so with its empty list, over HTTP", async () => {
    const { served, anna, bob } = await openServer();
    const list = async (key: string): Promise<unknown> =>
      (await fetch(`${served.url}/api/v1/tools`, { headers: { authorization: `Bearer ${key}` } })).json();
    expect(await list(bob)).toMatchObject({ tools: [], note: expect.stringMatching(note) as string });
    expect(await list(anna)).toMatchObject({ tools: [{ name: "echo" }] });
    expect(await list(anna)).not.toHaveProperty("note");
  });

  it("is told so in the instructions, over MCP", async () => {
    const { served, anna, bob } = await openServer();
    const instructionsOf = async (key: string): Promise<string | undefined> => {
      const client = new Client({ name: "test", version: "1" });
      const requestInit = { headers: { authorization: `Bearer ${key}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`), { requestInit }));
      onTestFinished(() => client.close());
      return client.getInstructions();
    };
    expect(await instructionsOf(bob)).toMatch(note);
    expect(await instructionsOf(anna)).toBe('You act as the agent "anna", and may use 1 tool of this server: echo.');
  });

  it("has its key marked in the list of keys", async () => {
    const { served, owner } = await openServer();
    const answer = await fetch(`${served.url}/api/v1/keys`, { headers: { authorization: `Bearer ${owner}` } });
    const { keys } = (await answer.json()) as { readonly keys: readonly { readonly agent: string; readonly isListed: boolean }[] };
    expect(Object.fromEntries(keys.map(({ agent, isListed }) => [agent, isListed]))).toEqual({ anna: true, bob: false });
  });
});

it("a key that is older than the configured spelling of its agent signs in under that one, with its limits", async () => {
  const config = { store: { memory: true }, policy: { agents: { ANNA: {} } } } as const;
  const rack = await openRack({ tools: [echo], environment: {}, config });
  const served = await serve(rack, { port: 0, consoleFolder: false });
  onTestFinished(() => served.close({ graceMs: 0 }));
  const { secret } = await rack.keys.create({ agent: "ANNA", roles: [], by: "test" });
  const signedIn = async (): Promise<unknown> =>
    (await fetch(`${served.url}/api/v1/sign-in`, { headers: { authorization: `Bearer ${secret}` } })).json();
  expect(await signedIn()).toMatchObject({ agent: "ANNA" });
  await rack.settings.setAll({ "policy.agents.ANNA": null, "policy.agents.anna": {} }, "test");
  expect(await signedIn()).toMatchObject({ agent: "anna" });
});
