import { defineTool } from "@toolrack/core";
import { openServer } from "@toolrack/server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { until } from "@toolrack/testkit/until";
import { expect, it, onTestFinished } from "vitest";
import { run as runCommand } from "./_run.ts";

it("runs an agent, shows what it says and calls, tells how to answer its question, and lists, shows, continues and ends its sessions", async () => {
  const folder = temporaryFolder();
  const inputSchema = { type: "object", properties: { name: { type: "string" } } } as const;
  const server = await openServer({
    folder,
    port: 0,
    consoleFolder: false,
    logLevel: "silent",
    config: {
      store: { memory: true },
      agents: { helper: { instructions: "Help.", model: "scripted" } },
      policy: { tools: { ask: ["pay"] } },
    },
    tools: [
      defineTool({ name: "greet", description: "Greets.", inputSchema, handler: ({ name = "" }) => `Hello ${name}` }),
      defineTool({ name: "pay", description: "Pays.", inputSchema, handler: () => "paid" }),
    ],
  });
  onTestFinished(() => server.close({ graceMs: 0 }));
  const run = (...words: string[]) => runCommand(words, { folder, environment: { TOOLRACK_URL: server.url } });

  expect((await run("sessions")).output).toContain("No sessions.");
  const said = await run("run", "helper", "What", "are", "you?", "--session", "notes");
  expect([said.code, said.output]).toEqual([0, expect.stringContaining("I am a scripted model")]);
  const called = await run("run", "helper", 'call greet {"name":"Ann"}', "--session", "notes");
  expect([called.code, called.output, called.errors]).toEqual([
    0,
    expect.stringContaining("greet answered: Hello Ann"),
    expect.stringContaining('→ greet {"name":"Ann"}'),
  ]);
  expect((await run("run", "helper", "call greet", "--json")).json()).toMatchObject({ status: "done", usage: { turns: 2, calls: 1 } });

  const shown = (await run("sessions", "show", "agent:helper:notes")).output;
  expect(shown).toMatch(/1 user from person/);
  expect(shown).toContain("← greet: Hello Ann");
  expect((await run("sessions", "list", "--agent", "helper", "--json")).json()).toMatchObject({ sessions: [{}, {}] });

  const waits = await run("run", "helper", "call pay", "--session", "notes");
  const [, id = ""] = /approvals approve (\S+)/.exec(waits.errors) ?? [];
  expect([waits.code !== 0, id]).toEqual([true, expect.stringMatching(/^approval-/)]);
  expect((await run("approvals", "approve", id)).code).toBe(0);
  await until(async () => (await run("sessions", "show", "agent:helper:notes")).output.includes("pay answered: paid"));

  expect((await run("sessions", "send", "agent:helper:notes", "And", "now?")).code).toBe(0);
  await until(async () => (await run("sessions", "show", "agent:helper:notes")).output.includes("You said: And now?"));
  expect((await run("sessions", "cancel", "agent:helper:notes")).code).toBe(0);

  const unknown = await run("run", "nobody", "x");
  expect([unknown.code !== 0, unknown.errors]).toEqual([true, expect.stringContaining('No agent "nobody" runs here')]);
  const gone = await run("sessions", "show", "agent:helper:gone");
  expect([gone.code !== 0, gone.errors]).toEqual([true, expect.stringContaining("There is no session")]);
});
