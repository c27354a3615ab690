import { openTestServer } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";

const note = { schema_name: "note.v1", title: "A note", tags: ["a", "b"], context: { text: "hello", nested: { keep: 1, drop: 2 } } };

describe("breadcrumbs", () => {
  it("are written, read, replaced, changed and removed, each version with its ETag", async () => {
    await using server = await openTestServer();
    const created = await server.request("PUT", "/api/v1/breadcrumbs/n1", { body: note });
    expect(created.headers.get("etag")).toBe('"1"');
    const replaced = await server.request("PUT", "/api/v1/breadcrumbs/n1", {
      body: { ...note, title: "Second" },
      headers: { "if-match": '"1"' },
    });
    expect(await replaced.json()).toMatchObject({ title: "Second", version: 2 });
    const changed = await server.request("PATCH", "/api/v1/breadcrumbs/n1", {
      body: { context: { nested: { drop: null, add: 3 } }, addTags: ["c"], removeTags: ["a"] },
      headers: { "if-match": '"2"' },
    });
    expect(await changed.json()).toMatchObject({ tags: ["b", "c"], context: { text: "hello", nested: { keep: 1, add: 3 } } });
    const etag = changed.headers.get("etag")!;
    expect((await server.request("DELETE", "/api/v1/breadcrumbs/n1", { headers: { "if-match": etag } })).status).toBe(204);
    expect((await server.request("GET", "/api/v1/breadcrumbs/n1")).status).toBe(404);
  });

  // row: H7
  it("answer 412 with the version that is there where If-Match names another, and change nothing", async () => {
    await using server = await openTestServer();
    await server.request("PUT", "/api/v1/breadcrumbs/n1", { body: note });
    await server.request("PUT", "/api/v1/breadcrumbs/n1", { body: { ...note, title: "Second" }, headers: { "if-match": '"1"' } });
    const stale = { "if-match": '"1"' };
    for (const asked of [
      server.request("PUT", "/api/v1/breadcrumbs/n1", { body: note, headers: stale }),
      server.request("PATCH", "/api/v1/breadcrumbs/n1", { body: { addTags: ["x"] }, headers: stale }),
      server.request("DELETE", "/api/v1/breadcrumbs/n1", { headers: stale }),
      server.request("POST", "/api/v1/breadcrumbs/n1/restore", { body: { version: 1 }, headers: stale }),
    ]) {
      const answer = await asked;
      expect(answer.status).toBe(412);
      expect(answer.headers.get("etag")).toBe('"2"');
      expect(await answer.json()).toMatchObject({ code: "VERSION_CONFLICT" });
    }
    expect((await server.request("PUT", "/api/v1/breadcrumbs/n1", { body: note })).status).toBe(412);
    expect((await server.request("PUT", "/api/v1/breadcrumbs/n1", { body: note, headers: { "if-match": "2" } })).status).toBe(400);
    expect(await (await server.request("GET", "/api/v1/breadcrumbs/n1")).json()).toMatchObject({ version: 2, title: "Second" });
  });

  it("TD9: of a private record a PUT says nothing but that its id is taken", async () => {
    await using server = await openTestServer();
    const anna = await server.as("anna", "emitter");
    const ben = await server.as("ben", "emitter");
    await anna("PUT", "/breadcrumbs/n1", { ...note, visibility: "private" });
    await anna("PUT", "/breadcrumbs/n1", { ...note, title: "Second", visibility: "private" }, { headers: { "if-match": '"1"' } });
    for (const version of [1, 2, 3])
      expect(await ben("PUT", "/breadcrumbs/n1", note, { headers: { "if-match": `"${version}"` } })).toMatchObject({ status: 404 });
    const { secret } = await server.rack.keys.create({ agent: "carl", roles: ["emitter"], by: "test" });
    const answer = await server.request("PUT", "/api/v1/breadcrumbs/n1", { body: note, key: secret });
    expect([answer.status, answer.headers.get("etag")]).toEqual([409, null]);
    expect(await answer.json()).toMatchObject({ code: "ALREADY_THERE", detail: 'The id "n1" is taken. Choose another one.' });
    expect(await anna("PUT", "/breadcrumbs/n1", note)).toMatchObject({ status: 412 });
  });

  it("have a history that can be read, compared and restored", async () => {
    await using server = await openTestServer();
    await server.request("PUT", "/api/v1/breadcrumbs/n1", { body: note });
    await server.request("PATCH", "/api/v1/breadcrumbs/n1", { body: { context: { text: "changed" } } });
    const history = await (await server.request("GET", "/api/v1/breadcrumbs/n1/history")).json();
    expect(history).toMatchObject({
      changes: [
        { type: "updated", record: { version: 2 } },
        { type: "created", record: { version: 1 } },
      ],
    });
    expect(await (await server.request("GET", "/api/v1/breadcrumbs/n1/history?before=2&limit=1")).json()).toMatchObject({
      changes: [{ record: { version: 1 } }],
    });
    expect(await (await server.request("GET", "/api/v1/breadcrumbs/n1/diff?from=1&to=2")).json()).toEqual({
      differences: [{ path: "context.text", before: "hello", after: "changed" }],
    });
    expect((await server.request("GET", "/api/v1/breadcrumbs/n1/diff?from=1&to=9")).status).toBe(404);
    const restored = await server.request("POST", "/api/v1/breadcrumbs/n1/restore", { body: { version: 1 } });
    expect(await restored.json()).toMatchObject({ version: 3, context: { text: "hello" } });
  });

  it("are found by words, tags, schema and fields, page by page", async () => {
    await using server = await openTestServer();
    for (let index = 0; index < 5; index++) {
      const body = { ...note, tags: [index % 2 === 0 ? "even" : "odd"], context: { text: `number ${index}`, index } };
      await server.request("PUT", `/api/v1/breadcrumbs/n${index}`, { body });
    }
    const find = async (query: string): Promise<string[]> => {
      const { records } = (await (await server.request("GET", `/api/v1/breadcrumbs?schema_name=note.v1&${query}`)).json()) as {
        records: { id: string }[];
      };
      return records.map(({ id }) => id);
    };
    expect(await find("tag=odd")).toEqual(["n1", "n3"]);
    expect(await find("anyTags=odd&anyTags=even&limit=2")).toEqual(["n0", "n1"]);
    expect(await find("noneTags=odd&text=number")).toEqual(["n0", "n2", "n4"]);
    expect(await find(`where=${encodeURIComponent('[{"path":"context.index","op":"gte","value":3}]')}`)).toEqual(["n3", "n4"]);
    const first = (await (await server.request("GET", "/api/v1/breadcrumbs?schema_name=note.v1&limit=3&includeContext=true")).json()) as {
      cursor: string;
      records: { context?: object }[];
    };
    expect(first.records[0]?.context).toEqual({ text: "number 0", index: 0 });
    expect(await find(`limit=3&cursor=${encodeURIComponent(first.cursor)}`)).toEqual(["n3", "n4"]);
    const unknown = await server.request(
      "GET",
      `/api/v1/breadcrumbs?where=${encodeURIComponent('[{"path":"context.a","op":"like","value":1}]')}`,
    );
    expect(await unknown.json()).toMatchObject({ status: 400, code: "QUERY_INVALID" });
  });

  it("obey the rights of the caller: roles write, private records stay private", async () => {
    await using server = await openTestServer();
    const key = async (agent: string, roles: string[]): Promise<string> =>
      (await server.rack.keys.create({ agent, roles, by: "test" })).secret;
    const [anna, bert, curator, plain] = [
      await key("anna", ["emitter"]),
      await key("bert", ["emitter"]),
      await key("cora", ["curator"]),
      await key("dora", []),
    ];
    expect((await server.request("PUT", "/api/v1/breadcrumbs/n1", { body: { ...note, visibility: "private" }, key: anna })).status).toBe(
      200,
    );
    expect((await server.request("GET", "/api/v1/breadcrumbs/n1", { key: bert })).status).toBe(404);
    expect((await server.request("PUT", "/api/v1/breadcrumbs/n2", { body: note, key: plain })).status).toBe(403);
    expect((await server.request("PUT", "/api/v1/breadcrumbs/n3", { body: note, key: anna })).status).toBe(200);
    expect((await server.request("PATCH", "/api/v1/breadcrumbs/n3", { body: { addTags: ["x"] }, key: bert })).status).toBe(403);
    expect(await (await server.request("GET", "/api/v1/breadcrumbs/n1", { key: curator })).json()).toMatchObject({ created_by: "anna" });
    const config = { schema_name: "tool.config.v1", context: { tool: "echo", config: { url: "https://evil.example" } } };
    expect((await server.request("POST", "/api/v1/breadcrumbs", { body: config, key: anna })).status).toBe(403);
  });

  it("that stand for secrets are not written here, even by a curator", async () => {
    await using server = await openTestServer();
    await server.rack.secrets.set("api-key", "s3cret-value");
    const body = { schema_name: "tool.secret.v1", context: { name: "api-key" } };
    for (const asked of [
      server.request("POST", "/api/v1/breadcrumbs", { body }),
      server.request("PATCH", "/api/v1/breadcrumbs/secret-api-key", { body: { addTags: ["x"] } }),
      server.request("DELETE", "/api/v1/breadcrumbs/secret-api-key"),
      server.request("POST", "/api/v1/breadcrumbs/secret-api-key/restore", { body: { version: 1 } }),
    ])
      expect((await asked).status).toBe(403);
  });
});
