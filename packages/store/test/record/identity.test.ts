import { describe, expect, it } from "vitest";
import type { BreadcrumbDraft, Content, JsonObject } from "../../src/record/breadcrumb.ts";
import { checkShape } from "../../src/record/check-shape.ts";
import { contentChecksum, contextText, isSettled, settleContext } from "../../src/record/context-text.ts";
import { decisionOn, definitionHash } from "../../src/record/decision.ts";
import { idOf, identityOf } from "../../src/record/identity.ts";
import { hashText, jsonEquals } from "../../src/record/json.ts";
import { readModelView, viewContext } from "../../src/record/model-view.ts";
import { isApprovedSeen, isSeen, upstreamOf } from "../../src/record/seen.ts";
import { termsOf, toTerms } from "../../src/record/terms.ts";

const content = (more: Partial<Content> = {}): Content =>
  ({ schema_name: "note.v1", title: "A title", tags: [], visibility: "team", sensitivity: "low", context: {}, ...more }) as Content;

/** A context that counts how often it is read. */
function counting(context: JsonObject): { readonly context: JsonObject; readonly reads: () => number } {
  let reads = 0;
  const watched = new Proxy(context, { ownKeys: (target) => (reads++, Reflect.ownKeys(target)) });
  return { context: watched, reads: () => reads };
}

describe("what a record is", () => {
  const identity = (schema_name: string, context: JsonObject) => identityOf({ schema_name, context });

  it("is the name and version of a definition, the tool of a configuration, and nothing beside the id of others", () => {
    expect(identity("tool.definition.v1", { name: "random", version: "1.0.0" })).toBe("tool.definition.v1|random|1.0.0");
    expect(identity("tool.definition.v1", { name: "random" })).toBe("tool.definition.v1|random|");
    const upstream = { source: "packs", identity: "i", name: "own" };
    expect(identity("tool.definition.v1", { name: "random", version: "1", upstream })).toBe("tool.definition.v1|random|1|packs|i|own");
    expect(identity("tool.config.v1", { tool: "x", name: "y" })).toBe("tool.config.v1|x|");
    expect(identity("note.v1", { name: "x" })).toBeUndefined();
  });

  it("has the id that its author chose, else one of its name, else a new one", () => {
    const id = (more: Partial<BreadcrumbDraft>) => idOf({ schema_name: "note.v1", title: "t", context: {}, ...more } as BreadcrumbDraft);
    expect(id({ id: "mine", schema_name: "tool.definition.v1" })).toBe("mine");
    expect(id({ schema_name: "tool.definition.v1", context: { name: "random" } })).toBe("tool-def-random");
    expect(id({ schema_name: "tool.config.v1", context: { tool: "random" } })).toBe("tool-config-random");
    expect(id({})).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    expect(id({})).not.toBe(id({}));
    expect(() => id({ id: "a b" })).toThrow(expect.objectContaining({ code: "RECORD_INVALID" }));
  });

  it("was seen where the server wrote it under such an id, and is approved where it says so", () => {
    expect(isSeen({ id: "tool-seen-x", created_by: "toolrack-server" })).toBe(true);
    expect([isSeen({ id: "tool-seen-x", created_by: "ann" }), isSeen({ id: "x", created_by: "toolrack-server" })]).toEqual([false, false]);
    const upstream = { source: "packs" };
    expect([upstreamOf({ context: { upstream } }), upstreamOf({ context: {} }), upstreamOf({})]).toEqual([upstream, undefined, undefined]);
    expect([true, false, undefined].map((approved) => isApprovedSeen({ context: { upstream: { approved } } }))).toEqual([
      true,
      false,
      false,
    ]);
    expect(isApprovedSeen({ context: {} })).toBe(false);
  });
});

describe("the hash of a definition", () => {
  const context = { name: "a", description: "b" };
  const expected = (text: string, title: string) => hashText(`{"content":${text},"title":${JSON.stringify(title)}}`);

  it("is of its title and its context, without what states its lifecycle", () => {
    const text = '{"description":"b","name":"a"}';
    expect(definitionHash({ title: "t", context })).toBe(expected(text, "t"));
    expect(definitionHash({ context })).toBe(expected(text, ""));
    for (const more of [{ state: "draft" }, { review: {} }, { deprecated: true }, { state: 1, review: 2, deprecated: 3 }])
      expect(definitionHash({ title: "t", context: { ...context, ...more } })).toBe(expected(text, "t"));
    expect(definitionHash({ title: "t", context: { ...context, more: 1 } })).toBe(expected('{"description":"b","more":1,"name":"a"}', "t"));
  });

  it("of a context that nobody can change is made once for each title", () => {
    const { context: settled, reads } = counting({ name: "a", state: "draft" });
    settleContext(settled);
    const first = definitionHash({ title: "t", context: settled });
    const after = reads();
    expect([definitionHash({ title: "t", context: settled }), reads()]).toEqual([first, after]);
    expect(definitionHash({ title: "u", context: settled })).toBe(expected('{"name":"a"}', "u"));
    const changing: Record<string, unknown> = { name: "a" };
    const before = definitionHash({ title: "t", context: changing });
    changing["name"] = "b";
    expect(definitionHash({ title: "t", context: changing })).not.toBe(before);
  });

  it("binds a decision to what was decided about", () => {
    const decision = { decision: "approved", hash: definitionHash({ title: "t", context }) } as never;
    expect(decisionOn({ title: "t", context, decision })).toBe(decision);
    expect(decisionOn({ title: "u", context, decision })).toBeUndefined();
    expect(decisionOn({ title: "t", context } as never)).toBeUndefined();
  });
});

describe("the text of a context", () => {
  it("is canonical, and put together once where nobody can change it", () => {
    expect(contextText({ b: 1, a: 2 })).toBe('{"a":2,"b":1}');
    const { context, reads } = counting({ b: 1, a: 2 });
    expect([isSettled(context), settleContext(context) === context, isSettled(context)]).toEqual([false, true, true]);
    expect(contextText(context)).toBe('{"a":2,"b":1}');
    const after = reads();
    expect([contextText(context), reads() - after]).toEqual(['{"a":2,"b":1}', 0]);
    const changing: Record<string, unknown> = { a: 1 };
    contextText(changing);
    changing["a"] = 2;
    expect(contextText(changing)).toBe('{"a":2}');
  });

  it("is part of the checksum of what an author wrote", () => {
    const one = content({ context: { b: 1 }, tags: ["x"] });
    expect(contentChecksum(one)).toBe(
      hashText('{"context":{"b":1},"schema_name":"note.v1","sensitivity":"low","tags":["x"],"title":"A title","visibility":"team"}'),
    );
  });

  it("is equal to another one whatever the order of its keys", () => {
    expect(jsonEquals({ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 })).toBe(true);
    for (const [one, other] of [
      [{ a: 1 }, { a: 2 }],
      [{ a: 1 }, { a: 1, b: 1 }],
      [
        [1, 2],
        [2, 1],
      ],
      [null, {}],
      ["1", 1],
    ])
      expect(jsonEquals(one, other)).toBe(false);
  });
});

describe("the words of a record", () => {
  it("are letters and digits without case and accents, each once", () => {
    expect(toTerms("Café-Suche readFile2 CAFE")).toEqual(["cafe", "suche", "readfile2"]);
    expect(toTerms("Read_file 2\tread\nx-1")).toEqual(["read", "file", "2", "x", "1"]);
    expect(toTerms("日本 ①")).toEqual(["日本", "1"]);
    expect([toTerms(""), toTerms("é".normalize("NFD")), toTerms("-–-")]).toEqual([[], ["e"], []]);
  });

  it("are cut at 64 characters, and at most a thousand", () => {
    expect(toTerms(`${"x".repeat(64)} ${"y".repeat(65)}`)).toEqual(["x".repeat(64), "y".repeat(64)]);
    const many = Array.from({ length: 1_001 }, (_, index) => `w${index}`).join(" ");
    expect([toTerms(many).length, toTerms(many, 3), toTerms(many, Number.POSITIVE_INFINITY).length]).toEqual([
      1_000,
      ["w0", "w1", "w2"],
      1_001,
    ]);
  });

  it("come from its tags, its id, its title and the texts and keys of its context", () => {
    const context = { key: "value", list: ["first", { inner: "second" }], number: 5, nothing: null };
    expect(termsOf("my-id", content({ tags: ["tool:x"], context }))).toEqual(
      "tool x my id a title key value list first inner second number nothing".split(" "),
    );
    expect(termsOf("i", content({ sensitivity: "secret", tags: ["t"], context }))).toEqual(["t", "i", "a", "title"]);
  });

  it("leave out where a served tool comes from, at its place alone", () => {
    const context = { upstream: { source: "hidden" }, inner: { upstream: "shown" } };
    expect(termsOf("i", content({ schema_name: "tool.definition.v1", context }))).toEqual([
      "i",
      "a",
      "title",
      "inner",
      "upstream",
      "shown",
    ]);
    expect(termsOf("i", content({ context }))).toContain("hidden");
  });

  it("have all those of the tags, and of the rest those within its first 65,536 characters and 4,001 parts", () => {
    const tags = Array.from({ length: 1_100 }, (_, index) => `t${index}`);
    expect(termsOf("i", content({ tags })).length).toBe(1_103);
    const text = (length: number) => termsOf("i", content({ title: `${"-".repeat(length)} end` }));
    expect([text(65_536 - 6), text(65_536 - 5)]).toEqual([
      ["i", "end"],
      ["i", "en"],
    ]);
    const list = (count: number) => [...Array.from({ length: count }, () => "-"), "end"];
    expect(termsOf("i", content({ context: list(3_998) as never }))).toContain("end");
    expect(termsOf("i", content({ context: list(3_999) as never }))).not.toContain("end");
  });
});

describe("the shape of a record", () => {
  it("is that of its schema, anything for others, and no catalog", () => {
    expect(() => checkShape(content({ context: { any: 1 } }))).not.toThrow();
    expect(() => checkShape(content({ schema_name: "tool.catalog.v1" }))).toThrow(
      expect.objectContaining({
        code: "RECORD_INVALID",
        message: "The catalog is derived from the definitions and cannot be written. Write a definition instead.",
      }),
    );
    for (const schema_name of ["tool.definition.v1", "tool.config.v1"])
      expect(() => checkShape(content({ schema_name }))).toThrow(
        expect.objectContaining({
          code: "RECORD_INVALID",
          message: expect.stringMatching(`^The context is not a valid ${schema_name}: .`),
        }),
      );
  });
});

describe("a view for models", () => {
  const read = (view: unknown) => readModelView(view, "v");

  it("has at most a hundred paths and keys, and paths of 512 characters", () => {
    const paths = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`);
    const rules = (count: number) => Object.fromEntries(paths(count).map((key) => [key, { literal: 1 }]));
    for (const name of ["include", "exclude"]) {
      expect(read({ [name]: paths(100) })).toEqual({ [name]: paths(100) });
      expect(() => read({ [name]: paths(101) })).toThrow(`v.${name} must be a list of at most 100 paths, such as "customer.name".`);
      expect(() => read({ [name]: [5] })).toThrow(`v.${name} must be`);
    }
    expect(() => read({ include: ["x".repeat(512)] })).not.toThrow();
    expect(() => read({ include: ["x".repeat(513)] })).toThrow("v.include must be");
    for (const key of ["__proto__", "prototype", "constructor"]) expect(() => read({ include: [`a.${key}`] })).toThrow("v.include must be");
    expect(() => read({ transform: rules(100) })).not.toThrow();
    expect(() => read({ transform: rules(101) })).toThrow("v.transform must be an object of at most 100 keys.");
    expect(() => read({ transform: [] })).toThrow("v.transform must be an object of at most 100 keys.");
  });

  it("says which rule is wrong, and how", () => {
    for (const [rule, message] of [
      [5, "v.transform.a must have one of template, extract and literal."],
      [{ template: "x", literal: 1 }, "v.transform.a must have one of template, extract and literal."],
      [{ template: 5 }, 'v.transform.a.template must be a text, such as "{customer.name} owes {total}".'],
      [
        { template: "a {}" },
        "v.transform.a.template has a brace at character 3 that encloses no path. Write {{ and }} for braces, and {a.b} for values.",
      ],
      [{ extract: 5 }, 'v.transform.a.extract must be a path, such as "customer.name".'],
      [{ jq: 1 }, 'v.transform.a has no rule "jq". Use template, extract or literal.'],
    ] as const)
      expect(() => read({ transform: { a: rule } })).toThrow(message);
    expect(() => read({ mode: "merge", transform: { a: { template: "{{x}} {a.b}" } } })).not.toThrow();
    expect(() => read(5)).toThrow("v must be an object: { include, exclude, transform, mode }.");
    expect(() => read({ other: 1 })).toThrow('v has no field "other". It has include, exclude, transform and mode.');
    expect(() => read({ mode: "hide" })).toThrow("v.mode must be merge or replace.");
  });

  it("shows values below one key together, and no list for an object", () => {
    const context = { a: { b: 1, c: { d: 2, e: 3 } }, list: [1], text: "t" };
    expect(viewContext(context, { include: ["a.b", "a.c.d", "list.0", "text.length"] })).toEqual({
      a: { b: 1, c: { d: 2 } },
      list: { 0: 1 },
    });
    const shown = viewContext(context, { include: ["a"] }) as { a: { b: number } };
    shown.a.b = 9;
    expect(context.a.b).toBe(1);
    expect(viewContext(context, { exclude: ["text.x", "none.x", "a.c.d"] })).toEqual({ ...context, a: { b: 1, c: { e: 3 } } });
    expect(() => viewContext(context, { transform: { k: { extract: "a.none" } } })).toThrow(
      expect.objectContaining({
        code: "VIEW_FAILED",
        message: 'The view for models needs "a.none" for "k", and the record has no such value. Mend the view, or the record.',
      }),
    );
  });
});
