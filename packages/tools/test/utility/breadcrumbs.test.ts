import { type CallContext, type Caller, createRegistry, defineTool, type Registry, type ToolResult } from "@toolrack/core";
import { assertTool } from "@toolrack/core/testing";
import {
  approveDefinition,
  type BreadcrumbStore,
  createMemoryStore,
  definitionHash,
  type JsonObject,
  publishTool,
  type Role,
  stateOf,
  validateDefinition,
} from "@toolrack/store";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createUtilityTools } from "../../src/index.ts";

let store: BreadcrumbStore;
let registry: Registry;

const storeOf = ({ caller }: CallContext): BreadcrumbStore =>
  store.as({ owner: caller.tenant ?? "local", agent: caller.agent ?? "nobody", roles: (caller.roles ?? []) as readonly Role[] });
const makeTools = () =>
  createUtilityTools({
    breadcrumbs: storeOf,
    async approve(context, id, decision) {
      const mine = storeOf(context);
      const checked = await validateDefinition(mine, id);
      if (!checked.ok) throw Object.assign(new Error(checked.problems.join(" ")), { status: 400 });
      return approveDefinition(mine, id, decision);
    },
    definitionHash: ({ title, context }) => definitionHash({ title, context: context as JsonObject }),
  });
const writer: Caller = { agent: "writer", roles: ["emitter"] };
const curator: Caller = { agent: "chief", roles: ["curator"] };
const call = (name: string, input: unknown, caller: Caller): Promise<ToolResult> => registry.invoke(name, input, { caller });
const recordOf = (result: ToolResult): any => (result.ok ? (result.data as { record: unknown }).record : expect.fail(result.error));

const greet = defineTool({
  name: "greet",
  version: "1.0.0",
  description: "Greets somebody by name.",
  inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  outputSchema: { type: "object", properties: { text: { type: "string" } } },
  metadata: { examples: [{ description: "Greet Ada", input: { name: "Ada" }, output: { text: "Hello, Ada" } }] },
  handler: ({ name }) => ({ text: `Hello, ${name}` }),
});

beforeEach(async () => {
  store = await createMemoryStore();
  registry = createRegistry();
  for (const tool of makeTools()) registry.register(tool);
});
afterEach(() => store.close());

describe("the breadcrumb tools", () => {
  it("each pass the test kit, on records that are there", async () => {
    const open: BreadcrumbStore[] = [];
    /** A store of its own for each run, as the examples expect it. */
    const fresh = async (): Promise<BreadcrumbStore> => {
      const one = await createMemoryStore();
      open.push(one);
      await one.put({ id: "note-1", schema_name: "note.v1", context: { text: "one" }, tags: ["warehouse"] });
      await publishTool(one, greet);
      await one.mergeContext("tool-def-greet", { state: "validated" });
      return one;
    };
    const tools = createUtilityTools({
      breadcrumbs: fresh,
      approve: async (_context, id, { reason }) => {
        const one = await fresh();
        return approveDefinition(one, id, { reason, hash: definitionHash((await one.get(id))!) });
      },
    });
    for (const tool of tools.filter(({ name }) => name.startsWith("breadcrumb_"))) await assertTool(tool, { caller: curator });
    await Promise.all(open.map((one) => one.close()));
  });

  it("write, find and change a record", async () => {
    const created = await call(
      "breadcrumb_create",
      { schema_name: "note.v1", title: "Delivery", context: { text: "The gate code changed", old: 1 }, tags: ["warehouse"] },
      writer,
    );
    const { id, version } = recordOf(created);
    expect(created).toMatchObject({ effects: [{ kind: "record", action: "create", target: id }] });
    const found = await call("breadcrumb_search", { text: "gate", tags: ["warehouse"], include_context: true }, writer);
    expect(found).toMatchObject({ ok: true, data: { count: 1, records: [{ id, context: { text: "The gate code changed" } }] } });
    const updated = await call("breadcrumb_update", { id, version, context: { by: { whom: "Ada" }, old: null } }, writer);
    expect(recordOf(updated)).toMatchObject({
      version: 2,
      title: "Delivery",
      context: { text: "The gate code changed", by: { whom: "Ada" } },
    });
    expect(recordOf(updated).context).not.toHaveProperty("old");
    const replaced = await call("breadcrumb_update", { id, version: 2, context: { text: "gone" }, replace: true, title: "New" }, writer);
    expect(recordOf(replaced)).toMatchObject({ title: "New", tags: ["warehouse"], context: { text: "gone" } });
    expect(recordOf(replaced).context).toEqual({ text: "gone" });
  });

  it("keep what the author said about a record when they change it", async () => {
    await store.put({
      id: "kept",
      schema_name: "note.v1",
      context: { a: 1 },
      visibility: "private",
      sensitivity: "pii",
      semantic_version: "v2",
    });
    recordOf(await call("breadcrumb_update", { id: "kept", version: 1, context: { b: 2 } }, curator));
    expect(await store.get("kept")).toMatchObject({
      visibility: "private",
      sensitivity: "pii",
      semantic_version: "v2",
      context: { a: 1, b: 2 },
    });
  });

  it("never write over what somebody else changed, nor over another record", async () => {
    const { id } = recordOf(await call("breadcrumb_create", { id: "one", schema_name: "note.v1", context: { a: 1 } }, writer));
    recordOf(await call("breadcrumb_update", { id, version: 1, context: { a: 2 } }, writer));
    expect(await call("breadcrumb_update", { id, version: 1, context: { a: 3 } }, writer)).toMatchObject({
      ok: false,
      code: "INPUT_INVALID",
      error: expect.stringContaining("version 2"),
    });
    expect(await call("breadcrumb_create", { id: "one", schema_name: "note.v1", context: {} }, writer)).toMatchObject({
      ok: false,
      code: "INPUT_INVALID",
    });
    expect(await call("breadcrumb_update", { id: "none", version: 1 }, writer)).toMatchObject({
      error: expect.stringContaining("breadcrumb_search"),
    });
    expect((await store.get("one"))!.context).toEqual({ a: 2 });
  });

  // row: J15
  it("register, find and approve a tool, each within the role of the caller only", async () => {
    const draft = await store.as({ owner: "local", agent: "writer", roles: ["emitter"] }).put({
      schema_name: "tool.definition.v1",
      context: { name: "scratch", description: "Nothing yet.", inputSchema: { type: "object" } },
    });
    expect(draft.ok).toBe(true);
    const { name, description, version, inputSchema, outputSchema, metadata } = greet;
    const context = { name, version, description, inputSchema, outputSchema, examples: metadata!.examples };
    const created = await call(
      "breadcrumb_create",
      { schema_name: "tool.definition.v1", title: "Greet", context, tags: ["tool:definition", "workspace:tools"] },
      writer,
    );
    const { id } = recordOf(created);
    expect(id).toBe("tool-def-greet");
    expect(await call("breadcrumb_search", { schema_name: "tool.definition.v1", text: "greet" }, writer)).toMatchObject({
      data: { count: 1 },
    });
    const shown = await call("breadcrumb_search", { schema_name: "tool.definition.v1", text: "greet", include_context: true }, curator);
    const { hash } = (shown as { data: any }).data.records[0];
    expect(await call("breadcrumb_approve", { id, reason: "Unseen." }, curator)).toMatchObject({ ok: false, code: "INPUT_INVALID" });
    expect(await call("breadcrumb_approve", { id, hash, reason: "I like it" }, writer)).toMatchObject({
      ok: false,
      code: "TOOL_NOT_ALLOWED",
    });
    expect(stateOf((await store.get(id))!)).not.toBe("approved");
    const approved = await call("breadcrumb_approve", { id, hash, reason: "Read and tried." }, curator);
    expect(approved).toMatchObject({ ok: true, effects: [{ kind: "record", action: "approve", target: id }] });
    expect(stateOf((await store.get(id))!)).toBe("approved");
    expect(await call("breadcrumb_approve", { id: "nothing", hash, reason: "x" }, curator)).toMatchObject({
      ok: false,
      code: "INPUT_INVALID",
    });
  });

  it("refuse what the caller's role does not allow, and show nothing of other owners", async () => {
    await publishTool(store, greet);
    const config = { schema_name: "tool.config.v1", context: { tool: "greet", config: {} } };
    expect(await call("breadcrumb_create", config, writer)).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
    expect(await call("breadcrumb_create", { schema_name: "note.v1", context: {} }, { agent: "guest" })).toMatchObject({
      ok: false,
      code: "TOOL_NOT_ALLOWED",
    });
    expect(await call("breadcrumb_search", {}, { ...curator, tenant: "other" })).toMatchObject({
      ok: true,
      data: { records: [], count: 0 },
    });
    expect(await call("breadcrumb_update", { id: "tool-def-greet", version: 1, title: "Mine" }, writer)).toMatchObject({
      ok: false,
      code: "TOOL_NOT_ALLOWED",
    });
  });

  it("take hostile keys and texts for what they are", async () => {
    const context = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}') as object;
    const created = await call("breadcrumb_create", { id: "odd", schema_name: "note.v1", context: { a: 1 } }, writer);
    expect(created.ok).toBe(true);
    await call("breadcrumb_update", { id: "odd", version: 1, context }, writer);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    for (const text of ["' or 1=1 --", "%", "\0", "*"]) {
      const result = await call("breadcrumb_search", { text, tags: [text] }, writer);
      expect(result.ok ? (result.data as { count: number }).count : result.code, text).toSatisfy(
        (answer) => answer === 0 || answer === "INPUT_INVALID",
      );
    }
  });

  it("say what to hand in where there is no store", async () => {
    const bare = createRegistry();
    for (const tool of createUtilityTools()) bare.register(tool);
    expect(await bare.invoke("breadcrumb_search", {})).toMatchObject({ ok: false, code: "NEEDS_CONFIGURATION" });
    expect(await bare.invoke("breadcrumb_approve", { id: "x", hash: "h", reason: "y" })).toMatchObject({
      ok: false,
      code: "NEEDS_CONFIGURATION",
    });
    const given = createRegistry({ services: { breadcrumbs: store } });
    for (const tool of createUtilityTools()) given.register(tool);
    expect(await given.invoke("breadcrumb_search", {})).toMatchObject({ ok: true, data: { count: 0 } });
  });
});
