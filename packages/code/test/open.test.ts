import { expect, test } from "vitest";
import { openProgram, type OpenProgram, type ProgramState, reopenProgram } from "../src/index.ts";

const source = `const a = await tools.ask({ n: 1 });
const [b, c] = await Promise.all([tools.ask({ n: a }), tools.ask({ n: a + 1 })]);
return [a, b, c];`;

test("a host makes the calls, and may store the program between any two of them", () => {
  const lines: (number | undefined)[] = [];
  const onCall = (): void => void lines.push(program.place()?.line);
  let program: OpenProgram = openProgram(source, { tools: ["ask"], onCall });
  expect(program.advance()).toBe("waiting");
  expect(program.takeCalls()).toMatchObject([{ callId: "0", input: { n: 1 } }]);
  expect(program.takeCalls()).toEqual([]);
  program.answer({ callId: "0", result: 5 });
  expect(program.advance()).toBe("waiting");
  expect(program.takeCalls()).toHaveLength(2);
  program.answer({ callId: "2", result: 7 });
  program = reopenProgram(JSON.parse(JSON.stringify(program.state())) as ProgramState, { onCall });
  expect(program.openCalls()).toMatchObject([{ callId: "1", input: { n: 5 } }]);
  expect(program.takeCalls()).toEqual([]);
  program.answer({ callId: "1", result: 6 });
  expect(program.advance()).toBe("done");
  expect(program.result).toMatchObject({ ok: true, value: [5, 6, 7] });
  expect(lines).toEqual([1, 2, 2]);
});

test("an answer to a call that was not handed out yet, or was answered before, changes nothing", () => {
  const nine = "return (await Promise.all([0, 1, 2, 3, 4, 5, 6, 7, 8].map((n) => tools.ask({ n })))).join();";
  const program = openProgram(nine, { tools: ["ask"] });
  program.advance();
  expect(program.takeCalls()).toHaveLength(8);
  program.answer({ callId: "8", result: "too early" });
  program.answer({ callId: "0", result: "a" });
  program.answer({ callId: "0", result: "again" });
  program.advance();
  expect(program.takeCalls()).toMatchObject([{ callId: "8", input: { n: 8 } }]);
  for (let at = 1; at <= 8; at++) program.answer({ callId: String(at), result: "b" });
  expect(program.advance()).toBe("done");
  expect(program.result).toMatchObject({ ok: true, value: "a,b,b,b,b,b,b,b,b" });
});

test("a program that does not parse has ended before it began", () => {
  const program = openProgram("return (", { tools: [] });
  expect(program.advance()).toBe("done");
  expect(program.result).toMatchObject({ ok: false, error: { kind: "syntax", line: 1 } });
});

test("a program can be ended from outside", () => {
  const program = openProgram("try { await tools.ask({}); } catch { return 1; }", { tools: ["ask"] });
  program.advance();
  program.stop("The caller cancelled it.");
  expect(program.advance()).toBe("done");
  expect(program.result).toMatchObject({ ok: false, error: { kind: "limit", message: expect.stringContaining("cancelled") as string } });
});
