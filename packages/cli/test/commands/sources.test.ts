import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { Refusal, runScripted } from "../_scripted.ts";

const memory = {
  id: "memory",
  kind: "mcp",
  state: "ready",
  tools: ["a", "b"],
  origin: "policy.yaml",
  problems: [],
  config: { command: "npx", args: ["-y", "memory@1.0.0"] },
  identity: "sha256:m",
};

describe("toolrack sources", () => {
  it("lists sources with their state, their problems, and what each starts, reaches or supplies", async () => {
    const supplies = { kinds: ["k"], packs: ["p", "q"], sources: [], vendors: ["v"], wrappers: ["w"], lintRules: ["l", "m"] };
    const waiting = { ...memory, id: "new", state: "waiting-for-approval", tools: [], error: "it waits" };
    const own = { id: "own", kind: "module", state: "ready", tools: [], origin: "file", problems: ["x is no tool"], supplies };
    const bare = { ...own, id: "bare", supplies: undefined, problems: [] };
    const listed = await runScripted(["sources"], { "GET /sources": { sources: [memory, waiting, own, bare] } });
    expect(listed.output.split("\n")).toEqual([
      "SOURCE  KIND    STATE                 TOOLS  FROM         LAST ERROR",
      "memory  mcp     ready                 2      policy.yaml",
      "new     mcp     waiting-for-approval  0      policy.yaml  it waits",
      "own     module  ready                 0      file",
      "bare    module  ready                 0      file",
      "own: x is no tool",
      "memory:",
      '  command: "npx"',
      '  args: ["-y","memory@1.0.0"]',
      "  digest: sha256:m",
      "new:",
      '  command: "npx"',
      '  args: ["-y","memory@1.0.0"]',
      "  digest: sha256:m",
      "  approve with: toolrack sources approve new sha256:m",
      "own:",
      "  supplies kind of stored tool k; packs p, q; vendor v; wrapper w; lint rules l, m",
      "",
    ]);
  });

  it("counts the tools that wait for a person, and names them and the next command when a source is read again", async () => {
    const grant =
      'Tool "memory__x" was left out: The tool "x" asks for secrets token, and nobody granted that. Look at it, and grant it, with: toolrack grants add memory/x --reason "why"';
    const held = { ...memory, tools: [], held: ["memory__c", "memory__d"], problems: [grant] };
    const listed = await runScripted(["sources"], { "GET /sources": { sources: [held] } });
    expect(listed.output).toContain("memory  mcp   ready  0 (2 held)");
    expect(listed.output).toContain("\nHeld tools wait for a person. See what waits: toolrack approvals\n");
    const read = await runScripted(["sources", "refresh", "memory"], { "POST /sources/memory/refresh": held });
    expect(read.output.split("\n")).toEqual([
      "memory is ready, with 0 tools.",
      "2 tools wait for a person to look at the definition: memory__c, memory__d. 1 tool waits for a grant. See what waits: toolrack approvals",
      `  ${grant}`,
      "",
    ]);
  });

  it.each([
    [["docs", "https://docs.example.com/mcp"], { url: "https://docs.example.com/mcp", storeSecrets: true }],
    [["docs", "--", "node", "server.js", "-x"], { command: "node", args: ["server.js", "-x"] }],
    [["docs", "--allow-unpinned", "--", "npx", "x"], { command: "npx", args: ["x"], allowUnpinned: true }],
    [["docs", "--type", "faq", "file=a.json"], { type: "faq", options: { file: "a.json" } }],
    [
      ["docs", "http://127.0.0.1:3000/mcp", "--allow-host", "127.0.0.1:3000", "--header", "X-A: b: c", "--header", "Accept:text/plain"],
      {
        url: "http://127.0.0.1:3000/mcp",
        headers: { "X-A": "b: c", Accept: "text/plain" },
        allowHosts: ["127.0.0.1:3000"],
        storeSecrets: true,
      },
    ],
    [["docs", "--env", "A=b=c", "--env", "D=", "--", "node"], { command: "node", args: [], env: { A: "b=c", D: "" }, storeSecrets: true }],
    [
      ["docs", "--replace", "--env", "A=b", "--", "node"],
      { command: "node", args: [], env: { A: "b" }, storeSecrets: true, replaceSecrets: true },
    ],
  ])("adds %j", async (words, body) => {
    const added = await runScripted(["sources", "add", ...words], { "PUT /sources/docs": { ...memory, id: "docs" } });
    expect(added).toMatchObject({
      code: 0,
      asked: [`PUT /sources/docs ${JSON.stringify(body)}`],
      output: "docs is ready, with 2 tools: a, b.\n",
    });
  });

  it("approves what it has just added, waits for its first list, and ends with 1 where it fails", async () => {
    const added = await runScripted(["sources", "add", "memory", "--", "npx"], {
      "PUT /sources/memory": { ...memory, state: "waiting-for-approval" },
      "POST /sources/memory/approve": { ...memory, state: "starting" },
      "GET /sources": { sources: [{ ...memory, id: "other" }, memory] },
    });
    expect(added).toMatchObject({ code: 0, output: "memory is ready, with 2 tools: a, b.\n" });
    expect(added.asked.slice(1)).toEqual(['POST /sources/memory/approve {"identity":"sha256:m"}', "GET /sources"]);
    const failed = await runScripted(["sources", "add", "memory", "--", "npx"], {
      "PUT /sources/memory": { ...memory, state: "failed", error: "gone" },
    });
    expect(failed).toMatchObject({
      code: 1,
      output: expect.stringMatching(
        /^memory failed: gone\nIt is tried again by itself; after you have fixed the cause, at once with: toolrack sources refresh memory\b/,
      ),
    });
    const silent = await runScripted(["sources", "add", "memory", "--", "npx"], { "PUT /sources/memory": { ...memory, state: "failed" } });
    expect(silent.output).toContain("memory failed: unknown reason\n");
    const refused = await runScripted(["sources", "add", "own", "http://127.0.0.1:1/mcp"], {
      "PUT /sources/own": {
        ...memory,
        id: "own",
        state: "failed",
        error: '"127.0.0.1:1" is not an address of the public internet. If it is meant, add it to sources.own.openapi.allowHosts.',
      },
    });
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining("--allow-host") });
    const nothing = await runScripted(["sources", "add", "memory"], {});
    expect(nothing).toMatchObject({ code: 2, asked: [], errors: "Add a URL, or -- followed by a program.\n" });
  });

  it("approves a program by the digest that was looked at alone", async () => {
    const waiting = { ...memory, state: "waiting-for-approval" };
    const script = { "GET /sources": { sources: [waiting] }, "POST /sources/memory/approve": memory };
    const shown = await runScripted(["sources", "approve", "memory"], script);
    expect(shown).toMatchObject({ code: 3, asked: ["GET /sources"], output: expect.stringContaining("  digest: sha256:m") });
    expect(shown.errors).toBe("Not approved. Review the program above, then run: toolrack sources approve memory sha256:m\n");
    const other = await runScripted(["sources", "approve", "memory", "sha256:x"], script);
    expect(other).toMatchObject({ code: 3, asked: ["GET /sources"] });
    expect(other.errors).toBe('The program of "memory" has the digest sha256:m, not "sha256:x". Not approved. Review it again.\n');
    const approved = await runScripted(["sources", "approve", "memory", "sha256:m"], script);
    expect(approved).toMatchObject({ code: 0, output: "memory is ready, with 2 tools: a, b.\n" });
    expect(approved.asked[1]).toBe('POST /sources/memory/approve {"identity":"sha256:m"}');
    const ready = await runScripted(["sources", "approve", "memory"], { "GET /sources": { sources: [memory] } });
    expect(ready).toMatchObject({ code: 0, output: expect.stringMatching(/digest: sha256:m\nmemory is not waiting for approval\.\n$/) });
    const unknown = await runScripted(["sources", "approve", "nothing"], script);
    expect(unknown).toMatchObject({ code: 4, errors: 'No source "nothing" starts a program. List them with: toolrack sources list\n' });
  });

  it("reads one again, and removes one", async () => {
    const refreshed = await runScripted(["sources", "refresh", "memory"], { "POST /sources/memory/refresh": memory });
    expect(refreshed).toMatchObject({ asked: ["POST /sources/memory/refresh"], output: "memory is ready, with 2 tools: a, b.\n" });
    const removed = await runScripted(["sources", "remove", "memory"], {
      "DELETE /sources/memory": { id: "memory", removedSecrets: ["memory.TOKEN"], keptSecrets: [] },
    });
    expect(removed).toMatchObject({ output: "memory was removed.\nRemoved with it: the secrets memory.TOKEN.\n" });
  });
});

describe("toolrack sources add", () => {
  it.each([
    [["docs", "https://x.example", "--env", "A=b"], "--env is not for a URL"],
    [["docs", "--header", "A: b", "--", "node"], "--header is not for a program"],
    [["docs", "--allow-host", "a", "--", "node"], "--allow-host is not for a program"],
    [["docs", "https://x.example", "--header", "s3cret"], '--header takes "Name: value"'],
    [["docs", "https://x.example", "--header", "a b: c"], '--header takes "Name: value"'],
    [["docs", "--env", "s3cret", "--", "node"], "--env takes NAME=value"],
  ])("refuses %j, and repeats no value", async (words, error) => {
    const refused = await runScripted(["sources", "add", ...words], {});
    expect(refused).toMatchObject({ code: 2, asked: [], errors: expect.stringContaining(error) });
    expect(refused.errors).not.toContain("s3cret");
  });
});

describe("toolrack sources import", () => {
  const file = (text: string): { folder: string } => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "mcp.json"), text);
    return { folder };
  };
  const planned = {
    name: "memory",
    outcome: "planned",
    config: { command: "npx" },
    secrets: ["memory.TOKEN"],
    missing: ["KEY"],
    variables: [],
  };
  const bad = { name: "bad", outcome: "failed", reason: "it is not an object", secrets: [], missing: [], variables: [] };
  const off = { name: "off", outcome: "skipped", reason: "it is switched off in the file", secrets: [], missing: [], variables: [] };

  it("shows what comes, and changes nothing without a person or --yes", async () => {
    const script = { "POST /sources/import": { sources: [planned, bad, off] } };
    const shown = await runScripted(["sources", "import", "mcp.json"], script, file('{"a": "${env:HOME} ${NOPE}"}'));
    expect(shown.code).toBe(2);
    expect(shown.output.split("\n")).toEqual([
      "memory:",
      '  command: "npx"',
      "  stored as secrets: memory.TOKEN",
      "  memory needs KEY, which is not set: toolrack secrets set KEY",
      "bad cannot be taken over: it is not an object.",
      "off is passed over: it is switched off in the file.",
      "",
    ]);
    expect(shown.errors).toContain("Nothing was changed. Run the command again with --yes");
    expect(shown.asked).toEqual([expect.stringMatching(/^POST \/sources\/import .*"format":"json","folder":"[^"]+","dryRun":true\}$/)]);
    const dry = await runScripted(
      ["sources", "import", "mcp.json", "--dry-run"],
      { "POST /sources/import": { sources: [planned, off] } },
      file("{}"),
    );
    expect(dry).toMatchObject({ code: 0, errors: "" });
  });

  it("says in words why the file cannot be read", async () => {
    const missing = await runScripted(["sources", "import", "mpc.json"], {}, file("{}"));
    expect(missing).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/mpc\.json cannot be read: there is no such file\. Name the file/),
    });
    expect(missing.errors).not.toContain("ENOENT");
  });

  it("adds, approves what was shown, waits, and ends with 1 if one failed", async () => {
    const added = { ...planned, outcome: "added", state: "waiting-for-approval", identity: "sha256:m", missing: [] };
    const answers = [{ sources: [planned, bad] }, { sources: [added, bad] }];
    const server = { "POST /sources/memory/approve": memory, "GET /sources": { sources: [memory] } };
    const script = new Proxy(server as Record<string, unknown>, {
      get: (known, key) => (key === "POST /sources/import" ? answers.shift() : known[String(key)]),
    });
    const ended = await runScripted(["sources", "import", "mcp.json", "memory", "bad", "--yes", "--allow-unpinned"], script, file("{}"));
    expect(ended.asked.map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual([
      "POST /sources/import",
      "POST /sources/import",
      "POST /sources/memory/approve",
      "GET /sources",
    ]);
    expect(ended.asked[1]).toContain('"only":["memory","bad"],"allowUnpinned":true');
    expect(ended).toMatchObject({
      code: 1,
      output: expect.stringContaining("memory is ready, with 2 tools: a, b.\nbad cannot be taken over"),
    });
  });

  it("hands out only the variables that were named, and shows where each goes", async () => {
    const sent = [{ name: "CLOUD_A", field: "headers.X-A", destination: "https://mcp.example.com" }];
    const script = { "POST /sources/import": { sources: [{ ...planned, variables: sent }] } };
    const words = ["sources", "import", "mcp.json", "--dry-run", "--allow-variable", "CLOUD_A", "--allow-variable", "NODE_OPTIONS"];
    const environment = { CLOUD_A: "a", CLOUD_B: "b" };
    const shown = await runScripted(words, script, { ...file('{"a": "${CLOUD_A} ${CLOUD_B}"}'), environment });
    expect(shown.asked[0]).toContain('"variables":{"CLOUD_A":"a"},"allowVariables":["CLOUD_A","NODE_OPTIONS"],');
    expect(shown.output).toContain("  sends the variable CLOUD_A to https://mcp.example.com, in headers.X-A\n");
  });

  it("starts programs where the client would: in the project, not in the folder that an editor keeps there", async () => {
    const folder = temporaryFolder();
    for (const place of [".vscode", ".cursor", "other"]) {
      mkdirSync(join(folder, place));
      writeFileSync(join(folder, place, "mcp.json"), "{}");
      const words = ["sources", "import", `${place}/mcp.json`, "--dry-run"];
      const { asked } = await runScripted(words, { "POST /sources/import": { sources: [planned] } }, { folder });
      expect(asked[0]).toContain(`"folder":${JSON.stringify(place === "other" ? join(folder, place) : folder)},`);
    }
  });

  it("says which file it cannot read", async () => {
    const missing = await runScripted(["sources", "import", "nowhere.json"], {});
    expect(missing).toMatchObject({ code: 2, asked: [], errors: expect.stringContaining("nowhere.json cannot be read") });
  });
});

describe("toolrack list", () => {
  const tool = { name: "echo", state: "ready", category: "talk", source: "code", description: "Says it.", allowed: true };

  it("sends every filter, and prints the most important fact of each tool", async () => {
    const tools = [
      { ...tool, version: "1.2.0" },
      { ...tool, name: "asked", asks: true },
      { ...tool, name: "hid", allowed: false },
      { ...tool, name: "off", allowed: false, state: "disabled", reason: "It is off." },
      { ...tool, name: "gone", sourceFailed: true, category: undefined },
    ];
    const words = ["list", "--all", "--category", "talk", "--source", "code", "--state", "ready", "--agent", "ada"];
    const listed = await runScripted(words, {
      "GET /tools": { tools, next: 100 },
      "GET /policy/view": {
        warnings: [
          { kind: "unknown-agent", message: "No agent ada." },
          { kind: "other", message: "no" },
        ],
      },
      "GET /sources": {
        sources: [
          { id: "bad", state: "failed" },
          { id: "worse", state: "failed", error: "It broke." },
          { id: "ok", state: "ready" },
        ],
      },
    });
    expect(listed.asked).toEqual([
      'GET /policy/view?caller={"agent":"ada"}',
      'GET /tools?all=true&category=talk&source=code&state=ready&runAs={"agent":"ada"}',
      "GET /sources",
    ]);
    expect(listed.output.split("\n")).toEqual([
      "TOOL        STATE          CATEGORY  SOURCE  DESCRIPTION",
      "echo@1.2.0  ready          talk      code    Says it.",
      "asked       asks           talk      code    Says it.",
      "hid         hidden         talk      code    Says it.",
      "off         disabled       talk      code    It is off.",
      "gone        source failed            code    Says it.",
      "This is the first page. More with the HTTP API: offset=100",
      "",
    ]);
    expect(listed.errors.split("\n")).toEqual([
      "No agent ada.",
      "The source bad failed. Its tools could not be read.",
      "The source worse failed. It broke.",
      "",
    ]);
  });

  it("prints the list alone for a caller who may not see the sources, and says what to try where it is empty", async () => {
    const refusal = new Refusal(403, { detail: "no" });
    const listed = await runScripted(["list"], { "GET /tools": { tools: [] }, "GET /sources": refusal });
    expect(listed).toMatchObject({ code: 0, asked: ["GET /tools", "GET /sources"], errors: "" });
    expect(listed.output).toBe("No tools to show. Try: toolrack list --all\n");
    const json = await runScripted(["list", "--agent", "ada", "--json"], { "GET /tools": { tools: [tool] }, "GET /sources": refusal });
    expect(json.json()).toEqual({ tools: [tool] });
    expect(json.asked[0]).toBe('GET /tools?runAs={"agent":"ada"}');
  });
});

describe("toolrack search", () => {
  it("prints each hit with the words that met, and ends with 4 where nothing is found", async () => {
    const why = [
      { kind: "word", word: "die", met: "die" },
      { kind: "name" },
      { kind: "word", word: "roll", met: "throw" },
      ...["a", "b", "c"].map((word) => ({ kind: "word", word, met: word })),
    ];
    const found = await runScripted(["search", "roll", "a", "die", "--limit", "3", "--model", "m"], {
      "GET /search": { hits: [{ tool: "dice", why, description: "Rolls." }] },
    });
    expect(found.asked).toEqual(['GET /search?q=roll+a+die&limit=3&runAs={"model":"m"}']);
    expect(found).toMatchObject({ code: 0, output: "TOOL  MATCHED                DESCRIPTION\ndice  die, roll→throw, a, b  Rolls.\n" });
    const none = await runScripted(["search", "x"], { "GET /search": { hits: [] } });
    expect(none).toMatchObject({ code: 4, asked: ["GET /search?q=x&limit=5"], output: expect.stringMatching(/^No tool found\./) });
  });
});

describe("toolrack call", () => {
  const meta = { durationMs: 3.21, callId: "c1" };
  const events = (...parts: readonly (readonly [event: string, data: unknown])[]): string =>
    parts.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join("");

  it("sends input, caller, session, time limit and key, and prints progress, warnings and how long it took", async () => {
    const stream = events(
      ["progress", { message: "half", progress: 1, total: 2 }],
      ["progress", { progress: 5 }],
      ["progress", {}],
      ["other", {}],
      ["result", { ok: true, content: "done", meta: { ...meta, warnings: ["slow"] } }],
    );
    const words = ["call", "echo", "text=hi", "--agent", "ada", "--session", "s", "--timeout", "50", "--idempotency-key", "k"];
    const called = await runScripted(words, { "POST /tools/echo/call": stream });
    expect(called.asked).toEqual(['POST /tools/echo/call {"input":{"text":"hi"},"runAs":{"agent":"ada"},"timeoutMs":50,"session":"s"}']);
    expect(called).toMatchObject({
      code: 0,
      output: "done\n",
      errors: "echo: 1/2 half\necho: 5 half\necho: half\nslow\n3.2 ms · call c1\n",
    });
    const waited = { ok: true, content: "done", meta: { ...meta, durationMs: 60_003.2, waitedMs: 60_000 } };
    expect((await runScripted(["call", "echo"], { "POST /tools/echo/call": events(["result", waited]) })).errors).toMatch(
      /^3\.2 ms · waited .*1 min.* for a person · call c1\n$/,
    );
    const plain = await runScripted(["call", "echo"], { "POST /tools/echo/call": stream });
    expect(plain.asked).toEqual(['POST /tools/echo/call {"input":{}}']);
  });

  it.each([
    [{ code: "TIMED_OUT", status: 504, retryable: true }, 1, "Retrying the same call may succeed.\n"],
    [{ code: "NOT_ALLOWED", status: 403, retryable: false }, 3, ""],
    [{ code: "TOOL_FAILED", status: 500, retryable: false }, 1, ""],
  ])("ends as the result says: %j", async (failure, code, note) => {
    const result = { ok: false, error: "It broke.", meta, ...failure };
    const called = await runScripted(["call", "echo"], { "POST /tools/echo/call": events(["result", result]) });
    expect(called).toMatchObject({ code, output: "It broke.\n", errors: `3.2 ms · call c1\n${note}` });
  });

  it("says where the names of tools are, if one was not found", async () => {
    const result = { ok: false, code: "TOOL_NOT_FOUND", status: 404, error: "There is none.", meta };
    const script = {
      "POST /tools/gone/call": events(["result", result]),
      "GET /sources": { sources: [] },
      "GET /lifecycle": { definitions: [] },
    };
    const called = await runScripted(["call", "gone", "id=1"], script);
    expect(called).toMatchObject({ code: 4, errors: expect.stringContaining("List the tools with: toolrack list.") });
  });

  it("says what a tool waits for that was not found", async () => {
    const result = { ok: false, code: "TOOL_NOT_FOUND", status: 404, error: "There is none.", meta };
    const called = await runScripted(["call", "memory__add"], {
      "POST /tools/memory__add/call": events(["result", result]),
      "GET /sources": {
        sources: [
          { id: "memory", state: "waiting-for-approval" },
          { id: "mem", state: "waiting-for-approval" },
          { id: "memory", state: "ready" },
        ],
      },
      "GET /lifecycle": {
        definitions: [
          { name: "memory__add", state: "draft" },
          { name: "memory__add", state: "approved" },
          { name: "other", state: "draft" },
          { name: "memory__add", state: "validated" },
        ],
      },
    });
    expect(called.code).toBe(4);
    expect(called.errors.split("\n").slice(1)).toEqual([
      "The source memory is waiting for approval. Approve it with: toolrack sources approve memory",
      "The definition of memory__add is draft and waiting for approval. Review it with: toolrack approve memory__add",
      "The definition of memory__add is validated and waiting for approval. Review it with: toolrack approve memory__add",
      "",
    ]);
  });

  it("says so where the answer ends before the result", async () => {
    const called = await runScripted(["call", "echo"], { "POST /tools/echo/call": events(["progress", { message: "x" }]) });
    expect(called).toMatchObject({ code: 5, errors: expect.stringContaining("The connection to <url> closed before the result arrived") });
  });
});

describe("toolrack export", () => {
  it("lists targets, and asks for a grammar or for a vendor", async () => {
    const known = { vendors: ["openai-chat", "anthropic"], grammars: ["gbnf", "lark"] };
    const listed = await runScripted(["export"], { "GET /exports": known });
    expect(listed).toMatchObject({
      asked: ["GET /exports"],
      output: "Vendors: openai-chat, anthropic\nGrammars: gbnf, lark\nDocuments: openapi\n",
    });
    const grammar = await runScripted(["export", "gbnf", "--agent", "ada", "--json"], {
      "GET /exports": known,
      "GET /exports/grammars/gbnf": { grammar: "root ::= x", losses: [] },
    });
    expect(grammar.asked).toEqual(["GET /exports", 'GET /exports/grammars/gbnf?runAs={"agent":"ada"}']);
    const vendor = await runScripted(["export", "anthropic"], {
      "GET /exports": known,
      "GET /exports/anthropic": { text: "[]", losses: [{}, {}] },
    });
    expect(vendor).toMatchObject({
      output: "[]\n",
      errors: "2 schema constraints could not be exported; --json lists them.\n",
    });
    const one = await runScripted(["export", "anthropic"], {
      "GET /exports": known,
      "GET /exports/anthropic": { text: "[]", losses: [{}] },
    });
    expect(one.errors).toBe("1 schema constraint could not be exported; --json lists them.\n");
  });
});

describe("toolrack bundles", () => {
  it("lists bundles, and counts what the caller may not know of", async () => {
    const bundle = { name: "small", required: ["a", "b"], optional: ["c"], origin: "file", description: "Talks" };
    const listed = await runScripted(["bundles"], { "GET /bundles": { bundles: [bundle] } });
    expect(listed.output).toContain("small");
    const whole = await runScripted(["bundles", "small"], {
      "GET /bundles/small/resolve": { tools: ["a", "b"], missing: [], missingCount: 0, missingOptional: [], missingOptionalCount: 0 },
    });
    expect(whole).toMatchObject({ code: 0, output: "small: a, b\nNo required tool is missing.\n" });
    const part = await runScripted(["bundles", "small"], {
      "GET /bundles/small/resolve": { tools: [], missing: ["a"], missingCount: 3, missingOptional: [], missingOptionalCount: 0 },
    });
    expect(part).toMatchObject({ code: 1, output: "small: no tools\nMissing: a, 2 that you may not use\n" });
  });
});
