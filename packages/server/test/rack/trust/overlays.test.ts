import { codeSource, defineTool, type ToolDefinition, type ToolSource } from "@toolrack/core";
import { listAudit, openDefinitionLog } from "@toolrack/store";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { openTestServer } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import type { ToolOverlay } from "../../../src/config/overlay.ts";
import type { Rack } from "../../../src/rack/rack.ts";

const caller = { owner: true, agent: "local" };

/** Sends a letter, and says what it was given. */
const send = (change: Partial<ToolDefinition> = {}): ToolDefinition =>
  defineTool({
    name: "send",
    description: "Sends a letter.",
    inputSchema: {
      type: "object",
      properties: {
        to: { type: "string" },
        subject: { type: "string", maxLength: 100 },
        kind: { enum: ["letter", "parcel", "bomb"] },
        bcc: { type: "string" },
        copies: { type: "integer", minimum: 1, maximum: 9, default: 2 },
      },
      required: ["to", "subject"],
    },
    metadata: {
      tags: ["mail"],
      aliases: { blind: "bcc", recipient: "to" },
      examples: [
        { description: "A letter", input: { to: "a@example.com", subject: "Hi", kind: "letter" } },
        { description: "A bomb", input: { to: "a@example.com", subject: "Hi", kind: "bomb" } },
      ],
    },
    handler: (input) => input,
    ...change,
  }) as ToolDefinition;
const other = defineTool({ name: "other", description: "Another.", inputSchema: { type: "object" }, handler: () => "other" });

interface Post extends ToolSource {
  change(tools: readonly ToolDefinition[]): void;
}

function post(tools: readonly ToolDefinition[] = [send(), other], identity = "post-1"): Post {
  let [now, tell] = [tools, (): void => undefined];
  return {
    id: "mcp:post",
    identity,
    list: () => now,
    watch(onChange) {
      tell = onChange;
      return () => undefined;
    },
    change(next) {
      now = next;
      tell();
    },
  };
}

async function open(overlays: Readonly<Record<string, ToolOverlay>> | undefined, source: ToolSource = post()): Promise<Rack> {
  // The lock only reports, so that a changed tool reaches its overlay.
  const trust = { enforce: false };
  const rack = await openTestRack({ config: { store: { memory: true }, trust, ...(overlays && { overlays: { post: overlays } }) } });
  await rack.registry.addSource(source);
  return rack;
}

const call = (rack: Rack, tool: string, input: unknown) => rack.registry.invoke(tool, input, { caller });
const problemsOf = (rack: Rack): string =>
  rack.registry
    .sources()
    .find(({ id }) => id === "mcp:post")!
    .problems.join("\n");

describe("an overlay", () => {
  it("renames and re-describes a tool, and adds groups, tags, limits and annotations, everywhere", async () => {
    const overlay: ToolOverlay = {
      name: "post_letter",
      title: "Letters",
      description: "Sends a letter by post.",
      groups: ["post"],
      tags: ["slow"],
      limits: { timeoutMs: 5 },
      annotations: { destructive: true },
      parameters: { subject: { description: "What it is about." } },
    };
    const rack = await open({ send: overlay });
    expect(rack.registry.get("send")).toBeUndefined();
    expect(rack.registry.get("post_letter")).toMatchObject({
      title: "Letters",
      description: "Sends a letter by post.",
      inputSchema: { properties: { subject: { description: "What it is about.", maxLength: 100 } } },
      metadata: { groups: ["post"], tags: ["mail", "slow"], limits: { timeoutMs: 5 }, annotations: { destructive: true } },
    });
    expect(await call(rack, "post_letter", { to: "a", subject: "s" })).toMatchObject({ ok: true, data: { to: "a", copies: 2 } });
    expect(await call(rack, "send", { to: "a", subject: "s" })).toMatchObject({ ok: false, code: "TOOL_NOT_FOUND" });
    const [recorded] = await rack.calls.list({ limit: 1, tool: "post_letter" });
    expect(recorded).toMatchObject({ tool: "post_letter", upstream: "mcp:post/send" });
    expect(rack.overlays.originOf("post_letter")).toMatchObject({ source: "post-1", tool: "send", shownAs: "post_letter" });
    expect(rack.overlays.originOf("send")).toMatchObject({ shownAs: "post_letter" });
  });

  it("pins a value that no caller sees, changes or learns of", async () => {
    const rack = await open({ send: { parameters: { to: { value: "archive@example.com" }, bcc: { hidden: true } } } });
    const tool = rack.registry.get("send")!;
    const shown = JSON.stringify({ ...tool, handler: undefined });
    for (const hidden of ['"to"', "archive@", "bcc", "blind", "recipient"]) expect(shown).not.toContain(hidden);
    expect(tool.inputSchema).toMatchObject({ required: ["subject"] });
    expect(await call(rack, "send", { subject: "s" })).toMatchObject({ ok: true, data: { to: "archive@example.com", subject: "s" } });
    for (const input of [{ to: "eve@example.com" }, { bcc: "eve@example.com" }, { recipient: "eve" }, { blind: "eve" }, { TO: "eve" }]) {
      const result = await call(rack, "send", { subject: "s", ...input });
      if (result.ok) expect(result.data).toMatchObject({ to: "archive@example.com" });
      else expect(result).toMatchObject({ code: "INPUT_INVALID", error: expect.not.stringContaining("archive") });
      expect(JSON.stringify(result)).not.toMatch(/"(to|bcc)":"eve/);
    }
    const input = Object.assign(JSON.parse('{"__proto__": {"to": "eve"}}') as object, { subject: "s" });
    expect(Object.entries(((await call(rack, "send", input)) as { data: object }).data)).toContainEqual(["to", "archive@example.com"]);
  });

  it("hides a tool from list, search, description and call, and leaves the others", async () => {
    const rack = await open({ send: { hidden: true } });
    expect([rack.registry.get("send"), rack.registry.get("other")?.name]).toEqual([undefined, "other"]);
    expect(await call(rack, "send", { to: "a", subject: "s" })).toMatchObject({ ok: false, code: "TOOL_NOT_FOUND" });
    expect(rack.overlays.list()).toMatchObject([{ tool: "send", state: "applied", overlay: { hidden: true } }]);
  });

  it("narrows values and limits, and examples with them", async () => {
    const rack = await open({
      send: { parameters: { kind: { enum: ["letter", "parcel"] }, copies: { maximum: 3 }, subject: { minLength: 2 } } },
    });
    expect(rack.registry.get("send")!.metadata!.examples!.map(({ description }) => description)).toEqual(["A letter"]);
    const base = { to: "a", subject: "ab" };
    expect(await call(rack, "send", { ...base, kind: "bomb" })).toMatchObject({ ok: false, code: "INPUT_INVALID" });
    expect(await call(rack, "send", { ...base, copies: 4 })).toMatchObject({ ok: false, code: "INPUT_INVALID" });
    expect(await call(rack, "send", { ...base, subject: "a" })).toMatchObject({ ok: false, code: "INPUT_INVALID" });
    expect(await call(rack, "send", { ...base, kind: "parcel", copies: 3 })).toMatchObject({ ok: true });
  });

  it.each<[string, ToolOverlay, Partial<ToolDefinition>]>([
    ['has no parameter "cc"', { parameters: { cc: { hidden: true } } }, {}],
    ['"to" is required', { parameters: { to: { hidden: true } } }, {}],
    ['the value for "copies" is not valid', { parameters: { copies: { value: 99 } } }, {}],
    ["would allow more", { parameters: { copies: { maximum: 10 } } }, {}],
    ["would allow more", { parameters: { copies: { minimum: 0 } } }, {}],
    ['does not have the value "gift"', { parameters: { kind: { enum: ["gift"] } } }, {}],
    [
      "has rules about",
      { parameters: { a: { value: "x" } } },
      { inputSchema: { type: "object", properties: { a: {}, b: {} }, anyOf: [{ required: ["a"] }, { required: ["b"] }] } },
    ],
  ])("that does not fit takes the tool away rather than its restriction: %s", async (fact, overlay, change) => {
    const rack = await open({ send: overlay }, post([send(change), other]));
    expect(rack.registry.get("send")).toBeUndefined();
    expect(rack.registry.get("other")).toBeDefined();
    expect(problemsOf(rack)).toContain(fact);
    expect(rack.overlays.list()).toMatchObject([{ state: "unfit", problem: expect.stringContaining(fact) }]);
    expect(rack.settings.problems.join("\n")).toContain(fact);
  });

  it("checks what is pinned and given against the original schema as well", async () => {
    const strict = send({
      inputSchema: {
        type: "object",
        properties: { a: { $ref: "#/$defs/n" }, b: { type: "integer" } },
        $defs: { n: { type: "integer", maximum: 5 } },
      },
    });
    const rack = await open({ send: { parameters: { a: { value: 5 } } } }, post([strict]));
    expect(await call(rack, "send", { b: 1 })).toMatchObject({ ok: true, data: { a: 5, b: 1 } });
    const wrong = await open({ send: { parameters: { a: { value: 6 } } } }, post([strict]));
    expect(wrong.registry.get("send")).toBeUndefined();
  });

  it.each(["http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema"])(
    "narrows a parameter that is a reference, also in a schema of %s",
    async ($schema) => {
      const definitions = { n: { type: "integer", description: "A number." } };
      const inputSchema = { $schema, type: "object", properties: { n: { $ref: "#/definitions/n" } }, definitions };
      const rack = await open({ send: { parameters: { n: { maximum: 3 } } } }, post([send({ inputSchema })]));
      expect(await call(rack, "send", { n: 3 })).toMatchObject({ ok: true });
      expect(await call(rack, "send", { n: 4 })).toMatchObject({ ok: false, code: "INPUT_INVALID" });
    },
  );

  it("is told as stale when the field below it changes at the source, until a person confirms it", async () => {
    const source = post();
    const rack = await open({ send: { description: "Mine.", parameters: { to: { value: "x" } } } }, source);
    await until(async () => (await openDefinitionLog(rack.store).list()).some(({ kind }) => kind === "overlay"));
    source.change([send({ title: "Another title" }), other]);
    await until(() => rack.overlays.original("send") !== undefined && "title" in rack.overlays.original("send")!);
    expect(rack.overlays.get("send")).toMatchObject({ state: "applied", stale: [] });
    source.change([send({ description: "Deletes the letter afterwards." }), other]);
    await until(() => rack.overlays.get("send")?.state === "stale");
    expect(rack.overlays.get("send")).toMatchObject({ stale: ["/description"] });
    expect(rack.settings.problems.join("\n")).toContain("toolrack overlay confirm send");
    expect(rack.registry.get("send")).toMatchObject({ description: "Mine." });
    expect(await rack.overlays.confirm("send", "anna")).toMatchObject({ state: "applied", stale: [], by: "anna" });
    expect((await listAudit(rack.store, { kinds: ["overlay-confirmed"] }))[0]).toMatchObject({ agent: "anna" });
  });

  it("is set and removed at once by a person, on every server of the store, with both names in audit and log", async () => {
    await using server = await openTestServer({ config: { store: { memory: true } } });
    await server.rack.registry.addSource(post());
    const put = (overlay: unknown, name = "send") => server.ask("PUT", `/tools/${name}/overlay`, { overlay, reason: "shorter" });
    expect(await put({ name: "mail", parameters: { bcc: { hidden: true } } })).toMatchObject({
      status: 200,
      body: { tool: "send", shownAs: "mail", source: "post-1", state: "applied", by: "owner", reason: "shorter" },
    });
    expect((await server.ask("GET", "/tools/mail")).body).toMatchObject({
      overlay: { tool: "send", origin: expect.stringMatching(/^record /) },
    });
    expect((await server.ask("GET", "/tools/send")).status).toBe(404);
    expect(await put({ name: "mail2" }, "mail")).toMatchObject({ status: 200, body: { shownAs: "mail2" } });
    expect((await listAudit(server.rack.store, { kinds: ["overlay-set"] })).map(({ subject, body }) => [subject, body])).toMatchObject([
      ["mail2", { upstream: { source: "post-1", tool: "send" } }],
      ["mail", { upstream: { source: "post-1", tool: "send" } }],
    ]);
    const logged = await openDefinitionLog(server.rack.store).list({ tool: "send" });
    expect(logged.filter(({ kind }) => kind === "overlay")).toMatchObject([
      { kind: "overlay", source: "post-1", by: "owner", detail: { shownAs: "mail2" } },
      { kind: "overlay", detail: { shownAs: "mail", reason: "shorter" } },
    ]);
    expect(await server.ask("DELETE", "/tools/mail2/overlay")).toMatchObject({ status: 200, body: { shownAs: "mail2" } });
    expect((await server.ask("GET", "/tools/send")).body).toMatchObject({ description: "Sends a letter." });
    expect(await server.ask("DELETE", "/tools/send/overlay")).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect((await server.ask("GET", "/overlays")).body).toEqual({ overlays: [] });
  });

  it("never takes the name of another tool, and says who has it", async () => {
    await using server = await openTestServer({
      config: { store: { memory: true }, overlays: { post: { send: { name: "other" } } } },
      tools: [defineTool({ ...other, name: "ours" })],
    });
    await server.rack.registry.addSource(post());
    expect(
      server.rack.registry
        .sources()
        .find(({ id }) => id === "mcp:post")!
        .problems.join(),
    ).toContain('renames a tool of "mcp:post" to "other"');
    expect(await server.rack.registry.invoke("other", {}, { caller })).toMatchObject({ ok: true, content: "other" });
    for (const [name, holder] of [
      ["other", "mcp:post"],
      ["ours", "tools"],
    ])
      expect(await server.ask("PUT", "/tools/send/overlay", { overlay: { name } })).toMatchObject({
        status: 409,
        body: { code: "NAME_TAKEN", detail: expect.stringContaining(`"${holder}"`) },
      });
    expect(await server.ask("PUT", "/tools/nothing/overlay", { overlay: { name: "x" } })).toMatchObject({ status: 404 });
    expect(await server.ask("PUT", "/tools/send/overlay", { overlay: {} })).toMatchObject({ status: 400 });
    expect(await server.ask("PUT", "/tools/send/overlay", { overlay: { parameters: { to: { hidden: true } } } })).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining("Pin a value") },
    });
  });

  it("of a person is not applied to another server behind the same name: the tool waits", async () => {
    const rack = await open(undefined);
    await rack.overlays.set("send", { parameters: { to: { value: "secret-archive" } } }, "anna");
    await rack.registry.removeSource("mcp:post");
    await rack.registry.addSource(post([send(), other], "post-2"));
    expect(rack.registry.get("send")).toBeUndefined();
    expect(problemsOf(rack)).toContain("was made for another server or program");
    await rack.overlays.set("send", { description: "Looked at." }, "anna");
    expect(rack.registry.get("send")).toMatchObject({ description: "Looked at." });
  });

  it("costs nothing where there is none: the tools are the very same objects", async () => {
    const tool = send();
    const rack = await open(undefined, codeSource("mcp:post", [tool]));
    expect(rack.registry.get("send")).toBe(tool);
  });

  it("that names nothing is told", async () => {
    const rack = await open({ sned: { hidden: true } });
    expect(rack.settings.problems.join("\n")).toMatch(/overlays\.post\.sned .*has no tool "sned"/);
  });
});
