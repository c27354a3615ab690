import { expect, it } from "vitest";
import { runScripted } from "../_scripted.ts";

it("proof log says whether nothing was logged at all, or nothing about the tool that was asked for", async () => {
  const script = { "GET /definition-log": { entries: [] } };
  expect((await runScripted(["proof", "log"], script)).output).toBe("Nothing was logged about definitions yet.\n");
  expect((await runScripted(["proof", "log", "--tool", "create_issue"], script)).output).toBe(
    'Nothing was logged about a tool "create_issue". List all entries with: toolrack proof log\n',
  );
});
