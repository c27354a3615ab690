import type { CallContext } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { changedSettings, refuseLiteralSecrets } from "../../src/config/marks.ts";
import { missingSettings } from "../../src/config/configs.ts";
import type { Breadcrumb } from "../../src/record/breadcrumb.ts";
import { toolFromRecord } from "../../src/tools/from-record.ts";
import type { ImplementationKind } from "../../src/tools/kinds/kind.ts";

const given: unknown[] = [];
const echo = {
  createHandler: (...arguments_: unknown[]) => (given.push(arguments_), (input: unknown) => input),
  secrets: () => ["KIND", "OWN"],
} as unknown as ImplementationKind;
const local = { createHandler: () => () => "local" } as unknown as ImplementationKind;
const kinds = new Map([
  ["echo", echo],
  ["local", local],
]);
const context = { name: "tell", description: "Tells.", inputSchema: { type: "object" }, implementation: { kind: "echo" } };
const record = (more: object = {}, rest: object = {}): Breadcrumb =>
  ({ title: "", tags: ["a"], context: { ...context, ...more }, updated_at: "2026-01-02T03:04:05.000Z", ...rest }) as unknown as Breadcrumb;

describe("a definition as a tool", () => {
  it("has what the definition says, and the secrets of its kind", () => {
    const full = toolFromRecord(
      record({ version: "1.0.0", outputSchema: { type: "object" }, secrets: ["OWN", "OTHER"] }, { title: "Tell" }),
      kinds,
    );
    expect(full).toMatchObject({
      name: "tell",
      title: "Tell",
      description: "Tells.",
      version: "1.0.0",
      inputSchema: { type: "object" },
      outputSchema: { type: "object" },
    });
    expect(full.metadata).toEqual({ tags: ["a"], secrets: ["OWN", "OTHER", "KIND"] });
    const plain = toolFromRecord(record({ implementation: "none" }), kinds);
    expect([plain.title, plain.version, plain.outputSchema, plain.metadata]).toEqual([undefined, undefined, undefined, { tags: ["a"] }]);
    expect(plain.handler({}, {} as CallContext)).toBe("local");
    const one = record();
    toolFromRecord(one, kinds);
    expect(given.at(-1)).toEqual([{ kind: "echo" }, one]);
  });

  it("has every field of its metadata", () => {
    const metadata = {
      category: "web",
      optionality: "optional",
      usageHint: "Use it.",
      examples: [{ description: "One.", input: {} }],
      requiresCapabilities: ["git"],
      ownerOnly: true,
      groups: ["web"],
      profiles: ["coding"],
      models: ["gpt-*"],
      paths: ["path"],
      produces: ["file"],
      consumes: ["file"],
      configSchema: { type: "object" },
      annotations: { readOnly: true },
      limits: { timeoutMs: 5 },
      needs: { memoryMb: 5 },
      aliases: { file: "path" },
    };
    for (const [field, value] of Object.entries(metadata)) {
      const read = toolFromRecord(record({ [field]: value, implementation: undefined }), kinds).metadata;
      expect(read, field).toEqual({ tags: ["a"], [field]: value });
    }
    expect(toolFromRecord(record({ colour: "red" }), kinds).metadata).not.toHaveProperty("colour");
  });

  it("is deprecated as its decision says, else as it says itself, else since it was written", () => {
    const deprecatedOf = (more: object, rest: object = {}) =>
      toolFromRecord(record({ state: "deprecated", ...more }, rest), kinds).metadata?.deprecated;
    expect(deprecatedOf({})).toEqual({ since: "2026-01-02" });
    expect(deprecatedOf({ deprecated: { since: "2.0.0", successor: "new" } })).toEqual({ since: "2.0.0", successor: "new" });
    expect(toolFromRecord(record({ deprecated: { since: "2.0.0" } }), kinds).metadata).not.toHaveProperty("deprecated");
  });

  it("cannot be made of a kind that does not run here", () => {
    expect(() => toolFromRecord(record({ implementation: { kind: "wasm" } }), kinds)).toThrow(
      expect.objectContaining({
        code: "DEFINITION_INVALID",
        message: 'Tool "tell": implementations of kind "wasm" cannot run here. Known are echo, local.',
      }),
    );
  });

  it("does not run until its configuration is complete", () => {
    const configSchema = { type: "object", required: ["url", "key"], properties: { url: { type: "string" }, key: { type: "string" } } };
    const { handler } = toolFromRecord(record({ configSchema }), kinds);
    const call = (config: unknown) => () => handler({ a: 1 }, { config } as CallContext);
    expect(call({ url: "u", key: "k" })()).toEqual({ a: 1 });
    expect(call({ url: "u" })).toThrow('Tool "tell" needs configuration: key is not set. Save the configuration, then call again.');
    for (const none of [undefined, "x", {}]) expect(call(none)).toThrow("needs configuration: url, key are not set.");
  });
});

describe("settings", () => {
  it("are missing where they are required, not saved and without a default", () => {
    const schema = { required: ["model", "url", "toString"], properties: { url: { default: undefined }, other: {} } };
    expect(missingSettings(schema, undefined)).toEqual(["model", "toString"]);
    expect(missingSettings(schema, { model: undefined as never })).toEqual(["toString"]);
    expect([missingSettings(undefined, {}), missingSettings({ required: "model" } as never, {}), missingSettings({}, {})]).toEqual([
      [],
      [],
      [],
    ]);
    expect(missingSettings({ required: ["a"], properties: { a: undefined } } as never, {})).toEqual(["a"]);
  });

  const admin = { "x-toolrack-admin": true, type: "string" };
  const marked = {
    properties: {
      url: admin,
      plain: { type: "string" },
      list: { items: { properties: { to: admin } } },
      deep: { properties: { url: admin } },
    },
    additionalProperties: { properties: { base: admin } },
  };

  it("with a mark are found at every depth, and compared by their values", () => {
    const before = { url: "a", plain: "x", list: [{ to: "1" }, { to: "2" }], deep: { url: "d" }, more: { base: "b" } };
    const changed = (after: object) => changedSettings(marked, "x-toolrack-admin", before, after as never);
    expect(changed(structuredClone(before))).toEqual([]);
    expect(changed({ ...before, plain: "y" })).toEqual([]);
    expect(changed({ ...before, url: "b", list: [{ to: "1" }, { to: "3" }], more: { base: "c" } })).toEqual([
      "url",
      "list[1].to",
      "more.base",
    ]);
    expect(changed({})).toEqual(["url", "list[0].to", "list[1].to", "deep.url", "more.base"]);
    expect(changedSettings(marked, "x-toolrack-admin", {}, { deep: { url: "x" } })).toEqual(["deep.url"]);
    expect(changedSettings(marked, "x-toolrack-secret", before, {})).toEqual([]);
    expect(
      changedSettings({ properties: { url: { ...admin, "x-toolrack-admin": "yes" } } } as never, "x-toolrack-admin", { url: "a" }, {}),
    ).toEqual([]);
  });

  it("that take the name of a secret refuse the secret itself, and do not repeat it", () => {
    const schema = {
      properties: { key: { "x-toolrack-secret": true, default: "secret:API_KEY" }, other: { "x-toolrack-secret": true, default: "none" } },
    };
    expect(() => refuseLiteralSecrets("tell", schema, { key: "secret:x" })).not.toThrow();
    expect(() => refuseLiteralSecrets("tell", schema, { key: "s3cret" })).toThrow(
      expect.objectContaining({
        code: "CONFIG_INVALID",
        message:
          'The setting "key" of "tell" takes the name of a secret, not the secret itself. Set the secret with `toolrack secrets set API_KEY`, then write secret:API_KEY here.',
      }),
    );
    for (const value of ["secret:", 5, ["secret:x"]])
      expect(() => refuseLiteralSecrets("tell", schema, { other: value as never })).toThrow("secret:NAME");
  });
});
