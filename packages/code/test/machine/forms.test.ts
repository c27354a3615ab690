import { expect, test } from "vitest";
import { compileSource } from "../../src/program/prepare.ts";
import { Session } from "../../src/program/session.ts";
import type { Unit } from "../../src/compile/code.ts";
import { escapeCases, programCases } from "../support/cases.ts";

const toolNames = ["get_secret", "read_mail", "get_public", "echo", "send", "find"];
const labels = { get_secret: ["secret"], read_mail: ["untrusted"] };

test("objects of the machine have one form, whatever programs do: the host runs programs slowly otherwise", () => {
  const forms = new Map<string, Set<string>>();
  const sources = [
    ...programCases().programs.map(({ source }) => source),
    ...escapeCases().flatMap(({ about, source }) => (about === "limit" ? [] : [source])),
  ];
  for (const tracked of [false, true]) {
    for (const source of sources) {
      const unit = compileSource(source, tracked);
      if (Array.isArray(unit)) continue;
      const session = new Session({ unit: unit as Unit, tools: toolNames, labelNames: [], seed: 1 }, tracked ? { labels } : {});
      session.begin();
      for (let round = 0; round < 3 && session.advance(2_000) !== "done"; round++) {
        noteForms(session.machine, forms);
        for (const { callId, tool } of session.takeCalls())
          session.answer(
            tool === "send" ? { callId, error: { message: "no" } } : { callId, result: { n: 42, list: ["b", "a"], flag: true } },
          );
      }
      noteForms(session.machine, forms);
    }
  }
  expect([...forms.keys()]).toEqual(expect.arrayContaining(["Machine", "Frame", "Env", "ObjectValue", "ArrayValue", "FunctionValue"]));
  expect([...forms].filter(([, lists]) => lists.size > 1).map(([name, lists]) => [name, [...lists]])).toEqual([]);
});

/** Notes which fields the objects of each class have, and in which order, for all that can be reached. */
function noteForms(root: object, forms: Map<string, Set<string>>): void {
  const seen = new Set<object>([root]);
  for (const object of seen) {
    const name = (Object.getPrototypeOf(object) as object | null)?.constructor.name ?? "Object";
    if (!plain.has(name)) forms.set(name, (forms.get(name) ?? new Set()).add(Object.keys(object).join(" ")));
    const values =
      object instanceof Map ? [...object.keys(), ...object.values()] : object instanceof Set ? [...object] : Object.values(object);
    for (const value of values as unknown[]) if (typeof value === "object" && value !== null && !isOfProgram(value)) seen.add(value);
  }
}

const plain = new Set(["Object", "Array", "Map", "Set"]);

/** What is the same for all programs of one source. */
function isOfProgram(value: object): boolean {
  return "regions" in value || "plainParams" in value || "preludeFunction" in value || value instanceof Int32Array;
}
