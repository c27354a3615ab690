import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { Refusal } from "../_scripted.ts";
import { told, toldOfEach } from "../_told.ts";

const source = {
  id: "memory",
  kind: "mcp-stdio",
  state: "ready",
  tools: ["a", "b"],
  origin: "store",
  problems: [],
  config: { command: "npx" },
  identity: "sha256:m",
};

const many = Array.from({ length: 12 }, (_, index) => `t${index}`);

describe("toolrack sources list", () => {
  it("shows every part of what a source starts or reaches", async () => {
    const config = {
      openapi: { url: "u" },
      type: "t",
      options: { a: 1 },
      command: "c",
      args: ["x"],
      cwd: "d",
      env: { E: "e" },
      loads: ["l"],
      url: "https://x.example",
      headers: { H: "h" },
      allowHosts: ["h"],
      allowUnpinned: true,
      other: "not shown",
    };
    const supplies = { kinds: ["k", "l"], packs: ["p"], sources: ["s", "t"], vendors: ["v", "w"], wrappers: ["w", "x"], lintRules: ["l"] };
    const sources = [
      { ...source, config, identity: undefined, state: "waiting-for-approval" },
      { ...source, id: "m", config: undefined, supplies, problems: ["One.", "Two."] },
      { ...source, id: "n", config: undefined, supplies: { ...supplies, kinds: [], sources: ["s"] }, identity: undefined },
    ];
    expect(await told(["sources", "list"], { "GET /sources": { sources } })).toMatchInlineSnapshot(`
      "> GET /sources
      SOURCE  KIND       STATE                 TOOLS  FROM   LAST ERROR
      memory  mcp-stdio  ‹?waiting-for-approval›  2      store
      m       mcp-stdio  ‹+ready›                 2      store
      n       mcp-stdio  ‹+ready›                 2      store
      ‹?m: One.›
      ‹?m: Two.›
      memory:
        openapi: {"url":"u"}
        type: "t"
        options: {"a":1}
        command: "c"
        args: ["x"]
        cwd: "d"
        env: {"E":"e"}
        loads: ["l"]
        url: "https://x.example"
        headers: {"H":"h"}
        allowHosts: ["h"]
        allowUnpinned: true
      m:
        supplies kinds of stored tools k, l; pack p; types of sources s, t; vendors v, w; wrappers w, x; lint rule l
        digest: sha256:m
      n:
        supplies pack p; type of source s; vendors v, w; wrappers w, x; lint rule l
      json: the answer"
    `);
  });
});

describe("toolrack sources refresh", () => {
  it("tells what came of it, with the next step where nothing did", async () => {
    const changes = [
      { tools: ["a"] },
      { state: "disabled", tools: [] },
      { tools: many, problems: many, held: many },
      { held: ["x"], problems: ["Say so with: toolrack grants add x", "toolrack grants add y"] },
      { tools: many.slice(0, 10), problems: many.slice(0, 10), held: many.slice(0, 10) },
      { state: "starting" },
      { state: "waiting-for-approval", id: "a b" },
      { state: "failed", error: "It is gone.", problems: ["Broken."] },
      { state: "failed", error: "No. If it is meant, add it to allowHosts." },
    ];
    const texts: string[] = [];
    for (const change of changes)
      texts.push(await told(["sources", "refresh", "memory"], { "POST /sources/memory/refresh": { ...source, ...change } }));
    expect(texts.join("\n\n")).toMatchInlineSnapshot(`
      "> POST /sources/memory/refresh
      memory is ready, with 1 tool: a.
      json: the answer

      > POST /sources/memory/refresh
      memory is disabled, with 0 tools.
      json: the answer

      > POST /sources/memory/refresh
      memory is ready, with 12 tools: t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, and 2 more.
      ‹?12 tools wait for a person to look at the definition: t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, and 2 more. See what waits: toolrack approvals›
      ‹?  t0›
      ‹?  t1›
      ‹?  t2›
      ‹?  t3›
      ‹?  t4›
      ‹?  t5›
      ‹?  t6›
      ‹?  t7›
      ‹?  t8›
      ‹?  t9›
        … and 2 more: toolrack sources list
      json: the answer

      > POST /sources/memory/refresh
      memory is ready, with 2 tools: a, b.
      ‹?1 tool waits for a person to look at the definition: x. 2 tools wait for a grant. See what waits: toolrack approvals›
      ‹?  Say so with: toolrack grants add x›
      ‹?  toolrack grants add y›
      json: the answer

      > POST /sources/memory/refresh
      memory is ready, with 10 tools: t0, t1, t2, t3, t4, t5, t6, t7, t8, t9.
      ‹?10 tools wait for a person to look at the definition: t0, t1, t2, t3, t4, t5, t6, t7, t8, t9. See what waits: toolrack approvals›
      ‹?  t0›
      ‹?  t1›
      ‹?  t2›
      ‹?  t3›
      ‹?  t4›
      ‹?  t5›
      ‹?  t6›
      ‹?  t7›
      ‹?  t8›
      ‹?  t9›
      json: the answer

      > POST /sources/memory/refresh
      ‹?memory has not answered yet, and is tried further. Check its state with: toolrack sources list›
      exit 1
      json: the answer

      > POST /sources/memory/refresh
      ‹?a b waits for approval. Look at what it starts, and approve it, with: toolrack sources approve 'a b'›
      exit 1
      json: the answer

      > POST /sources/memory/refresh
      ‹-memory failed: It is gone.›
      It is tried again by itself; after you have fixed the cause, at once with: toolrack sources refresh memory. Remove it with: toolrack sources remove memory
      ‹?  Broken.›
      exit 1
      json: the answer

      > POST /sources/memory/refresh
      ‹-memory failed: No. If it is meant, add it to allowHosts.›
      Add it again with --allow-host and the host, if it is meant.
      exit 1
      json: the answer"
    `);
  });
});

describe("toolrack sources remove", () => {
  it("removes the secrets that were made for it unless they are to stay, and names those that are still there", async () => {
    const removed = { id: "memory", removedSecrets: ["a", "b"], keptSecrets: ["c d"] };
    expect(await told(["sources", "remove", "memory"], { "DELETE /sources/memory": removed })).toMatchInlineSnapshot(`
      "> DELETE /sources/memory?removeSecrets=true
      memory was removed.
      Removed with it: the secrets a, b.
      Its secret c d is still there. Remove it with: toolrack secrets remove 'c d'
      json: {"id":"memory","removed":true,"removedSecrets":["a","b"],"keptSecrets":["c d"]}"
    `);
    const kept = { id: "memory", removedSecrets: [], keptSecrets: [] };
    expect(await told(["sources", "remove", "memory", "--keep-secrets"], { "DELETE /sources/memory": kept })).toMatchInlineSnapshot(`
      "> DELETE /sources/memory
      memory was removed.
      json: {"id":"memory","removed":true,"removedSecrets":[],"keptSecrets":[]}"
    `);
  });

  it("finds the source by its kind and id, or the beginning of it", async () => {
    const sources = [source, { ...source, id: "docs", kind: "mcp-http" }, { ...source, id: "code", kind: "built-in" }];
    const script = { "GET /sources": { sources }, "DELETE /sources/docs": { id: "docs", removedSecrets: [], keptSecrets: [] } };
    expect(await told(["sources", "remove", "mcp:docs"], script)).toContain("\ndocs was removed.\n");
    expect(await told(["sources", "remove", "do"], script)).toContain("\ndocs was removed.\n");
    expect(await told(["sources", "remove", "mcp"], script)).toMatchInlineSnapshot(`
      "> DELETE /sources/mcp?removeSecrets=true
      > GET /sources
      ! "mcp" begins the id of more than one source. Write more of it:
      !   memory
      !   docs
      exit 2
      json: {"error":{"detail":"\\"mcp\\" begins the id of more than one source. Write more of it:\\n  memory\\n  docs"}}"
    `);
    expect(await told(["sources", "remove", "dosc"], script)).toMatchInlineSnapshot(`
      "> DELETE /sources/dosc?removeSecrets=true
      > GET /sources
      ! There is nothing of this name. Did you mean "docs"?
      exit 4
      json: {"error":{"status":404,"code":"RECORD_NOT_FOUND","detail":"There is nothing of this name. Did you mean \\"docs\\"?"}}"
    `);
    expect(await told(["sources", "remove", "builtin:code"], script)).toMatchInlineSnapshot(`
      "> DELETE /sources/builtin%3Acode?removeSecrets=true
      > GET /sources
      ! There is nothing of this name. Did you mean "code"?
      exit 4
      json: {"error":{"status":404,"code":"RECORD_NOT_FOUND","detail":"There is nothing of this name. Did you mean \\"code\\"?"}}"
    `);
  });
});

describe("toolrack sources approve", () => {
  it("shows what starts, and approves by a name with the kind, too", async () => {
    const waiting = { ...source, state: "waiting-for-approval" };
    const script = { "GET /sources": { sources: [waiting] }, "POST /sources/memory/approve": source };
    expect(await told(["sources", "approve", "memory"], script)).toMatchInlineSnapshot(`
      "> GET /sources
      memory:
        command: "npx"
        digest: sha256:m
        approve with: toolrack sources approve memory sha256:m
      ! Not approved. Review the program above, then run: toolrack sources approve memory sha256:m
      exit 3
      json: {"id":"memory","kind":"mcp-stdio","state":"waiting-for-approval","tools":["a","b"],"origin":"store","problems":[],"config":{"command":"npx"},"identity":"sha256:m"}"
    `);
    expect(await told(["sources", "approve", "mcp:memory", "sha256:m"], script)).toMatchInlineSnapshot(`
      "> GET /sources
      > POST /sources/memory/approve {"identity":"sha256:m"}
      memory is ready, with 2 tools: a, b.
      json: the answer"
    `);
    expect(await told(["sources", "approve", "mem", "sha256:m"], script)).toContain("memory is ready");
    expect(await told(["sources", "approve", "memory", "sha256:x"], script)).toMatchInlineSnapshot(`
      "> GET /sources
      memory:
        command: "npx"
        digest: sha256:m
        approve with: toolrack sources approve memory sha256:m
      ! The program of "memory" has the digest sha256:m, not "sha256:x". Not approved. Review it again.
      exit 3
      json: {"id":"memory","kind":"mcp-stdio","state":"waiting-for-approval","tools":["a","b"],"origin":"store","problems":[],"config":{"command":"npx"},"identity":"sha256:m"}"
    `);
    expect(await told(["sources", "approve", "memory"], { "GET /sources": { sources: [source] } })).toMatchInlineSnapshot(`
      "> GET /sources
      memory:
        command: "npx"
        digest: sha256:m
      memory is not waiting for approval.
      json: {"id":"memory","kind":"mcp-stdio","state":"ready","tools":["a","b"],"origin":"store","problems":[],"config":{"command":"npx"},"identity":"sha256:m"}"
    `);
    const again = { ...script, "GET /sources": { sources: [source] } };
    expect(await told(["sources", "approve", "memory", "sha256:m"], again)).toContain("> POST /sources/memory/approve");
    expect(await told(["sources", "approve", "memory"], { "GET /sources": { sources: [{ ...source, identity: undefined }] } })).toContain(
      '! No source "memory" starts a program.',
    );
  });
});

describe("toolrack sources add", () => {
  const added = { ...source, id: "pets", identity: undefined, kind: "openapi" };
  const reviewed = { definitions: [{ tool: "pets__x" }], digest: "d1" };
  const api = { "PUT /sources/pets": added, "GET /definitions/sources/openapi%3Apets": { definitions: [], digest: "d0" } };

  it("sends all that is said about an API, and agrees to the operations that the command chose", async () => {
    const words = [
      ["sources", "add", "pets", "--openapi", "https://api.example.com/openapi.json", "--include", "tag:pets", "--exclude", "GET /a"],
      ["--allow-host", "h", "--secret", "key=a=PETS", "--rename", "get=pet", "--base-url", "https://b.example", "--group", "g"],
      ["--refresh-minutes", "5", "--max-pages", "3", "--result-fields"],
    ].flat();
    expect(
      await told(words, {
        ...api,
        "GET /definitions/sources/openapi%3Apets": reviewed,
        "POST /definitions/sources/openapi%3Apets/approve": {},
        "POST /sources/pets/refresh": { ...added, tools: ["pets__x"] },
      }),
    ).toMatchInlineSnapshot(`
      "> PUT /sources/pets {"openapi":{"url":"https://api.example.com/openapi.json","include":["tag:pets"],"exclude":["GET /a"],"allowHosts":["h"],"secrets":{"key=a":"PETS"},"rename":{"get":"pet"},"baseUrl":"https://b.example","group":"g","refreshMinutes":5,"maxPages":3,"resultFields":true}}
      > GET /definitions/sources/openapi%3Apets
      > POST /definitions/sources/openapi%3Apets/approve {"digest":"d1"}
      > POST /sources/pets/refresh
      pets is ready, with 1 tool: pets__x.
      json: the answer"
    `);
    expect(await told(["sources", "add", "pets", "--openapi", "http://x.example/o"], api)).toMatchInlineSnapshot(`
      "> PUT /sources/pets {"openapi":{"url":"http://x.example/o"}}
      > GET /definitions/sources/openapi%3Apets
      pets is ready, with 2 tools: a, b.
      json: the answer"
    `);
  });

  it("sends how any source is treated, and whether it is required", async () => {
    const shared = ["--trust-first", "pin", "--trust-change", "keep-old", "--max-tools", "20", "--required"];
    const answer = await told(["sources", "add", "pets", "https://x.example/mcp", ...shared], { "PUT /sources/pets": added });
    expect(answer).toContain('"trust":{"first":"pin","change":"keep-old"},"maxTools":20,"required":true');
    expect(await told(["sources", "add", "pets", "https://x.example/mcp", "--max-tools", "many"], api)).toContain("--max-tools must be");
  });

  it("lists when a source that failed is tried again", async () => {
    const away = { ...source, state: "failed", error: "It is away.", retryAt: Date.UTC(2026, 0, 1), required: true };
    expect(await told(["sources"], { "GET /sources": { sources: [away] } })).toContain(
      "is tried again at 2026-01-01T00:00:00.000Z. Until it is there, this server is not ready.",
    );
  });

  it("sends the text of a file that the server cannot read itself, unless it is too large", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "api.txt"), '{"openapi":"3.1.0"}');
    writeFileSync(join(folder, "large.json"), "x".repeat(4_000_001));
    const add = (file: string) => told(["sources", "add", "pets", "--openapi", file], api, { folder });
    expect(await add("api.txt")).toMatchInlineSnapshot(`
      "> PUT /sources/pets {"openapi":{},"document":"{\\"openapi\\":\\"3.1.0\\"}"}
      > GET /definitions/sources/openapi%3Apets
      pets is ready, with 2 tools: a, b.
      json: the answer"
    `);
    expect(await add("large.json")).toMatchInlineSnapshot(`
      "! "large.json" has 4000001 bytes, and at most 4000000 are sent. Put it into the project of the server, or give its URL.
      exit 2
      json: {"error":{"detail":"\\"large.json\\" has 4000001 bytes, and at most 4000000 are sent. Put it into the project of the server, or give its URL."}}"
    `);
    expect(await add("nothing.json")).toMatchInlineSnapshot(`
      "! "nothing.json" is neither a URL that begins with http:// or https://, nor a file that can be read.
      exit 2
      json: {"error":{"detail":"\\"nothing.json\\" is neither a URL that begins with http:// or https://, nor a file that can be read."}}"
    `);
    expect(await add(".")).toContain("nor a file that can be read");
  });

  it("refuses what does not belong to an API, or has another form, before anything is asked", async () => {
    const more = [
      ["--secret", "key"],
      ["--secret", "=name"],
      ["--secret", "key="],
      ["--rename", "key"],
      ["--max-pages", "x"],
      ["--refresh-minutes", "1234567"],
      ["--refresh-minutes", "1.5"],
      ["--type", "t"],
      ["--header", "A: b"],
      ["--env", "A=b"],
      ["--", "node"],
    ];
    const lines = more.map((words) => ["sources", "add", "pets", "--openapi", "https://x.example/o", ...words]);
    expect(await toldOfEach(lines, api)).toMatchInlineSnapshot(`
      "$ toolrack sources add pets --openapi https://x.example/o --secret key
      ! --secret takes scheme=name, and one of yours has another form.
      exit 2
      json: {"error":{"detail":"--secret takes scheme=name, and one of yours has another form."}}

      $ toolrack sources add pets --openapi https://x.example/o --secret =name
      ! --secret takes scheme=name, and one of yours has another form.
      exit 2
      json: {"error":{"detail":"--secret takes scheme=name, and one of yours has another form."}}

      $ toolrack sources add pets --openapi https://x.example/o --secret key=
      ! --secret takes scheme=name, and one of yours has another form.
      exit 2
      json: {"error":{"detail":"--secret takes scheme=name, and one of yours has another form."}}

      $ toolrack sources add pets --openapi https://x.example/o --rename key
      ! --rename takes operation=name, and one of yours has another form.
      exit 2
      json: {"error":{"detail":"--rename takes operation=name, and one of yours has another form."}}

      $ toolrack sources add pets --openapi https://x.example/o --max-pages x
      ! --max-pages takes a whole number, not "x".
      exit 2
      json: {"error":{"detail":"--max-pages takes a whole number, not \\"x\\"."}}

      $ toolrack sources add pets --openapi https://x.example/o --refresh-minutes 1234567
      ! --refresh-minutes takes a whole number, not "1234567".
      exit 2
      json: {"error":{"detail":"--refresh-minutes takes a whole number, not \\"1234567\\"."}}

      $ toolrack sources add pets --openapi https://x.example/o --refresh-minutes 1.5
      ! --refresh-minutes takes a whole number, not "1.5".
      exit 2
      json: {"error":{"detail":"--refresh-minutes takes a whole number, not \\"1.5\\"."}}

      $ toolrack sources add pets --openapi https://x.example/o --type t
      ! --openapi names the document of an API; --type cannot be given with it. Credentials are named with --secret.
      exit 2
      json: {"error":{"detail":"--openapi names the document of an API; --type cannot be given with it. Credentials are named with --secret."}}

      $ toolrack sources add pets --openapi https://x.example/o --header A: b
      ! --openapi names the document of an API; --header cannot be given with it. Credentials are named with --secret.
      exit 2
      json: {"error":{"detail":"--openapi names the document of an API; --header cannot be given with it. Credentials are named with --secret."}}

      $ toolrack sources add pets --openapi https://x.example/o --env A=b
      ! --openapi names the document of an API; --env cannot be given with it. Credentials are named with --secret.
      exit 2
      json: {"error":{"detail":"--openapi names the document of an API; --env cannot be given with it. Credentials are named with --secret."}}

      $ toolrack sources add pets --openapi https://x.example/o -- node
      ! --openapi names the document of an API; "node" cannot be given with it. Credentials are named with --secret.
      exit 2
      json: {"error":{"detail":"--openapi names the document of an API; \\"node\\" cannot be given with it. Credentials are named with --secret."}}"
    `);
  });

  it("refuses headers and variables of another form", async () => {
    const more = [
      ["--env", "=b", "--", "node"],
      ["--env", "1A=b", "--", "node"],
      ["https://x.example", "--header", ": b"],
      ["https://x.example", "--header", "A"],
    ];
    const lines = more.map((words) => ["sources", "add", "x", ...words]);
    expect(await toldOfEach(lines, {})).toMatchInlineSnapshot(`
      "$ toolrack sources add x --env =b -- node
      ! --env takes NAME=value, and one of yours has another form.
      exit 2
      json: {"error":{"detail":"--env takes NAME=value, and one of yours has another form."}}

      $ toolrack sources add x --env 1A=b -- node
      ! --env takes NAME=value, and one of yours has another form.
      exit 2
      json: {"error":{"detail":"--env takes NAME=value, and one of yours has another form."}}

      $ toolrack sources add x https://x.example --header : b
      ! --header takes "Name: value", and one of yours has another form.
      exit 2
      json: {"error":{"detail":"--header takes \\"Name: value\\", and one of yours has another form."}}

      $ toolrack sources add x https://x.example --header A
      ! --header takes "Name: value", and one of yours has another form.
      exit 2
      json: {"error":{"detail":"--header takes \\"Name: value\\", and one of yours has another form."}}"
    `);
  });

  it("takes headers and variables of every allowed form, and approves what it typed", async () => {
    const words = [
      "sources",
      "add",
      "pets",
      "https://x.example",
      "--header",
      "X_a.b: c",
      "--header",
      "Y:",
      "--replace",
      "--allow-host",
      "h",
    ];
    expect(await told(words, { "PUT /sources/pets": { ...added, tools: [] } })).toMatchInlineSnapshot(`
      "> PUT /sources/pets {"url":"https://x.example","headers":{"X_a.b":"c","Y":""},"allowHosts":["h"],"storeSecrets":true,"replaceSecrets":true}
      pets is ready, with 0 tools.
      json: the answer"
    `);
    const waits = { ...source, state: "waiting-for-approval" };
    expect(
      await told(["sources", "add", "memory", "--env", "_A1=b c", "--", "node", "x"], {
        "PUT /sources/memory": waits,
        "POST /sources/memory/approve": source,
      }),
    ).toMatchInlineSnapshot(`
      "> PUT /sources/memory {"command":"node","args":["x"],"env":{"_A1":"b c"},"storeSecrets":true}
      > POST /sources/memory/approve {"identity":"sha256:m"}
      memory is ready, with 2 tools: a, b.
      json: the answer"
    `);
    expect(await told(["sources", "add", "memory", "--", "node"], { "PUT /sources/memory": { ...waits, identity: undefined } }))
      .toMatchInlineSnapshot(`
        "> PUT /sources/memory {"command":"node","args":[]}
        ‹?memory waits for approval. Look at what it starts, and approve it, with: toolrack sources approve memory›
        exit 1
        json: the answer"
      `);
    const starting = { ...source, state: "starting" };
    const waiting = async (command: string) => {
      const config = { command };
      const answers = { "PUT /sources/memory": { ...starting, config }, "GET /sources": { sources: [{ ...source, config }] } };
      return (await told(["sources", "add", "memory", "--", command], answers)).split("\n").find((line) => line.startsWith("! "));
    };
    expect(await waiting("node")).toBe("! Waiting for memory …");
    expect(await waiting("/opt/npx-server")).toBe("! Waiting for memory …");
    expect(await waiting("uvx")).toBe("! Waiting for memory. At the first start, uvx may have to download the package …");
    expect(
      await told(["sources", "add", "memory", "--", "node"], { "PUT /sources/memory": starting, "GET /sources": { sources: [source] } }),
    ).toMatchInlineSnapshot(`
      "> PUT /sources/memory {"command":"node","args":[]}
      > GET /sources
      memory is ready, with 2 tools: a, b.
      ! Waiting for memory. At the first start, npx may have to download the package …
      json: {"id":"memory","kind":"mcp-stdio","state":"ready","tools":["a","b"],"origin":"store","problems":[],"config":{"command":"npx"},"identity":"sha256:m"}"
    `);
  });
});

describe("toolrack sources import", () => {
  const planned = {
    name: "memory",
    outcome: "planned",
    config: { command: "npx", args: [] },
    secrets: ["A", "B"],
    missing: [],
    variables: [],
  };
  const folderWith = (name: string, text = "{}"): { folder: string } => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, name), text);
    return { folder };
  };

  it("names the format of the file, if its name tells it", async () => {
    const folder = temporaryFolder();
    const files = ["json", "jsonc", "toml", "yaml", "yml", "txt"].map((ending) => `mcp.${ending}`);
    for (const file of files) writeFileSync(join(folder, file), "text");
    const lines = files.map((file) => ["sources", "import", file, "--dry-run"]);
    const text = await toldOfEach(lines, { "POST /sources/import": { sources: [] } }, { folder });
    expect(text.replaceAll(folder, "<folder>")).toMatchInlineSnapshot(`
      "$ toolrack sources import mcp.json --dry-run
      > POST /sources/import {"text":"text","format":"json","folder":"<folder>","dryRun":true}
      The file has no MCP servers.
      json: the answer

      $ toolrack sources import mcp.jsonc --dry-run
      > POST /sources/import {"text":"text","format":"json","folder":"<folder>","dryRun":true}
      The file has no MCP servers.
      json: the answer

      $ toolrack sources import mcp.toml --dry-run
      > POST /sources/import {"text":"text","format":"toml","folder":"<folder>","dryRun":true}
      The file has no MCP servers.
      json: the answer

      $ toolrack sources import mcp.yaml --dry-run
      > POST /sources/import {"text":"text","format":"yaml","folder":"<folder>","dryRun":true}
      The file has no MCP servers.
      json: the answer

      $ toolrack sources import mcp.yml --dry-run
      > POST /sources/import {"text":"text","format":"yaml","folder":"<folder>","dryRun":true}
      The file has no MCP servers.
      json: the answer

      $ toolrack sources import mcp.txt --dry-run
      > POST /sources/import {"text":"text","folder":"<folder>","dryRun":true}
      The file has no MCP servers.
      json: the answer"
    `);
  });

  it("sends every option, adds what was agreed to, and tells what became of each", async () => {
    const options = folderWith("mcp.json");
    const done = {
      sources: [
        { ...planned, outcome: "added", state: "waiting-for-approval", identity: "sha256:m", missing: ["KEY"] },
        { ...planned, name: "docs", outcome: "replaced", state: "ready" },
        { ...planned, name: "gone", outcome: "added", state: "waiting-for-approval" },
        { ...planned, name: "off", outcome: "skipped", reason: "It is off." },
      ],
    };
    const sources = [source, { ...source, id: "docs", tools: [] }];
    const script = { "POST /sources/import": { sources: [planned] } };
    const words = ["sources", "import", "mcp.json", "memory", "--replace", "--allow-unpinned", "--allow-host", "h", "--yes"];
    const whole = { "POST /sources/memory/approve": source, "GET /sources": { sources } };
    const answers = new Proxy(whole as Record<string, unknown>, {
      get: (known, key) => {
        if (key !== "POST /sources/import") return known[String(key)];
        turn += 1;
        return turn % 2 === 1 ? script["POST /sources/import"] : done;
      },
    });
    let turn = 0;
    expect((await told(words, answers, options)).replaceAll(options.folder, "<folder>")).toMatchInlineSnapshot(`
      "> POST /sources/import {"text":"{}","format":"json","folder":"<folder>","only":["memory"],"replace":true,"allowUnpinned":true,"allowHosts":["h"],"dryRun":true}
      > POST /sources/import {"text":"{}","format":"json","folder":"<folder>","only":["memory"],"replace":true,"allowUnpinned":true,"allowHosts":["h"]}
      > POST /sources/memory/approve {"identity":"sha256:m"}
      > GET /sources
      > GET /sources
      > GET /sources
      memory:
        command: "npx"
        args: []
        stored as secrets: A, B
      memory is ready, with 2 tools: a, b.
      docs is ready, with 0 tools.
      ‹?  memory needs KEY, which is not set: toolrack secrets set KEY›
      json: {"sources":[{"name":"memory","outcome":"added","config":{"command":"npx","args":[]},"secrets":["A","B"],"missing":["KEY"],"variables":[],"state":"waiting-for-approval","identity":"sha256:m"},{"name":"docs","outcome":"replaced","config":{"command":"npx","args":[]},"secrets":["A","B"],"missing":[],"variables":[],"state":"ready"},{"name":"gone","outcome":"added","config":{"command":"npx","args":[]},"secrets":["A","B"],"missing":[],"variables":[],"state":"waiting-for-approval"},{"name":"off","outcome":"skipped","config":{"command":"npx","args":[]},"secrets":["A","B"],"missing":[],"variables":[],"reason":"It is off."}],"started":[{"id":"memory","kind":"mcp-stdio","state":"ready","tools":["a","b"],"origin":"store","problems":[],"config":{"command":"npx"},"identity":"sha256:m"},{"id":"docs","kind":"mcp-stdio","state":"ready","tools":[],"origin":"store","problems":[],"config":{"command":"npx"},"identity":"sha256:m"}]}"
    `);
  });

  it("says where nothing can be taken over", async () => {
    const bad = { name: "bad", outcome: "failed", reason: "it is no object", secrets: [], missing: [], variables: [] };
    const script = { "POST /sources/import": { sources: [bad, { ...bad, outcome: "skipped", reason: undefined }] } };
    const text = await told(["sources", "import", "mcp.json"], script, folderWith("mcp.json"));
    expect(text.split("\n").slice(1)).toEqual([
      "‹-bad cannot be taken over: it is no object.›",
      "bad is passed over: .",
      "exit 1",
      "json: the answer",
    ]);
    const refused = await told(
      ["sources", "import", "mcp.json"],
      { "POST /sources/import": { sources: [planned, planned] } },
      folderWith("mcp.json"),
    );
    expect(refused.split("\n").slice(1)).toMatchInlineSnapshot(`
      [
        "memory:",
        "  command: "npx"",
        "  args: []",
        "  stored as secrets: A, B",
        "memory:",
        "  command: "npx"",
        "  args: []",
        "  stored as secrets: A, B",
        "! Nothing was changed. Run the command again with --yes to add them.",
        "exit 2",
        "json: {"error":{"detail":"Nothing was changed. Run the command again with --yes to add them."}}",
      ]
    `);
  });

  it("reads files of up to a million bytes", async () => {
    const script = { "POST /sources/import": { sources: [] } };
    expect(await told(["sources", "import", "a.json", "--dry-run"], script, folderWith("a.json", "x".repeat(1_000_000)))).toContain(
      "The file has no MCP servers.",
    );
    expect(await told(["sources", "import", "a.json", "--dry-run"], script, folderWith("a.json", "x".repeat(1_000_001)))).toContain(
      "a.json cannot be read: it has more than 1000000 bytes. Name the file",
    );
  });
});

describe("toolrack doctor", () => {
  const tool = { name: "t", state: "ready", source: "own" };
  const well = {
    "GET /tools": { tools: [tool] },
    "GET /sources": { sources: [] },
    "GET /secrets": { wanted: [] },
    "GET /settings": { problems: [] },
    "GET /lint": { findings: [] },
    "GET /policy": { warnings: [], settings: [] },
    "GET /health": { programs: "off" },
    "GET /status": { servers: [], waiting: {}, store: { kind: "sqlite" } },
    "GET /config/pending": { restart: [] },
    "GET /schedules": { schedules: [] },
    "GET /triggers": { triggers: [] },
    "GET /webhooks": { webhooks: [] },
    "GET /jobs": { jobs: [] },
    "GET /approvals": { definitions: [] },
  };

  it("says so where there are no problems", async () => {
    expect(await told(["doctor"], well)).toMatchInlineSnapshot(`
      "> GET /tools?all=true
      > GET /sources
      > GET /secrets
      > GET /settings
      > GET /lint
      > GET /policy
      > GET /health
      > GET /status
      > GET /approvals?limit=200
      > GET /schedules
      > GET /triggers
      > GET /webhooks
      > GET /jobs?state=dead&limit=100
      > GET /config/pending
      ‹+1 tool from 0 sources: no problems found.›
      No built-in tool starts programs of a caller's choice: the packs runtime and code are disabled.
      ! Checking tools …
      ! Checking sources …
      ! Checking secrets and settings …
      ! Checking definitions …
      ! Checking schedules, triggers and webhooks …
      json: {"problems":[],"optional":[],"tools":1,"withoutHost":[],"sources":0,"programs":"off","modules":[],"cluster":{"servers":[]}}"
    `);
  });

  it("names each problem with its remedy, and what is optional below", async () => {
    const held = { tool: "shop__ship", source: "mcp:shop", reason: "new", effect: "held" };
    const tools = [
      tool,
      { ...tool, name: "git", state: "unavailable", reason: 'It needs "git". Install git. Or not.' },
      { ...tool, name: "odd", state: "unavailable" },
      { ...tool, name: "dark", state: "unavailable", reason: "Dark." },
      { ...tool, name: "keyed", state: "unavailable", reason: "The secret x is missing." },
      { ...tool, name: "own set", state: "needs-configuration", reason: "It needs a host. Set it." },
      { ...tool, name: "packed", source: "packs", state: "needs-configuration", reason: "It needs a host." },
      { ...tool, name: "sees", source: "packs", state: "unavailable", reason: 'It needs "binary:tesseract". Install it.' },
      { ...tool, name: "walks", source: "packs", state: "unavailable", reason: 'It needs "playwright-core". Install it.' },
      { ...tool, name: "breaks", source: "packs", state: "unavailable", reason: "It broke." },
      { ...tool, name: "broken", source: "packs", state: "unavailable" },
      { ...tool, name: "speaks", withoutHost: true, reason: 'It needs "binary:espeak-ng".' },
      { ...tool, name: "sings", withoutHost: true, reason: 'It needs "binary:espeak-ng".' },
      { ...tool, name: "draws", withoutHost: true, reason: 'It needs "canvas".' },
      { ...tool, name: "bare", withoutHost: true },
      { ...tool, name: "talks", withoutHost: true, reason: 'It needs "host:agents".' },
      { ...tool, name: "hears", withoutHost: true, reason: 'It needs "host:agents".' },
    ];
    const supplies = { kinds: [], packs: ["p"], sources: [], vendors: [], wrappers: [], lintRules: [] };
    const sources = [
      { ...source, problems: ['The tool "x" asks for y. Grant it with: toolrack grants add x', "Broken."] },
      { ...source, id: "w", state: "waiting-for-approval", problems: [] },
      { ...source, id: "f", state: "failed", kind: "mcp-http", problems: [] },
      { ...source, id: "m", kind: "module", supplies },
    ];
    const wanted = [
      { name: "one", tools: ["t", "packed"] },
      { name: "two", tools: ["packed", "sees"] },
      { name: "three", tools: ["packed"], uses: ["its channel"] },
    ];
    const warnings = [
      { label: "agents.ada", message: "No tool is named x. Did you mean y? Or z." },
      { label: "tools", message: "Odd" },
    ];
    const script = {
      ...well,
      "GET /tools": { tools },
      "GET /sources": { sources },
      "GET /secrets": { wanted },
      "GET /policy": { warnings, settings: [] },
      "GET /lint": {
        findings: [
          { severity: "error", message: "Wrong.", fix: "Mend it." },
          { severity: "warning", message: "Vague.", fix: "Say more." },
        ],
      },
      "GET /approvals": {
        definitions: [
          held,
          { ...held, what: "prompt" },
          { ...held, what: "prompt" },
          { ...held, effect: "old-text" },
          { ...held, effect: "reported" },
        ],
      },
    };
    expect(await told(["doctor"], script)).toMatchInlineSnapshot(`
      "> GET /tools?all=true
      > GET /sources
      > GET /secrets
      > GET /settings
      > GET /lint
      > GET /policy
      > GET /health
      > GET /status
      > GET /approvals?limit=200
      > GET /schedules
      > GET /triggers
      > GET /webhooks
      > GET /jobs?state=dead&limit=100
      > GET /config/pending
      ABOUT               PROBLEM                                                               FIX
      policy: agents.ada  No tool is named x.                                                   Did you mean y? Or z.
      policy: tools       Odd                                                                   Correct the entry, or remove it
      memory              The tool "x" asks for y.                                              toolrack grants add x
      memory              Broken.                                                               Fix or remove that definition
      w                   it is waiting-for-approval                                            toolrack sources approve w
      f                   it is failed                                                          Fix it, then run: toolrack sources refresh f
      shop__ship          its definition is new at the source mcp:shop, and waits for a person  toolrack approve shop__ship
      t, packed           the secret "one" is not set                                           toolrack secrets set one
      git                 It needs "git".                                                       Install git. Or not.
      odd                 It is unavailable.                                                    toolrack show odd
      dark                Dark.                                                                 toolrack show dark
      own set             It needs a host.                                                      toolrack config 'own set'
      breaks              It broke.                                                             toolrack show breaks
      broken              It is unavailable.                                                    toolrack show broken
      sources             Wrong.                                                                Mend it.
      15 problems in 11 tools from 4 sources
      To use packed, sees: the secret "two" is not set. toolrack secrets set two
      To use its channel: the secret "three" is not set. toolrack secrets set three
      To use packed: It needs a host. toolrack config packed
      To use sees: It needs "binary:tesseract". Install it.
      To use walks: It needs "playwright-core". Install it.
      No built-in tool starts programs of a caller's choice: the packs runtime and code are disabled.
      Sources that run a program, with the rights of the server: memory.
      One install each would add tools: espeak-ng (speaks, sings); canvas (draws); bare (bare).
      2 tools would be offered if an agent ran here (talks, hears).
      2 changed definitions wait for a person; the tools are served meanwhile: toolrack approvals
      2 texts of other servers wait for a person before models may see them: toolrack approvals
      m supplies pack p.
      ! Checking tools …
      ! Checking sources …
      ! Checking secrets and settings …
      ! Checking definitions …
      ! Checking schedules, triggers and webhooks …
      exit 1
      json: {"problems":[{"about":"policy: agents.ada","problem":"No tool is named x.","remedy":"Did you mean y? Or z."},{"about":"policy: tools","problem":"Odd","remedy":"Correct the entry, or remove it"},{"about":"memory","problem":"The tool \\"x\\" asks for y.","remedy":"toolrack grants add x"},{"about":"memory","problem":"Broken.","remedy":"Fix or remove that definition"},{"about":"w","problem":"it is waiting-for-approval","remedy":"toolrack sources approve w"},{"about":"f","problem":"it is failed","remedy":"Fix it, then run: toolrack sources refresh f"},{"about":"shop__ship","problem":"its definition is new at the source mcp:shop, and waits for a person","remedy":"toolrack approve shop__ship"},{"about":"t, packed","problem":"the secret \\"one\\" is not set","remedy":"toolrack secrets set one"},{"about":"git","problem":"It needs \\"git\\".","remedy":"Install git. Or not."},{"about":"odd","problem":"It is unavailable.","remedy":"toolrack show odd"},{"about":"dark","problem":"Dark.","remedy":"toolrack show dark"},{"about":"own set","problem":"It needs a host.","remedy":"toolrack config 'own set'"},{"about":"breaks","problem":"It broke.","remedy":"toolrack show breaks"},{"about":"broken","problem":"It is unavailable.","remedy":"toolrack show broken"},{"about":"sources","problem":"Wrong.","remedy":"Mend it."}],"optional":[{"about":"packed, sees","problem":"the secret \\"two\\" is not set","remedy":"toolrack secrets set two"},{"about":"its channel","problem":"the secret \\"three\\" is not set","remedy":"toolrack secrets set three"},{"about":"packed","problem":"It needs a host.","remedy":"toolrack config packed"},{"about":"sees","problem":"It needs \\"binary:tesseract\\".","remedy":"Install it."},{"about":"walks","problem":"It needs \\"playwright-core\\".","remedy":"Install it."}],"tools":11,"withoutHost":["speaks","sings","draws","bare","talks","hears"],"sources":4,"programs":"off","modules":[{"id":"m","supplies":{"kinds":[],"packs":["p"],"sources":[],"vendors":[],"wrappers":[],"lintRules":[]}}],"cluster":{"servers":[]}}"
    `);
    const single = {
      definitions: [
        { ...held, what: "prompt" },
        { ...held, effect: "old-text" },
      ],
    };
    expect(await told(["doctor"], { ...well, "GET /approvals": single })).toMatchInlineSnapshot(`
      "> GET /tools?all=true
      > GET /sources
      > GET /secrets
      > GET /settings
      > GET /lint
      > GET /policy
      > GET /health
      > GET /status
      > GET /approvals?limit=200
      > GET /schedules
      > GET /triggers
      > GET /webhooks
      > GET /jobs?state=dead&limit=100
      > GET /config/pending
      ‹+1 tool from 0 sources: no problems found.›
      No built-in tool starts programs of a caller's choice: the packs runtime and code are disabled.
      1 changed definition waits for a person; the tools are served meanwhile: toolrack approvals
      1 text of other servers waits for a person before models may see it: toolrack approvals
      ! Checking tools …
      ! Checking sources …
      ! Checking secrets and settings …
      ! Checking definitions …
      ! Checking schedules, triggers and webhooks …
      json: {"problems":[],"optional":[],"tools":1,"withoutHost":[],"sources":0,"programs":"off","modules":[],"cluster":{"servers":[]}}"
    `);
  });

  it("hands on what fails, and not what it may not read", async () => {
    const failing = { ...well, "GET /approvals": new Refusal(500, { status: 500, detail: "Broken." }) };
    expect(await told(["doctor"], failing)).toContain("! Broken.\nexit 1");
  });
});
