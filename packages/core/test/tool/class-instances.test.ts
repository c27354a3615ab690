import { describe, expect, it } from "vitest";
import { createRegistry } from "../../src/registry/create.ts";
import type { AnyTool } from "../../src/tool/shapes.ts";
import { defineTool } from "../../src/tool/tool.ts";

class WithHandler {
  name = "greet";
  description = "Greets.";
  inputSchema = { type: "object" } as const;
  word = "hi";
  handler(): unknown {
    return this.word;
  }
}

class WithExecute {
  name = "greet";
  description = "Greets.";
  parameters = { type: "object" } as const;
  word = "hi";
  execute(): string {
    return this.word;
  }
}

class Session extends WithHandler {
  #count = 0;
  override handler(): unknown {
    return { count: ++this.#count };
  }
}

async function answer(tool: object): Promise<unknown> {
  const registry = createRegistry();
  registry.register(tool as AnyTool);
  return registry.invoke("greet", {});
}

describe("an instance of a class", () => {
  it.each([
    ["handler", () => new WithHandler()],
    ["handler, defined", () => defineTool(new WithHandler() as never)],
    ["execute", () => new WithExecute()],
  ])("keeps its `this` in %s", async (_form, make) => {
    expect(await answer(make())).toMatchObject({ ok: true, content: "hi" });
  });

  it("keeps its private state from call to call", async () => {
    const registry = createRegistry();
    registry.register(new Session() as AnyTool);
    await registry.invoke("greet", {});
    expect(await registry.invoke("greet", {})).toMatchObject({ data: { count: 2 } });
  });

  it("may inherit every field, and have accessors for them", async () => {
    class Inherited {
      get name(): string {
        return "greet";
      }
      get description(): string {
        return "Greets.";
      }
      get inputSchema(): object {
        return { type: "object" };
      }
      get metadata(): object {
        return { ownerOnly: true };
      }
      handler(): string {
        return "hi";
      }
    }
    expect(await answer(new Inherited())).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
  });

  const wrong: readonly [string, object, string][] = [
    ["ownerOnly", { ownerOnly: true }, 'has the unknown field "ownerOnly". Did you mean "metadata.ownerOnly"?'],
    ["secrets", { secrets: ["KEY"] }, 'has the unknown field "secrets". Did you mean "metadata.secrets"?'],
    ["limits", { limits: { timeoutMs: 5 } }, 'has the unknown field "limits". Did you mean "metadata.limits"?'],
    ["a misspelt metadata", { metdata: {} }, 'has the unknown field "metdata". Did you mean "metadata"?'],
    ["a misspelt ownerOnly", { ownerOnyl: true }, 'has the unknown field "ownerOnyl". Did you mean "metadata.ownerOnly"?'],
  ];

  it.each(wrong)("is refused as a literal is for %s", (_what, fields, sentence) => {
    for (const make of [
      () => ({ ...new WithHandler(), word: undefined, handler: () => "", ...fields }),
      () => Object.assign(new WithHandler(), fields),
      () => Object.assign(Object.create(Object.assign(new WithHandler(), fields)) as object, { state: 1 }),
    ]) {
      expect(() => defineTool(make() as never)).toThrow(expect.objectContaining({ code: "DEFINITION_INVALID" }));
      expect(() => createRegistry().register(make() as never)).toThrow(sentence);
    }
  });

  it.each(wrong.slice(1))("with `execute` is refused for %s", (_what, fields, sentence) => {
    expect(() => createRegistry().register(Object.assign(new WithExecute(), fields) as never)).toThrow(
      sentence.replace("metadata.ownerOnly", "ownerOnly"),
    );
  });

  it.each([
    ["parameters", { parameters: { type: "object" }, execute: (): string => "hi" }],
    ["parametersSchema", { parametersSchema: { type: "object" }, execute: (): string => "hi" }],
    ["no schema", { execute: (): string => "hi" }],
  ])("and an object with `execute` and %s are for the owner alone where they say so", async (_shape, fields) => {
    const named = { name: "greet", description: "Greets.", ...fields };
    for (const facts of [{ ownerOnly: true }, { metadata: { ownerOnly: true } }])
      expect(await answer({ ...named, ...facts })).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
  });

  it("may have a state and methods of its own", async () => {
    class Rich extends WithHandler {
      client = { get: () => "hi" };
      cache = new Map();
      handle(): string {
        return this.client.get();
      }
      limit(): number {
        return 5;
      }
      override handler(): unknown {
        return this.handle();
      }
    }
    expect(await answer(new Rich())).toMatchObject({ ok: true, content: "hi" });
  });

  it("is refused as metadata: what it has in accessors, a restriction among them, would be lost", () => {
    class Restricted {
      get ownerOnly(): boolean {
        return true;
      }
    }
    const tool = {
      name: "greet",
      description: "Greets.",
      inputSchema: { type: "object" },
      metadata: new Restricted(),
      handler: () => "hi",
    } as const;
    expect(() => defineTool(tool)).toThrow(/"metadata" must be a plain object/);
    const { handler: execute, inputSchema: parameters, ...agentTool } = tool;
    const registry = createRegistry();
    expect(() => registry.register({ ...agentTool, parameters, execute })).toThrow(/"metadata" must be a plain object/);
  });
});
