import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ToolError } from "@toolrack/core";
import { providerTargets } from "@toolrack/core/vendors";
import { sourceContract } from "@toolrack/core/testing";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";
import type { RackConfig } from "../../../src/config/config.ts";
import { changedValues } from "../../../src/config/changes.ts";
import { toShownSource } from "../../../src/config/shown-source.ts";
import { readConfig } from "../../../src/config/read.ts";
import { defineModule, type ServerModule } from "../../../src/module.ts";
import { loadModules } from "../../../src/rack/modules/load-modules.ts";
import type { Rack } from "../../../src/rack/rack.ts";

const ticketsFile = fileURLToPath(new URL("../../fixtures/modules/tickets.mjs", import.meta.url));
const { parts } = (await import(ticketsFile)) as { readonly parts: ServerModule };
const store = { memory: true } as const;
const openWith = (config: Omit<RackConfig, "store">): Promise<Rack> => openTestRack({ config: { store, ...config } });
const owner = { agent: "local", owner: true } as const;
const call = (rack: Rack, tool: string, input: object = {}) => rack.call(tool, input, { caller: owner }).result;

/** A module file without imports, since none can be resolved from a temporary folder. */
function writeModule(folder: string, name: string, parts: string): void {
  const text = `export default Object.defineProperty(${parts}, Symbol.for("toolrack.module"), { value: true });\n`;
  writeFileSync(join(folder, name), text);
}

const wrapper = (name: string): string => `{ wrappers: [{ at: "outermost", wrapper: { name: "${name}" } }] }`;
const lintRule = (id: string): string => `{ lintRules: [{ id: "${id}", severity: "info", finds: "Nothing.", check() {} }] }`;

describe("a module made by defineModule", () => {
  it.each([
    ["could not be loaded when the server started", "}{"],
    ["had no wrapper then", "{ tools: [] }"],
  ])("serves no tool without the wrapper that it has by now, where it %s", async (_, atStart) => {
    const folder = temporaryFolder();
    const file = join(folder, "pay.mjs");
    writeModule(folder, "pay.mjs", atStart);
    utimesSync(file, 1, 1);
    const rack = await openWith({ tools: { modules: [file] } });
    await rack.sources.ready();
    const tools = `[{ name: "pay", description: "Pays.", inputSchema: { type: "object" }, handler: () => "PAID" }]`;
    const guard = `{ at: "before-hooks", wrapper: { name: "guard", beforeRun: (call) => call.fail("BLOCKED", "No.") } }`;
    writeModule(folder, "pay.mjs", `{ tools: ${tools}, wrappers: [${guard}] }`);
    await rack.sources.refresh(`module:${file}`);
    expect(await call(rack, "pay")).toMatchObject({ ok: false, code: "TOOL_NOT_FOUND" });
    const [source] = rack.sources.list().filter(({ id }) => id === `module:${file}`);
    expect(JSON.stringify(source)).toContain('has the new wrapper \\"guard\\"');
  });

  it("adds tools, a kind of stored tool, a pack with options and a type of source", async () => {
    const rack = await openWith({
      tools: { modules: [ticketsFile], packs: { tickets: { prefix: "X" } } },
      sources: { greetings: { type: "word-list", options: { words: ["hello"] } } },
    });
    await rack.sources.ready();
    expect(await call(rack, "ticket_count")).toMatchObject({ ok: true, content: "3" });
    expect(await call(rack, "ticket_open")).toMatchObject({ ok: true, content: "X-1" });
    expect(await call(rack, "say_hello")).toMatchObject({ ok: true, content: "hello" });
    await rack.store.as({ ...rack.store.actor, approvesOwn: true }).put(
      {
        id: "tool-def-greet",
        schema_name: "tool.definition.v1",
        title: "greet",
        tags: ["tool:definition"],
        context: {
          name: "greet",
          description: "Greets.",
          inputSchema: { type: "object", properties: { name: { type: "string" } } },
          implementation: { kind: "template", text: "Hello, {name}." },
          state: "approved",
        },
      },
      { approve: { reason: "test" } },
    );
    await rack.sources.refresh("records");
    expect(await call(rack, "greet", { name: "Ada" })).toMatchObject({ ok: true, content: "Hello, Ada." });
  });

  it("is listed with what it supplies", async () => {
    const rack = await openWith({ tools: { modules: [ticketsFile] } });
    expect(rack.sources.list().find(({ id }) => id === `module:${ticketsFile}`)).toMatchObject({
      state: "ready",
      tools: ["ticket_count"],
      supplies: {
        kinds: ["template"],
        packs: ["tickets"],
        sources: ["word-list"],
        vendors: ["acme"],
        wrappers: ["ticket-limit"],
        lintRules: ["ticket-prefix"],
      },
    });
    expect(rack.registry.list().map(({ name }) => name)).not.toContain("ticket_open");
  });

  it("adds nothing where no code of the file may run", async () => {
    const config = { store, tools: { modules: [ticketsFile], packs: { tickets: true } } };
    const rack = await openTestRack({ config, startSources: false });
    expect(rack.registry.list().map(({ name }) => name)).not.toContain("ticket_open");
    expect(rack.modules.packs.size).toBe(0);
  });

  it("is governed by the policy like everything else", async () => {
    const rack = await openWith({
      tools: { modules: [ticketsFile], packs: { tickets: true } },
      policy: { tools: { deny: ["ticket_open"] } },
    });
    expect(await call(rack, "ticket_open")).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
  });
});

describe("names that modules add", () => {
  it.each([
    ["pack", `{ packs: [{ name: "files", open: () => [] }] }`, '"./a.mjs" adds the pack "files", but a pack of this name is built in'],
    ["kind", `{ kinds: [{ kind: "http", createHandler: () => () => "" }] }`, '"./a.mjs" adds the kind of stored tool "http"'],
    ["source", `{ sources: [{ type: "mcp", create: () => undefined }] }`, '"./a.mjs" adds the type of source "mcp"'],
    ["vendor", `{ vendors: [{ name: "openai" }] }`, '"./a.mjs" adds the vendor "openai"'],
    ["lint rule", lintRule("open-object"), '"./a.mjs" adds the lint rule "open-object"'],
    ["lint rule of the server", lintRule("plain-credential"), '"./a.mjs" adds the lint rule "plain-credential"'],
    ["wrapper", wrapper("result-size"), 'Two wrappers are named "result-size"'],
  ])("are refused where a %s of this name is built in", async (_, parts, message) => {
    const folder = temporaryFolder();
    writeModule(folder, "a.mjs", parts);
    await expect(openTestRack({ folder, config: { store, tools: { modules: ["./a.mjs"] } } })).rejects.toThrow(message);
  });

  it("are refused where two modules add the same one, and the error names both", async () => {
    const folder = temporaryFolder();
    for (const name of ["a.mjs", "b.mjs"]) writeModule(folder, name, `{ packs: [{ name: "tickets", open: () => [] }] }`);
    const loading = loadModules(["./a.mjs", "./b.mjs"], folder);
    await expect(loading).rejects.toThrow('tools.modules: the modules "./a.mjs" and "./b.mjs" both add the pack "tickets".');
    await expect(loading).rejects.toSatisfy((error) => ToolError.is(error) && error.code === "CONFIG_INVALID");
  });

  it.each([
    ["kind of stored tool", `{ kinds: [{ kind: "mine", createHandler: () => () => "" }] }`],
    ["type of source", `{ sources: [{ type: "mine", create: () => undefined }] }`],
    ["wrapper", wrapper("mine")],
    ["lint rule", lintRule("mine")],
  ])("are refused where two modules add one %s", async (what, parts) => {
    const folder = temporaryFolder();
    for (const name of ["a.mjs", "b.mjs"]) writeModule(folder, name, parts);
    await expect(loadModules(["./a.mjs", "./b.mjs"], folder)).rejects.toThrow(`"./a.mjs" and "./b.mjs" both add the ${what} "mine".`);
    expect((await loadModules(["./a.mjs", "./a.mjs"], folder)).supplies.size).toBe(1);
  });

  it("are refused where one module adds the same one twice", async () => {
    const folder = temporaryFolder();
    const pack = `{ name: "tickets", open: () => [] }`;
    writeModule(folder, "a.mjs", `{ packs: [${pack}, ${pack}] }`);
    await expect(loadModules(["./a.mjs"], folder)).rejects.toThrow('the module "./a.mjs" adds the pack "tickets" twice');
  });

  it("cannot be added to a module after it was defined", () => {
    const packs = [{ name: "tickets", open: () => [] }];
    const made = defineModule({ packs });
    packs.push({ name: "more", open: () => [] });
    expect(made.packs?.map(({ name }) => name)).toEqual(["tickets"]);
    expect([Object.isFrozen(made), Object.isFrozen(made.packs)]).toEqual([true, true]);
  });

  it("are checked by defineModule", () => {
    expect(() => defineModule({ packs: [{ name: "Tickets", open: () => [] }] })).toThrow("packs[0].name of a module must be a name");
    expect(() => defineModule({ sources: [{ type: "x" } as never] })).toThrow('sources[0] of a module ("x") lacks the function create.');
    expect(() => defineModule({ tolls: [] } as never)).toThrow('"tolls" is not a part of a module. Did you mean "tools"?');
    expect(() => defineModule({ tools: {} } as never)).toThrow('"tools" of a module must be a list.');
    expect(() => defineModule({ vendors: [{ name: "x" } as never] })).toThrow('Provider "x": "wire" must be an object');
    expect(() => defineModule([] as never)).toThrow("A module is an object");
    const wrap = (wrapper: object, at = "outermost") => defineModule({ wrappers: [{ wrapper, at } as never] });
    expect(() => wrap({ name: "mine" }, "outermots")).toThrow(
      '"wrappers[0].at" must be "outermost", "before-limits", "before-hooks", "before-queue" or "each-attempt", not "outermots".',
    );
    expect(() => wrap({ name: "My wrapper" })).toThrow("The name of a wrapper must be lower-case letters");
    expect(() => defineModule({ wrappers: [{ name: "mine" } as never] })).toThrow("wrappers[0] of a module must be { wrapper, at }");
    // Built in, and in the chain of a server only where its configuration sets the limit.
    for (const name of ["rate-limit", "call-budget", "retry", "redact", "workspace-guard", "loop-detection", "circuit-breaker"])
      expect(() => wrap({ name }), name).toThrow(`Two wrappers are named "${name}". Give yours another name.`);
    expect(() => defineModule({ lintRules: [{ id: "mine", severity: "fatal" } as never] })).toThrow('Lint rule "mine": "severity" must be');
  });
});

describe("a configuration that names what no module adds", () => {
  it("is refused for a pack, and the error lists the known ones", async () => {
    await expect(openWith({ tools: { modules: [ticketsFile], packs: { tickts: true } } })).rejects.toThrow(
      'tools.packs.tickts is not a known pack. Did you mean "tickets"? Known packs: files, runtime, code, web, memory, commerce, publish, media, messages, browser, sessions, automation, canvas, utility, search, programs, tickets.',
    );
  });

  it("is refused with the reason, where the module could not be loaded", async () => {
    const opening = openTestRack({
      folder: temporaryFolder(),
      config: { store, tools: { modules: ["./gone.mjs"], packs: { tickets: true } } },
    });
    await expect(opening).rejects.toThrow('The module "./gone.mjs" could not be loaded');
  });

  it("is refused for options that do not fit the pack", async () => {
    await expect(openWith({ tools: { modules: [ticketsFile], packs: { tickets: { prefix: 1 } } } })).rejects.toThrow(
      /^tools\.packs\.tickets\.prefix must be a text\.$/,
    );
  });

  it.each([
    ["prefx: SHOP", 'toolrack.config.yaml:6 tools.packs.tickets.prefx is not a known option. Did you mean "prefix"?'],
    ["prefix: [SHOP]", "toolrack.config.yaml:6 tools.packs.tickets.prefix must be a text."],
    ["colour: red", "toolrack.config.yaml:6 tools.packs.tickets.colour is not a known option. Use prefix."],
  ])("is refused with the line of the file: %s", async (option, message) => {
    const folder = temporaryFolder();
    const text = `store: { memory: true }\ntools:\n  modules: [${JSON.stringify(ticketsFile)}]\n  packs:\n    tickets:\n      ${option}\n`;
    writeFileSync(join(folder, "toolrack.config.yaml"), text);
    await expect(openTestRack({ folder, config: undefined })).rejects.toThrow(message);
  });

  it("gives a pack and a source the defaults of their options", async () => {
    const folder = temporaryFolder();
    const schema = '{ type: "object", properties: { word: { type: "string", default: "hello" } }, additionalProperties: false }';
    const tool = '{ name: NAME, description: "Says a word.", inputSchema: { type: "object" }, handler: () => options.word }';
    writeModule(
      folder,
      "defaults.mjs",
      `{
        packs: [{ name: "words", options: ${schema}, open: (options) => [${tool.replace("NAME", '"of_pack"')}] }],
        sources: [{ type: "words", options: ${schema}, create: (options) => ({ id: "words", list: () => [${tool.replace("NAME", '"of_source"')}] }) }],
      }`,
    );
    const config: RackConfig = {
      store,
      tools: { modules: ["./defaults.mjs"], packs: { words: true } },
      sources: { mine: { type: "words" } },
    };
    const rack = await openTestRack({ folder, config });
    await rack.sources.ready();
    expect(await call(rack, "of_pack")).toMatchObject({ ok: true, content: "hello" });
    expect(await call(rack, "of_source")).toMatchObject({ ok: true, content: "hello" });
  });

  it.each([
    ["() => { throw new Error('no such desk'); }", "The pack of tools.packs.broken could not be opened: no such desk"],
    ["() => ({})", "The pack of tools.packs.broken could not be opened: its function open must return a list of tools."],
  ])("is refused where its function open fails: %s", async (open, message) => {
    const folder = temporaryFolder();
    writeModule(folder, "broken.mjs", `{ packs: [{ name: "broken", open: ${open} }] }`);
    const config: RackConfig = { store, tools: { modules: ["./broken.mjs"], packs: { broken: true } } };
    await expect(openTestRack({ folder, config })).rejects.toThrow(message);
  });

  it("has a source that failed, which lists the known types", async () => {
    const rack = await openWith({ tools: { modules: [ticketsFile] }, sources: { mine: { type: "wordlist" } } });
    await rack.sources.ready();
    expect(rack.sources.list().find(({ id }) => id === "mine")).toMatchObject({
      state: "failed",
      error:
        'sources.mine.type: "wordlist" is not a known type of source. Did you mean "word-list"? Known types: mcp, word-list. A module of tools.modules can add one.',
    });
  });

  it("is refused as before where it names no modules", () => {
    const read = readConfig("tools:\n  packs:\n    tickets: true\n", "toolrack.config.yaml");
    expect(read).toMatchObject({ ok: false, issues: [{ line: 3 }] });
  });
});

describe("a module that cannot be loaded", () => {
  const failureOf = async (text: string, name = "broken.mjs"): Promise<string | undefined> => {
    const folder = temporaryFolder({ [name]: text });
    const rack = await openTestRack({ folder, config: { store, tools: { modules: [`./${name}`] } } });
    return rack.sources.list().find(({ id }) => id === `module:./${name}`)?.error;
  };

  it.each([
    ["an error that it throws", 'const a = 1;\n\nthrow new Error("no key");\n', /could not be loaded: broken\.mjs:3:\d+ no key$/],
    [
      "a name that is not defined",
      "export default [tool];\n",
      /could not be loaded: broken\.mjs:1:\d+ ReferenceError: tool is not defined$/,
    ],
    ["a package that is not installed", 'import "no-such-package";\n', /could not be loaded: .*no-such-package/],
  ])("is a source that failed, with file, line and cause: %s", async (_, text, expected) => {
    expect(await failureOf(text)).toMatch(expected);
  });

  it("says so where its file or package is not there", async () => {
    const folder = temporaryFolder();
    const modules = ["./gone.mjs", "no-such-package"];
    const rack = await openTestRack({ folder, config: { store, tools: { modules } } });
    const [file, installed] = modules.map((name) => rack.sources.list().find(({ id }) => id === `module:${name}`)?.error);
    expect(file).toBe('The module "./gone.mjs" could not be loaded: there is no file gone.mjs.');
    expect(installed).toMatch(/^The module "no-such-package" could not be loaded: no such package is installed in /);
  });

  it.each([
    [
      "export default { tools: [], packs: [] };",
      /exports tools, packs without defineModule\. Write "export default defineModule\(\{ tools, packs \}\)"/,
    ],
    ["export const tools = [], wrappers = [];", /exports tools, wrappers without defineModule\./],
    ["export default { tools: [] };", /exports tools without defineModule\./],
    [
      "export const tool = {}, other = 1;",
      /exports no tools, but other, tool\. Export as default a tool, a list of tools, or the value of defineModule\./,
    ],
    ["export {};", /exports no tools, but nothing\./],
    ["export default () => [];", /exports no tools, but a default of the type function\./],
  ])("says what it exports, and what it should: %s", async (text, expected) => {
    expect(await failureOf(text)).toMatch(expected);
  });

  it("is logged when the server starts, and prevents the start where modules are required", async () => {
    const folder = temporaryFolder({ "broken.mjs": "throw new Error('no key');\n" });
    const errors: string[] = [];
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: (text: string) => void errors.push(text) };
    const tools = { modules: ["./broken.mjs"] };
    await openTestRack({ folder, config: { store, tools }, log });
    expect(errors).toEqual([expect.stringMatching(/^The module "\.\/broken\.mjs" could not be loaded: broken\.mjs:1:7 no key$/)]);
    const opening = openTestRack({ folder, config: { store, tools: { ...tools, requireModules: true } } });
    await expect(opening).rejects.toThrow("tools.requireModules is true, so the server does not start without it.");
  });
});

describe("a source of a module", () => {
  const words = (word: string): object => ({ type: "word-list", options: { words: [word] } });
  const stateOf = (rack: Rack, id: string): string | undefined => rack.sources.list().find((source) => source.id === id)?.state;

  it("S21: waits for approval when it is added at run time, and again when its options change", async () => {
    const rack = await openWith({ tools: { modules: [ticketsFile] } });
    await rack.settings.set("sources.later", words("first"), "admin");
    await rack.sources.ready();
    expect(stateOf(rack, "later")).toBe("waiting-for-approval");
    expect(rack.registry.has("say_first")).toBe(false);
    const { identity } = rack.sources.list().find(({ id }) => id === "later")!;
    await rack.sources.approve("later", identity!, "admin");
    await rack.sources.ready();
    expect(await call(rack, "say_first")).toMatchObject({ content: "first" });
    await rack.settings.set("sources.later", words("second"), "admin");
    await rack.sources.ready();
    expect(stateOf(rack, "later")).toBe("waiting-for-approval");
    expect([rack.registry.has("say_first"), rack.registry.has("say_second")]).toEqual([false, false]);
  });

  it("shows no credential of its options", async () => {
    const source = { type: "word-list", options: { words: [], token: "abc123", nested: { url: "https://me:pw@example.com/x" } } };
    const rack = await openWith({ tools: { modules: [ticketsFile] }, sources: { mine: source } });
    const text = JSON.stringify(rack.sources.list());
    expect([text.includes("abc123"), text.includes(":pw@")]).toEqual([false, false]);
  });

  it.each([
    { auth: { value: "hunter2hunter2" } },
    { headers: { "x-auth": "hunter2hunter2" } },
    { password: 12345678 },
    { passwords: ["hunter2hunter2"] },
    { key: "hunter2 hunter2" },
    { note: "-----BEGIN PRIVATE KEY-----hunter2hunter2" },
  ])("shows nothing below a name of its options that sounds like a credential: %j", (options) => {
    const shown = JSON.stringify(toShownSource({ type: "crm", options }));
    expect([shown.includes("hunter2"), shown.includes("12345678")]).toEqual([false, false]);
    const [path, value] = Object.entries(options)[0]!;
    const changed = changedValues({
      key: "",
      effect: "approval",
      path: ["sources", "crm", "options", path],
      before: undefined,
      after: value,
    });
    expect([JSON.stringify(changed).includes("hunter2"), JSON.stringify(changed).includes("12345678")]).toEqual([false, false]);
  });

  it("does not quote an option that is wrong", async () => {
    const source = { type: "word-list", options: { words: "hunter2hunter2" } };
    const rack = await openWith({ tools: { modules: [ticketsFile] }, sources: { mine: source } });
    await rack.sources.ready();
    const { error } = rack.sources.list().find(({ id }) => id === "mine") as { error?: string };
    expect(error).toMatch(/^sources\.mine\.options\.words must be /);
    expect(error).not.toContain("hunter2");
  });

  it("takes neither a command nor a url", () => {
    const read = readConfig("sources:\n  mine: { type: word-list, url: 'https://example.com' }\n", "toolrack.config.yaml");
    expect(read).toMatchObject({ ok: false });
    expect(JSON.stringify(read)).toContain("url can be set for MCP servers only. Put the settings of this type under options.");
  });

  const kind = defineModule(parts).sources![0]!;
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const make = () => kind.create({ words: ["a", "b"] }, { id: "x", folder: ".", log, secret: async () => undefined });
  for (const check of sourceContract("word-list", make, { tools: ["say_a", "say_b"] })) it(check.name, check.run);
});

describe("a kind of stored tool that a module adds", () => {
  it("is named among the known ones when a definition asks for another", async () => {
    const rack = await openWith({ tools: { modules: [ticketsFile] } });
    await rack.store.as({ ...rack.store.actor, approvesOwn: true }).put(
      {
        id: "tool-def-bad",
        schema_name: "tool.definition.v1",
        title: "bad",
        tags: ["tool:definition"],
        context: {
          name: "bad",
          description: "Bad.",
          inputSchema: { type: "object" },
          implementation: { kind: "tmplate" },
          state: "approved",
        },
      },
      { approve: { reason: "test" } },
    );
    const records = await rack.sources.refresh("records");
    expect(records?.problems.join()).toContain('kind "tmplate" cannot run here. Known are local, http, code, chain, process, template.');
  });
});

describe("SD2: a pack of a module", () => {
  it("makes the workspace writable, so that no module may lie there", async () => {
    const folder = temporaryFolder();
    writeModule(folder, "mine.mjs", `{ packs: [{ name: "tickets", open: () => [] }] }`);
    const config: RackConfig = { store, workspace: ".", tools: { modules: ["./mine.mjs"], packs: { tickets: true } } };
    await expect(openTestRack({ folder, config })).rejects.toThrow("tools.modules: ./mine.mjs lies in the workspace");
  });
});

describe("a wrapper of a module", () => {
  it("is around every call of a tool that it applies to, on the server and in its list of wrappers", async () => {
    const rack = await openWith({ tools: { modules: [ticketsFile] } });
    expect(await call(rack, "ticket_count", { limit: 100 })).toMatchObject({ ok: true, content: "3" });
    expect(await call(rack, "ticket_count", { limit: 101 })).toMatchObject({ ok: false, code: "BLOCKED" });
    expect(rack.registry.wrappers("ticket_count")).toContain("ticket-limit");
    expect(rack.registry.wrappers("calculator")).not.toContain("ticket-limit");
  });

  it("stands beside those of the options of openRack", async () => {
    const own = { at: "outermost", wrapper: { name: "mine" } } as const;
    const rack = await openTestRack({ config: { store, tools: { modules: [ticketsFile] } }, registry: { wrappers: [own] } });
    expect(rack.registry.wrappers("ticket_count")).toEqual(expect.arrayContaining(["mine", "ticket-limit"]));
  });
});

describe("a lint rule of a module", () => {
  it("is applied to every tool of the server", async () => {
    const { ask } = serverOver(await openWith({ tools: { modules: [ticketsFile] } }));
    const { body } = await ask("GET", "/lint");
    const found = (body.findings as readonly { readonly rule: string; readonly tool: string }[]).filter(
      ({ rule }) => rule === "ticket-prefix",
    );
    expect(found.map(({ tool }) => tool)).toContain("calculator");
    expect(found.map(({ tool }) => tool)).not.toContain("ticket_count");
  });
});

describe("a vendor of a module", () => {
  it("is listed over HTTP, and exports the tools of the caller by its name", async () => {
    const { ask } = serverOver(await openWith({ tools: { modules: [ticketsFile] }, policy: { tools: { deny: ["calculator"] } } }));
    const { vendors } = (await ask("GET", "/exports")).body as { readonly vendors: readonly string[] };
    expect(vendors).toEqual([...providerTargets, "acme"]);
    const { status, body } = await ask("GET", "/exports/acme");
    expect([status, body.target]).toEqual([200, "acme"]);
    expect(body.tools).toContainEqual({ kind: "tool", name: "ticket_count", about: "Counts tickets.", input: { type: "object" } });
    expect(JSON.stringify(body)).not.toContain("calculator");
  });

  it("is unknown without its module, and the error lists the known ones", async () => {
    const { ask } = serverOver(await openWith({}));
    const { status, body } = await ask("GET", "/exports/acme");
    expect([status, body.code]).toEqual([400, "REQUEST_INVALID"]);
    expect(body.detail).toContain("anthropic-strict");
  });
});
