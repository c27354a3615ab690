import { describe, expect, it } from "vitest";
import { executeTool } from "../../src/tool/array.ts";
import { BaseTool, type ClassTool, fromClassTool } from "../../src/tool/base-tool.ts";
import type { CallContext } from "../../src/tool/context.ts";
import { readTool } from "../../src/tool/shapes.ts";
import { defineTool } from "../../src/tool/tool.ts";

interface Session {
  readonly user: string;
}

class Greeter extends BaseTool<{ name: string }, Session | undefined> {
  readonly name = "greet";
  readonly description = "Greets someone.";
  readonly parametersSchema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
  override readonly version = "1.0.0";
  override readonly metadata = { category: "utility" };
  readonly #greeting = "Hello";

  execute(session: Session | undefined, parameters: { name: string }, context: CallContext<Session | undefined>): unknown {
    if (parameters.name === "nobody") return { success: false, error: "Nobody is here." };
    if (parameters.name === "trouble") throw new Error("trouble came");
    const text = `${this.#greeting}, ${parameters.name}${session ? ` from ${session.user}` : ""}`;
    return { success: true, data: { text, callId: context.callId } };
  }
}

describe("a class tool", () => {
  const tool = fromClassTool(new Greeter());

  // row: A6
  it("gives the same outcomes as one that is written as a function", async () => {
    const { name, description, parametersSchema, version, metadata } = new Greeter();
    const written = defineTool({
      name,
      description,
      version,
      metadata,
      inputSchema: parametersSchema,
      handler: (input: { name: string }) => {
        if (input.name === "nobody") return { ok: false as const, error: "Nobody is here." };
        if (input.name === "trouble") throw new Error("trouble came");
        return { text: `Hello, ${input.name}` };
      },
    });
    for (const input of [{ name: "Ada" }, { name: "nobody" }, { name: "trouble" }, {}, { name: 5 }]) {
      const [one, other] = [await executeTool(tool, input), await executeTool(written, input)];
      expect(one).toMatchObject(other.ok ? { ok: true } : { ok: false, error: other.error, code: other.code, status: other.status });
      if (one.ok) expect(one.data).toMatchObject({ text: "Hello, Ada" });
    }
  });

  it("keeps its version and its metadata, and is frozen", () => {
    expect(tool).toMatchObject({ name: "greet", version: "1.0.0", metadata: { category: "utility" } });
    expect(Object.isFrozen(tool)).toBe(true);
  });

  it("is given the services of the call as its session", async () => {
    const returned = await tool.handler({ name: "Ada" }, { callId: "call-7", services: { user: "Bob" } } as CallContext);
    expect(returned).toMatchObject({ ok: true, data: { text: "Hello, Ada from Bob", callId: "call-7" } });
  });

  it("says what changed, what it printed, and why it failed, in the words of its own form", async () => {
    const answering = (answer: unknown): Promise<unknown> =>
      executeTool(fromClassTool({ name: "t", description: "", parametersSchema: {}, execute: () => answer }), {});
    const effects = [{ kind: "file", action: "write", target: "a.md" }];
    expect(await answering({ success: true, output: "done", modifiedFiles: ["a.md"] })).toMatchObject({
      ok: true,
      content: "done",
      effects,
    });
    expect(await answering({ success: true, output: { rows: 3 } })).toMatchObject({ ok: true, content: '{"rows":3}', data: { rows: 3 } });
    expect(await answering({ success: true, data: new Map([["rows", 3]]) })).toMatchObject({ content: '{"rows":3}', data: { rows: 3 } });
    expect(await answering({ success: true, data: { n: Number.NaN } })).toMatchObject({
      code: "RESULT_INVALID",
      error: expect.stringContaining("result.data.n is NaN"),
    });
    expect(await answering({ success: true, data: "text" })).toMatchObject({ ok: true, content: "text", data: "text" });
    expect(await answering({ success: true })).toMatchObject({ ok: true, content: "" });
    expect(await answering({ success: false })).toMatchObject({ ok: false, error: "The tool reported a failure without a reason." });
    expect(await answering({ success: false, error: { message: "full" } })).toMatchObject({ ok: false, error: "full" });
    expect(await answering({ success: "yes" })).toMatchObject({ ok: true, data: { success: "yes" } });
    expect(await answering("text")).toMatchObject({ ok: true, content: "text" });
  });
});

describe("validate_parameters of a class tool", () => {
  it("tells whether parameters match the schema", () => {
    const greeter = new Greeter();
    expect([{ name: "Ada" }, {}, { name: 5 }, null].map((parameters) => greeter.validate_parameters(parameters))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it("can refuse what the schema allows, and execute is not called", async () => {
    class Shy extends Greeter {
      override validate_parameters(parameters: { name: string }): boolean {
        return parameters.name !== "Bob";
      }
    }
    const tool = fromClassTool(new Shy());
    expect(await executeTool(tool, { name: "Ada" })).toMatchObject({ ok: true });
    expect(await executeTool(tool, { name: "Bob" })).toMatchObject({
      ok: false,
      code: "INPUT_INVALID",
      error: 'validate_parameters of "greet" returned false.',
    });
  });

  it("knows a schema that is written as parameters_schema", async () => {
    const tool = readTool(classWith("parameters_schema"));
    expect(await executeTool(tool, { name: "Ada" })).toMatchObject({ ok: true });
    expect(await executeTool(tool, { name: 5 })).toMatchObject({ ok: false, code: "INPUT_INVALID" });
  });
});

describe("a class that extends BaseTool", () => {
  it.each(["inputSchema", "input_schema", "parameters", "schema"])("is told which name its schema must have, not %s", (field) => {
    expect(() => readTool(classWith(field))).toThrow(
      'Tool "greet" extends BaseTool, and has no parametersSchema. Give its schema that name.',
    );
  });

  it.each(["params", "parameterSchema"])(
    "is refused without a schema, instead of being given the parameters as its session: %s",
    (field) => {
      expect(() => readTool(classWith(field))).toThrow(
        'Tool "greet" extends BaseTool, and has no parametersSchema. Give its schema that name.',
      );
    },
  );
});

/** As JavaScript allows it: the schema has another name. */
function classWith(field: string): ClassTool {
  const fields = { name: "greet", description: "Greets someone.", execute: () => ({ success: true }) };
  const Base = BaseTool as unknown as new () => object;
  return Object.assign(new (class extends Base {})(), fields, { [field]: new Greeter().parametersSchema }) as unknown as ClassTool;
}
