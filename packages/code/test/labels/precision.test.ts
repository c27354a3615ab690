import { describe, expect, test } from "vitest";
import { runProgram, type ProgramResult } from "../../src/index.ts";
import { escapeLabels, escapeTools } from "../support/escapes.mjs";
import { cleanPrograms, leaks } from "./cases.ts";

const before = 'const r = await tools.get_secret({ name: "k" }); const s = r.value;\n';

async function run(source: string): Promise<ProgramResult> {
  return await runProgram(before + source, { tools: escapeTools(), labels: escapeLabels });
}

describe("the value carries the label of the secret that decided it", () => {
  test.each(leaks)("%s", async (_name, source) => {
    const result = await run(source);
    expect(result.ok || result.error.kind).not.toBe("internal");
    expect(result.labels).toContain("secret");
  });
});

describe("what no branch touched stays clean", () => {
  test.each(cleanPrograms)("%s", async (_name, source) => {
    const result = await run(source);
    expect(result.ok).toBe(true);
    expect(result.labels).toEqual([]);
  });
});

test("labels by JSON Pointer hold for what lies below, and for nothing beside", async () => {
  const labels = (): Record<string, string[]> => ({ "/mail/body": ["untrusted"], "/mail/from": ["private"] });
  const tools = { read: async () => ({ mail: { from: "a", body: { text: "b" } }, id: 7 }), send: async () => null };
  const source = "const { mail, id } = await tools.read({}); await tools.send({ to: mail.from, text: mail.body.text, id }); return id;";
  const result = await runProgram(source, { tools, labels });
  expect(result.calls[1]?.inputLabels).toEqual({ "/to": ["private"], "/text": ["untrusted"] });
  expect(result.calls[1]?.labels).toEqual(["private", "untrusted"]);
  expect(result.labels).toEqual([]);
});

test("a result takes the labels of the input, unless the tool releases them", async () => {
  const source = "const { value } = await tools.get_secret({}); return (await tools.echo({ text: value, n: 1 })).n;";
  const options = { tools: escapeTools(), labels: escapeLabels };
  expect((await runProgram(source, options)).labels).toEqual(["secret"]);
  expect((await runProgram(source, { ...options, releases: ["echo"] })).labels).toEqual([]);
});

test("a failed program carries the labels of its message", async () => {
  const result = await run('throw new Error("it is " + s);');
  expect(result).toMatchObject({ ok: false, labels: ["secret"], error: { kind: "thrown" } });
});

test("a program that awaits without an end carries the label of what led it there", async () => {
  const result = await run("if (s.length > 0) await new Promise(() => {}); return 1;");
  expect(result).toMatchObject({ ok: false, labels: ["secret"], error: { kind: "thrown" } });
});
