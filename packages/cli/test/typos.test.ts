import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { expect, it } from "vitest";
import { run } from "./_run.ts";

function project(): string {
  const folder = temporaryFolder();
  const config = "store: { memory: true }\npolicy: { agents: { anna: { tools: { allow: [random] } } } }\n";
  writeFileSync(join(folder, "toolrack.config.yaml"), config);
  return folder;
}

it.each([
  [["connect", "codx"], 'Did you mean "codex"?'],
  [["connect", "claude"], 'Did you mean "claude-desktop"?'],
  [["export", "opnai"], '"opnai" is not a target of exports. Did you mean "openai"? The targets are anthropic,'],
])("toolrack %j names what was meant", async (words, hint) => {
  const ended = await run(words, { folder: project() });
  expect(ended).toMatchObject({ code: 2, output: "", errors: expect.stringContaining(hint) });
});

it("an explanation without an agent says that it is for none, and how to ask for one", async () => {
  const ended = await run(["policy", "explain", "random"], { folder: project() });
  expect(ended.output).toMatch(/^random {2}allowed {2}for you: no agent was named$/m);
  expect(ended.errors).toContain("For an agent (anna): toolrack policy explain random --agent anna");
  const named = await run(["policy", "explain", "random", "--agent", "anna"], { folder: project() });
  expect([named.output, named.errors].join("")).not.toMatch(/no agent was named|For an agent/);
});
