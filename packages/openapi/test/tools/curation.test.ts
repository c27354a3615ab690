import type { CallContext, ToolDefinition } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { buildRequest, describeOpenApiTool, openApiPrint, openApiSource, planOpenApi, readOpenApi } from "../../src/index.ts";

const document = {
  openapi: "3.0.3",
  info: { title: "Pets", version: "2.1.0" },
  servers: [{ url: "https://api.example.com/v1" }],
  paths: {
    "/pets": {
      get: {
        operationId: "listPets",
        tags: ["pets"],
        description: `Lists pets. ${"word ".repeat(300)}`,
        parameters: [
          { name: "version", in: "query", required: true, schema: { type: "string" } },
          { name: "limit", in: "query", schema: { type: "integer" } },
        ],
      },
      post: {
        operationId: "createPet",
        tags: ["pets", "write"],
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: { type: "object", required: ["name", "owner"], properties: { name: { type: "string" }, owner: { type: "string" } } },
            },
          },
        },
      },
    },
    "/pets/{id}": { delete: { operationId: "deletePet", tags: ["pets"], deprecated: true } },
    "/admin/users": { get: { operationId: "listUsers", tags: ["admin"] } },
    "/admin/users/{id}/keys": { get: { tags: ["admin"] } },
  },
};
const namesOf = (options: object): string[] => readOpenApi(document, options).tools.map(({ name }) => name);

describe("include and exclude", () => {
  it.each([
    ["tag:pets", ["listPets", "createPet", "deletePet"]],
    ["GET", ["listPets", "listUsers", "get_admin_users_id_keys"]],
    ["/admin/*", ["listUsers"]],
    ["/admin/**", ["listUsers", "get_admin_users_id_keys"]],
    ["GET /pets", ["listPets"]],
    ["list*", ["listPets", "listUsers"]],
    [{ tag: "pets", method: ["get", "delete"] }, ["listPets", "deletePet"]],
    [
      [{ operationId: "createPet" }, { path: "/admin/users" }],
      ["createPet", "listUsers"],
    ],
  ])("choose by %j", (include, names) => {
    expect(namesOf({ include })).toEqual(names);
    expect(namesOf({ exclude: include })).toEqual(namesOf({}).filter((name) => !names.includes(name)));
  });

  it("work together, and refuse filters that say nothing", () => {
    expect(namesOf({ include: "tag:pets", exclude: { method: "DELETE" } })).toEqual(["listPets", "createPet"]);
    expect(() => namesOf({ include: {} })).toThrow(/empty filter/);
    expect(() => namesOf({ include: { tags: ["x"] } })).toThrow(/unknown option "tags". Did you mean "tag"/);
    expect(() => namesOf({ includes: [] })).toThrow(/unknown option "includes". Did you mean "include"/);
    expect(() => namesOf({ baseUrl: "not a url" })).toThrow(/baseUrl/);
  });

  it("need linear time for patterns with many stars", () => {
    const pattern = `/${"*a".repeat(40)}b`;
    expect(
      readOpenApi({ openapi: "3.0.3", paths: { [`/${"a".repeat(5_000)}`]: { get: {} } } }, { include: { path: pattern } }).tools,
    ).toEqual([]);
  });
});

describe("hidden and pinned parameters", () => {
  it("are not shown, and a pinned value is sent", () => {
    const { tools } = readOpenApi(document, { include: "listPets", pin: { version: "2" }, hide: ["query:limit"] });
    expect(tools[0]!.inputSchema["properties"]).toEqual({});
    expect(JSON.stringify(tools[0])).not.toContain('"2"');
    expect(buildRequest(tools[0]!, {}).url).toBe("https://api.example.com/v1/pets?version=2");
    expect(() => buildRequest(tools[0]!, { version: "9" })).toThrow(/no parameter "version"/);
    expect(() => buildRequest(tools[0]!, { limit: 9 })).toThrow(/no parameter "limit"/);
  });

  it("are members of a spread body, too, and may be meant for some operations alone", () => {
    const { tools } = readOpenApi(document, {
      include: "createPet",
      pin: [{ name: "owner", in: "body", value: "me", operation: "POST /pets" }],
    });
    expect(tools[0]!.inputSchema).toMatchObject({ properties: { name: {} }, required: ["name"] });
    expect(buildRequest(tools[0]!, { name: "Rex" }).body).toBe('{"name":"Rex","owner":"me"}');
    expect(
      readOpenApi(document, { include: "createPet", pin: [{ name: "owner", value: "me", operation: "tag:admin" }] }).warnings,
    ).toContain('pin: no operation has a parameter "owner".');
  });

  it("cannot be a part of the path unless they are pinned", () => {
    expect(readOpenApi(document, { include: "deletePet", hide: ["id"] }).refused[0]!.reason).toMatch(/Pin it/);
    const { tools } = readOpenApi(document, { include: "deletePet", pin: { "path:id": 7 } });
    expect(buildRequest(tools[0]!, {}).url).toBe("https://api.example.com/v1/pets/7");
  });
});

describe("an imported tool", () => {
  it("declares what its operation is", () => {
    const { tools } = readOpenApi(document, { group: { animals: "tag:pets", all: "/**" } });
    const byName = new Map(tools.map((tool) => [tool.name, tool.metadata]));
    expect(byName.get("listPets")).toMatchObject({
      annotations: { readOnly: true, destructive: false, idempotent: false },
      tags: ["pets"],
      groups: ["animals", "all"],
      needs: { hosts: ["api.example.com"] },
    });
    expect(byName.get("createPet")).toMatchObject({
      annotations: { readOnly: false, destructive: false, idempotent: false },
      tags: ["pets", "write"],
    });
    expect(byName.get("deletePet")).toMatchObject({ annotations: { destructive: true, idempotent: true }, deprecated: { since: "2.1.0" } });
    expect(Object.isFrozen(tools[0])).toBe(true);
  });

  it.each([
    ["get", { readOnly: true, destructive: false, idempotent: false }],
    ["head", { readOnly: true, destructive: false, idempotent: false }],
    ["options", { readOnly: true, destructive: false, idempotent: false }],
    ["query", { readOnly: true, destructive: false, idempotent: false }],
    ["post", { readOnly: false, destructive: false, idempotent: false }],
    ["patch", { readOnly: false, destructive: false, idempotent: false }],
    ["put", { readOnly: false, destructive: false, idempotent: true }],
    ["delete", { readOnly: false, destructive: true, idempotent: true }],
  ])("says what a call of the method %s does", (method, annotations) => {
    const { tools } = readOpenApi({ openapi: "3.2.0", paths: { "/x": { [method]: {} } } });
    expect(tools[0]!.metadata?.annotations).toEqual({ ...annotations, openWorld: true });
  });

  it("has tags in the form that tools take, and is chosen by those of the document", () => {
    const tags = ["Pet store", "plain", " two\t spaces ", "", " ", "Pet-store", "\u200bhidden", "x".repeat(300), "Größe", 7];
    const { tools, refused } = readOpenApi(
      { openapi: "3.0.3", paths: { "/a": { get: { tags } }, "/b": { get: { tags: ["other"] } } } },
      { include: "tag:Pet store" },
    );
    expect(refused).toEqual([]);
    expect(tools.map(({ metadata }) => metadata?.tags)).toEqual([["Pet-store", "plain", "two-spaces", "hidden", "x".repeat(256), "Größe"]]);
    expect(describeOpenApiTool(tools[0]!).tags).toEqual(tags.slice(0, -1));
  });

  it("has a short description, and the whole one at hand", () => {
    const { tools } = readOpenApi(document, { include: "listPets", descriptionLength: 100 });
    expect(tools[0]!.description.length).toBeLessThanOrEqual(100);
    expect(tools[0]!.description).toMatch(/…$/);
    expect(describeOpenApiTool(tools[0]!).description).toContain("word ".repeat(299));
  });

  it("is known by its handler, whatever else of it was changed", () => {
    const [tool] = readOpenApi(document).tools;
    expect(describeOpenApiTool({ ...tool!, name: "other" }).operationId).toBe("listPets");
    expect(() => describeOpenApiTool({ ...tool!, handler: () => "" })).toThrow(/does not come from readOpenApi/);
  });
});

describe("a plan", () => {
  it("tells counts, names, tokens for each vendor, secrets, servers, and what is refused and why", () => {
    const plan = planOpenApi({ ...document, paths: { ...document.paths, "/bad": { get: { parameters: [{ $ref: "#/gone" }] } } } });
    expect(plan).toMatchObject({
      document: { title: "Pets", version: "2.1.0", format: "OpenAPI 3.0.3", operations: 6 },
      operations: { imported: 5, refused: 1 },
      methods: { GET: 3, POST: 1, DELETE: 1 },
      tags: { pets: 3, admin: 2, write: 1 },
      servers: ["https://api.example.com/v1"],
      refused: [{ operation: "GET /bad", reason: expect.stringContaining("#/gone") }],
    });
    expect(plan.tools[0]).toMatchObject({ name: "listPets", operation: "GET /pets", readOnly: true, destructive: false });
    expect(plan.tokens["anthropic"]).toBeGreaterThan(100);
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
  });
});

describe("a source", () => {
  const list = (source: { list(options: { signal: AbortSignal }): unknown }) =>
    source.list({ signal: new AbortController().signal }) as Promise<{ name: string }[]>;

  it("keeps tools that did not change as the same objects", async () => {
    let current: unknown = document;
    const source = openApiSource({ name: "pets", document: () => Promise.resolve(current) });
    const first = await list(source);
    expect(await list(source)).toBe(first);
    current = {
      ...document,
      paths: { ...document.paths, "/pets": { ...document.paths["/pets"], get: { ...document.paths["/pets"].get, summary: "New" } } },
    };
    const second = await list(source);
    expect(second.filter((tool) => first.includes(tool)).map(({ name }) => name)).toEqual([
      "createPet",
      "deletePet",
      "listUsers",
      "get_admin_users_id_keys",
      "describe_operation",
    ]);
    expect(source.report()?.tools.length).toBe(5);
  });

  it("takes a tool that sends other requests for another one, although it is defined alike", () => {
    const styled = (style: string) =>
      readOpenApi({
        openapi: "3.0.3",
        paths: { "/x": { get: { parameters: [{ name: "a", in: "query", style, schema: { type: "array" } }] } } },
      }).tools[0]!;
    expect(openApiPrint(styled("pipeDelimited"))).not.toBe(openApiPrint(styled("spaceDelimited")));
    expect(openApiPrint(styled("pipeDelimited"))).toBe(openApiPrint(styled("pipeDelimited")));
  });

  it("fails as a whole where the document cannot be loaded or read", async () => {
    await expect(list(openApiSource({ name: "x", document: () => Promise.reject(new Error("away")) }))).rejects.toThrow("away");
    await expect(list(openApiSource({ name: "x", document: "words" }))).rejects.toThrow(/not an object/);
  });

  it("tells when it has to be read again, and has the whole of shortened descriptions one call away", async () => {
    const { createRegistry } = await import("@toolrack/core");
    const source = openApiSource({ name: "pets", document });
    const registry = createRegistry();
    await registry.addSource(source);
    expect(registry.get("listPets")!.description).toMatch(/…/);
    expect(await registry.invoke("describe_operation", { name: "listPets" })).toMatchObject({
      ok: true,
      content: expect.stringContaining("word ".repeat(299)),
    });
    expect(await registry.invoke("describe_operation", { name: "gone" })).toMatchObject({ ok: false, code: "INPUT_INVALID" });
    await registry.close();
  });

  it("describes to a caller what it may use, under the name that it has there, while it is served as it was read", async () => {
    const { createRegistry } = await import("@toolrack/core");
    const { readPolicyConfig } = await import("@toolrack/core/policy");
    const policy = readPolicyConfig({ agents: { ann: {}, bob: { tools: { deny: ["listPets"] } } } });
    const registry = createRegistry({ policy });
    const renamed = new Map<string, string>();
    const source = openApiSource({
      name: "pets",
      document,
      served: (name, caller) => registry.view(caller).offered(renamed.get(name) ?? name),
    });
    await registry.addSource(source);
    const asked = (agent: string, name = "listPets") => registry.invoke("describe_operation", { name }, { caller: { agent } });
    expect(await asked("ann")).toMatchObject({ ok: true, content: expect.stringContaining("word ".repeat(299)) });
    expect(await asked("bob")).toMatchObject({ ok: false, code: "INPUT_INVALID" });
    renamed.set("all_pets", "listPets");
    expect(await asked("ann", "all_pets")).toMatchObject({ ok: true });
    // Served with other words than the document's: these are what the caller may read.
    const other = openApiSource({
      name: "pets",
      document,
      served: (name, caller) => ({ ...registry.view(caller).offered(name)!, description: "Approved words." }),
    });
    const tools = (await list(other)) as unknown as readonly ToolDefinition[];
    const describe = tools.find(({ name }) => name === "describe_operation")!;
    expect(() => describe.handler({ name: "listPets" }, { caller: {} } as CallContext)).toThrow(/No operation/);
    await registry.close();
  });

  it("refuses what could not say who may read a description", () => {
    expect(() => openApiSource({ name: "pets", document, served: true as never })).toThrow(/served must be a function/);
  });

  it("adds no tool where no description was shortened", async () => {
    const source = openApiSource({ name: "pets", document, exclude: "listPets" });
    expect((await list(source)).map(({ name }) => name)).not.toContain("describe_operation");
  });
});

describe("a standard method among the additional operations of 3.2", () => {
  const operation = { responses: {} };
  const other = {
    openapi: "3.2.0",
    servers: [{ url: "https://api.example.com" }],
    paths: { "/x": { additionalOperations: { delete: operation, Get: operation, trace: operation, Connect: operation, LOCK: operation } } },
  };

  it("is that method in any case: for filters, annotations and the request, and TRACE and CONNECT are never sent", () => {
    const { tools, refused } = readOpenApi(other);
    expect(tools.map((tool) => buildRequest(tool, {}).method)).toEqual(["DELETE", "GET", "LOCK"]);
    expect(tools.map(({ metadata }) => [metadata?.annotations?.destructive, metadata?.annotations?.readOnly])).toEqual([
      [true, false],
      [false, true],
      [false, false],
    ]);
    expect(refused.map((one) => one.operation)).toEqual(["TRACE /x", "CONNECT /x"]);
    expect(readOpenApi(other, { exclude: ["DELETE"] }).tools).toHaveLength(2);
  });
});
