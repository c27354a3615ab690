import { describe, expect, test } from "vitest";
import { runProgram } from "../src/index.ts";
import { programCases } from "./support/cases.ts";
import { runPaused } from "./support/paused.ts";
import { programMistake, tableTools } from "./support/programs.mjs";

const { tools, programs } = programCases();

describe("programs as models write them give the value, the calls and the logs that are expected", () => {
  test.each(programs)("$id", async (program) => {
    const result = await runProgram(program.source, { tools: tableTools(tools) });
    expect(programMistake(program, result)).toBeUndefined();
  });
});

describe("the same with labels", () => {
  test.each(programs)("$id", async (program) => {
    const result = await runProgram(program.source, { tools: tableTools(tools), labels: { search_mail: ["untrusted"] } });
    expect(programMistake(program, result)).toBeUndefined();
  });
});

describe("the same when the program is stored at every call and after every few steps", () => {
  test.each(programs)("$id", async (program) => {
    for (const pauseAfter of [undefined, 1, 7]) {
      const result = await runPaused(
        program.source,
        tableTools(tools),
        pauseAfter === 7 ? { labels: { search_mail: ["untrusted"] } } : {},
        pauseAfter,
      );
      expect(programMistake(program, result)).toBeUndefined();
      expect(result.largest).toBeLessThan(20 * 1024);
    }
  });
});
