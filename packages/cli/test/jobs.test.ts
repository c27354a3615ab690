import { defineTool } from "@toolrack/core";
import { openServer } from "@toolrack/server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { expect, it, onTestFinished } from "vitest";
import { run as runCommand } from "./_run.ts";

it("makes a job of a call, delivers a result to the user, waits for a result, lists the dead and replays one", async () => {
  const folder = temporaryFolder();
  const inputSchema = { type: "object", properties: { name: { type: "string" } } } as const;
  const server = await openServer({
    folder,
    port: 0,
    consoleFolder: false,
    logLevel: "silent",
    config: { store: { memory: true } },
    tools: [
      defineTool({ name: "greet", description: "Greets.", inputSchema, handler: ({ name = "" }) => `Hello ${name}` }),
      defineTool({ name: "fails", description: "Fails.", inputSchema, handler: () => Promise.reject(new Error("never works")) }),
    ],
  });
  onTestFinished(() => server.close({ graceMs: 0 }));
  const run = (...words: string[]) => runCommand(words, { folder, environment: { TOOLRACK_URL: server.url } });

  expect((await run("jobs")).output).toContain("No jobs.");
  const made = await run("call", "greet", "name=Ann", "--job");
  const id = made.output.trim();
  expect([made.code, made.errors]).toEqual([0, expect.stringContaining(`jobs show ${id} --wait`)]);
  const shown = await run("jobs", "show", id.slice(0, 20), "--wait", "--json");
  expect(shown.json()).toMatchObject({ id, state: "done", subject: "greet", input: { name: "Ann" }, result: { content: "Hello Ann" } });

  const forUser = await run("call", "greet", "name=Ann", "--deliver", "user");
  expect([forUser.code, forUser.output.trim()]).toEqual([0, "Shown to the user."]);
  const wrong = await run("call", "greet", "--deliver", "me");
  expect([wrong.code, wrong.errors]).toEqual([2, expect.stringContaining("model, user, both, none")]);

  const dying = (await run("call", "fails", "--job")).output.trim();
  const dead = await run("jobs", "show", dying, "--wait");
  expect([dead.code, dead.output]).toEqual([1, expect.stringContaining(`jobs replay ${dying}`)]);
  expect((await run("jobs", "dead")).output).toMatch(/TOOL_FAILED/);
  expect((await run("jobs", "replay", dying, "--json")).json()).toMatchObject({ id: dying, failed: 0 });
  expect((await run("jobs", "show", dying, "--wait", "--json")).json()).toMatchObject({ state: "dead", attempt: 2 });
  const late = await run("jobs", "cancel", dying);
  expect([late.code, late.errors]).toEqual([expect.any(Number), expect.stringContaining("dead already")]);
  expect((await run("status")).output).toContain("Jobs: 1 done, 1 dead");
});
