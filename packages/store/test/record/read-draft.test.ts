import { describe, expect, it } from "vitest";
import type { Breadcrumb, BreadcrumbDraft } from "../../src/record/breadcrumb.ts";
import { copyJson } from "../../src/record/copy-json.ts";
import { checkStoreFields, readAgent, readDraft, readId, readName, readVersion } from "../../src/record/read-draft.ts";

const limits = { maxContextBytes: 1_000 } as Parameters<typeof readDraft>[1];
const draft = { schema_name: "note.v1", title: "A note", tags: ["a"], context: { text: "x" } };
const read = (more: object) => readDraft({ ...draft, ...more } as BreadcrumbDraft, limits);

describe("a draft of a record", () => {
  it("is read with every default filled in", () => {
    expect(readDraft({ schema_name: "note.v1", context: {} } as BreadcrumbDraft, limits)).toEqual({
      schema_name: "note.v1",
      title: "",
      tags: [],
      context: {},
      visibility: "team",
      sensitivity: "low",
    });
    expect(read({ schema_name: "tool.config.v1" }).visibility).toBe("private");
    const full = { visibility: "public", sensitivity: "pii", semantic_version: "1.0", grants: { eve: "read", bob: "write" } };
    expect(read(full)).toMatchObject(full);
    expect(read({ ttl: { reads: 5 } }).ttl).toEqual({ reads: 5 });
  });

  it("has the names of Toolrack in a definition, and its own elsewhere", () => {
    const context = { name: "echo", input_schema: { type: "object" } };
    expect(read({ context }).context).toEqual(context);
    expect(read({ schema_name: "tool.definition.v1", context }).context).toHaveProperty("inputSchema");
  });

  it.each<[more: unknown, message: string]>([
    [{ colour: "red" }, 'A record has no field "colour". Put your own data into context.'],
    [
      { checksum: "x" },
      "checksum is written by the store. Leave it out, or give the version of the record that you read and want to replace.",
    ],
    [{ schema_name: "" }, 'schema_name "" must be 1 to 128 of the characters'],
    [{ title: 5 }, "title must be a text of at most"],
    [{ title: "x".repeat(100_000) }, "title must be a text of at most"],
    [{ title: "a\0" }, "The record at title contains the character U+0000."],
    [{ semantic_version: 1 }, "semantic_version must be a text."],
    [{ semantic_version: "a\ud800" }, "The record at semantic_version contains half a surrogate pair"],
    [{ visibility: "all" }, 'visibility must be one of private, team, public, not "all".'],
    [{ sensitivity: 5 }, "sensitivity must be one of low, pii, secret, not (number)."],
    [{ grants: [] }, "grants must be an object of at most 100 agents."],
    [
      { grants: Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`a${index}`, "read"])) },
      "grants must be an object of at most 100 agents.",
    ],
    [{ grants: { eve: "own" } }, 'grants.eve must be one of read, write, not "own".'],
    [{ grants: { "": "read" } }, 'The agent in grants "" must be'],
    [{ context: [] }, "context must be a plain object."],
  ])("is refused by the field that is wrong: %#", (more, message) => {
    expect(() => read(more as object)).toThrow(expect.objectContaining({ code: "RECORD_INVALID" }));
    expect(() => read(more as object)).toThrow(message);
  });

  it("must be an object, and its context within the limit", () => {
    for (const none of [null, [], "x"]) expect(() => readDraft(none as never, limits)).toThrow("A record must be an object");
    expect(() => read({ context: { text: "x".repeat(1_000) } })).toThrow(expect.objectContaining({ code: "RECORD_TOO_LARGE" }));
    expect(() => read({ grants: Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`a${index}`, "read"])) })).not.toThrow();
  });

  it("may be a record as it was read, if nothing of the store's was changed", () => {
    const added = {
      owner: "acme",
      checksum: "c",
      created_at: "t1",
      created_by: "ada",
      updated_at: "t2",
      updated_by: "bob",
      updated_agent: "agent",
      updated_as: "curator",
      decision: { decision: "approved" },
    };
    const stored = { ...draft, ...added, id: "r1", version: 2 } as unknown as Breadcrumb;
    expect(read({ ...added, version: 2 })).not.toHaveProperty("checksum");
    expect(() => checkStoreFields(structuredClone(stored), stored)).not.toThrow();
    expect(() => checkStoreFields(draft as BreadcrumbDraft, stored)).not.toThrow();
    for (const field of Object.keys(added)) {
      expect(() => read({ [field]: "x" }), field).toThrow(`${field} is written by the store. Leave it out`);
      expect(() => checkStoreFields({ ...stored, [field]: "other" } as Breadcrumb, stored), field).toThrow(
        `${field} is written by the store and cannot be changed.`,
      );
    }
  });
});

describe("names", () => {
  it.each<[what: string, read: (value: unknown) => unknown, good: readonly unknown[], bad: readonly unknown[]]>([
    ["ids", readId, ["a", "A1._:@/+~-", "x".repeat(256)], ["", "-a", "a b", "é", "x".repeat(257), 5, undefined, "a\n"]],
    ["names", (value) => readName(value, "owner"), ["a", "A1._:@-", "x".repeat(128)], ["", ".a", "a/b", "x".repeat(129), 5, null]],
    [
      "agents",
      (value) => readAgent(value, "agent"),
      ["a", "token https://login.example.com/ auth0|42", "Zoë", "日本", "a\u200db", "x".repeat(1_024)],
      ["", " a", "a\nb", "a\u202eb", "a\u2028b", "x".repeat(1_025), 5, undefined],
    ],
    ["versions", readVersion, [1, Number.MAX_SAFE_INTEGER], [0, -1, 1.5, "1", Number.NaN, 2 ** 53, undefined]],
  ])("of %s", (_what, readOne, good, bad) => {
    for (const value of good) expect(readOne(value)).toBe(value);
    for (const value of bad) expect(() => readOne(value), String(value)).toThrow(expect.objectContaining({ code: "RECORD_INVALID" }));
  });

  it("that are wrong are shown in part, and other values by their type", () => {
    expect(() => readName("!".repeat(100), "owner")).toThrow(`owner "${"!".repeat(80)}" must be 1 to 128`);
    expect(() => readId(5)).toThrow("The id (number) must be 1 to 256");
    expect(() => readAgent("", "agent")).toThrow('agent "" must be 1 to 1024 printable characters');
    expect(() => readVersion("2")).toThrow('version "2" must be the whole number of the revision to replace.');
  });
});

describe("a copy of JSON", () => {
  const copy = (value: unknown, maxBytes = 10_000) => copyJson(value, "It", maxBytes);
  const nest = (levels: number, inside: unknown = 1): unknown => (levels === 0 ? inside : { a: nest(levels - 1, inside) });

  it("has the same values, frozen in depth, and nothing that was undefined", () => {
    const value = JSON.parse('{"a":[1,"x",null,true,{"b":[]}],"__proto__":{"c":1.5},"d":-0.1}') as object;
    const copied = copy({ ...value, ["__proto__"]: 1, gone: undefined });
    expect(JSON.stringify(copy(value))).toBe(JSON.stringify(value));
    expect(copied).not.toHaveProperty("gone");
    expect([copied, copied["a"], (copied["a"] as unknown[])[4]].map((part) => Object.isFrozen(part))).toEqual([true, true, true]);
    expect(copy({ list: [undefined, 1] })).toEqual({ list: [null, 1] });
    expect(copy(Object.assign(Object.create(null) as object, { a: 1 }))).toEqual({ a: 1 });
  });

  it.each<[value: unknown, message: string]>([
    [null, "It must be a plain object."],
    [5, "It must be a plain object."],
    [new Map(), "It must be a plain object."],
    [{ a: new Date() }, "It at a must be a plain object."],
    [{ a: { b: () => 1 } }, "It at a.b is a function, which JSON cannot hold. Write it as text."],
    [{ a: [1n] }, "It at a.0 is a bigint"],
    [{ a: Number.NaN }, "It at a is NaN, which JSON cannot hold."],
    [{ a: -Infinity }, "It at a is -Infinity"],
    [{ a: 2 ** 53 }, "It at a is a whole number beyond 2^53"],
    [{ a: -(2 ** 53) }, "It at a is a whole number beyond 2^53"],
    [{ a: "\ud800" }, "It at a contains half a surrogate pair"],
    [{ a: { "\udc00": 1 } }, "It at a contains half a surrogate pair"],
    [{ a: "b\0" }, "It at a contains the character U+0000."],
    [{ "b\0": 1 }, "It contains the character U+0000."],
  ])("is refused where something would be lost: %#", (value, message) => {
    expect(() => copy(value)).toThrow(expect.objectContaining({ code: "RECORD_INVALID" }));
    expect(() => copy(value)).toThrow(message);
  });

  it("takes numbers that every reader reads the same", () => {
    const numbers = [2 ** 53 - 1, -(2 ** 53 - 1), 1e21, 1.5, 5e-324];
    expect(copy({ numbers })).toEqual({ numbers });
    expect(copy({ pair: "\ud83d\ude00" })).toEqual({ pair: "😀" });
  });

  it("is limited in depth and size", () => {
    expect(() => copy(nest(64))).not.toThrow();
    expect(() => copy(nest(66))).toThrow("It at a.a.a is circular, or nested more than 64 deep.");
    const circular: Record<string, unknown> = {};
    circular["a"] = [circular];
    expect(() => copy(circular)).toThrow("is circular");
    const list: unknown[] = [];
    list.push(list);
    expect(() => copy({ list })).toThrow("is circular");
    for (const [value, size] of [
      [{ a: "é" }, 4 + 4],
      [{ a: true }, 4 + 5],
      [{ a: 1 }, 4 + 8],
      [{ a: null }, 4 + 2],
      [{ a: [] }, 4 + 2],
      [{ a: {} }, 4 + 2],
    ] as const) {
      expect(() => copy(value, size), JSON.stringify(value)).not.toThrow();
      expect(() => copy(value, size - 1), JSON.stringify(value)).toThrow(
        `It is larger than ${size - 1} bytes. Keep large data elsewhere and store a reference.`,
      );
    }
  });
});
