import { describe, expect, it } from "vitest";
import { blogAgentBundle, codeAgentBundle, defineBundle, type ToolBundle } from "../../src/tool/bundle.ts";

describe("bundles", () => {
  it("name the tools that an agent must have and those that it may have", () => {
    expect(codeAgentBundle).toMatchObject({ name: "code_agent", required: ["file", "code_edit", "search", "navigate", "git"] });
    expect(blogAgentBundle).toMatchObject({ name: "blog_agent", required: [], optional: expect.arrayContaining(["rss_feed"]) });
  });

  it.each<[field: string, bundle: unknown]>([
    ["name", { required: [], optional: [], description: "" }],
    ["description", { name: "mine", required: [], optional: [] }],
    ["required", { name: "mine", description: "", required: "read", optional: [] }],
    ["optional", { name: "mine", description: "", required: [], optional: [1] }],
  ])("with a wrong %s are refused by that field", (field, bundle) => {
    expect(() => defineBundle(bundle as ToolBundle)).toThrow(
      expect.objectContaining({ code: "BUNDLE_INVALID", message: expect.stringContaining(`"${field}" must be `) }),
    );
  });

  it("with an unknown field, or that are no object, are refused", () => {
    const bundle = { name: "mine", description: "", required: [], optional: [], reqired: ["read"] };
    expect(() => defineBundle(bundle)).toThrow('Bundle "mine" has the unknown field "reqired". Did you mean "required"?');
    expect(() => defineBundle(undefined as unknown as ToolBundle)).toThrow("A bundle must be an object with name, description");
  });

  it("are frozen copies of what they were made from", () => {
    const required = ["read"];
    const bundle = defineBundle({ name: "mine", description: "My own.", required, optional: [] });
    required.push("write");
    expect(bundle.required).toEqual(["read"]);
    expect([bundle, bundle.required, bundle.optional].every(Object.isFrozen)).toBe(true);
  });
});
