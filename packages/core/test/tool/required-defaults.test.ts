import { createRegistry, defineTool } from "@toolrack/core";
import { validateValue } from "@toolrack/json-schema";
import { describe, expect, it } from "vitest";

const inputSchema = {
  type: "object",
  properties: {
    repo: { type: "string" },
    perPage: { type: "integer", default: 30 },
    filter: {
      type: "object",
      properties: { state: { type: "string", default: "open" }, by: { type: "string" } },
      required: ["state"],
    },
    wrong: { type: "integer", default: "ten" },
  },
  required: ["repo", "perPage"],
};

const registry = createRegistry();
registry.register(defineTool({ name: "list", description: "Lists.", inputSchema: inputSchema as object, handler: (got) => ({ got }) }));
const got = async (input: object): Promise<unknown> => {
  const result = await registry.invoke("list", input);
  return result.ok ? (result.data as { got: unknown }).got : result;
};

describe("a required property that has a default", () => {
  it("is filled in before the input of a tool is checked, at any depth", async () => {
    expect(await got({ repo: "a" })).toEqual({ repo: "a", perPage: 30 });
    const filter = { by: "me" };
    expect(await got({ repo: "a", perPage: 5, filter })).toEqual({ repo: "a", perPage: 5, filter: { by: "me", state: "open" } });
  });

  it("does not hide what else is wrong, and is not called missing", async () => {
    const refused = await got({ filter: { state: 5 } });
    expect(refused).toMatchObject({ ok: false, code: "INPUT_INVALID" });
    const { issues, error } = refused as { issues: readonly { keyword: string }[]; error: string };
    expect(issues.map(({ keyword }) => keyword).toSorted()).toEqual(["required", "type"]);
    expect(error).not.toContain("perPage is");
    expect(await got({ repo: "a", perPage: "many" })).toMatchObject({ code: "INPUT_INVALID" });
  });

  it("is still missing where its default does not fit", async () => {
    const strict = { ...inputSchema, required: ["wrong"] };
    registry.register(defineTool({ name: "strict", description: "", inputSchema: strict as object, handler: () => "" }));
    expect(await registry.invoke("strict", {})).toMatchObject({ ok: false, code: "INPUT_INVALID" });
  });

  it("is missing for the validator, as JSON Schema says", () => {
    expect(validateValue(inputSchema, { repo: "a" })).toMatchObject({ ok: false });
  });
});
