import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { beforeAll, describe, expect, it } from "vitest";
import { Refusal } from "../_scripted.ts";
import { told, toldOfEach } from "../_told.ts";

const at = Date.UTC(2026, 0, 2, 3, 4, 5);
const time = "2026-01-02T03:04:05.000Z";

describe("toolrack calls", () => {
  const call = { startedAt: at, tool: "exec", caller: { agent: "ada" }, ok: true, durationMs: 1_500, callId: "c1" };

  it("lists calls with what filters them, and says what a filter without a match may mean", async () => {
    const calls = [call, { ...call, ok: false, code: "TIMEOUT", caller: {}, waitedMs: 500 }];
    const words = ["calls", "--errors", "--tool", "exce", "--agent", "adda", "--limit", "500", "--before", "9"];
    expect(await told(words, { "GET /calls": { calls, next: 4 } })).toMatchInlineSnapshot(`
      "> GET /calls?ok=false&tool=exce&agent=adda&limit=500&before=9
      STARTED              TOOL  AGENT  OUTCOME         RAN     WAITED  CALL
      2026-01-02 03:04:05  exec  ada    ‹+ok›              1.50 s          c1
      2026-01-02 03:04:05  exec         ‹-failed› TIMEOUT  1.00 s  500 ms  c1
      More: toolrack calls --errors --tool exce --agent adda --limit 500 --before 4
      json: the answer"
    `);
    const none = { "GET /calls": { calls: [] }, "GET /tools": { tools: [{ name: "exec" }] }, "GET /agents": { agents: [{ id: "ada" }] } };
    const lines = [
      words,
      ["calls"],
      ["calls", "--tool", "exec", "--agent", "ada"],
      ["calls", "--errors"],
      ["calls", "--before", "3"],
      ["calls", "--limit", "501"],
    ];
    expect(await toldOfEach(lines, none)).toMatchInlineSnapshot(`
      "$ toolrack calls --errors --tool exce --agent adda --limit 500 --before 9
      > GET /calls?ok=false&tool=exce&agent=adda&limit=500&before=9
      > GET /tools?all=true
      > GET /agents
      No calls match.
      ! ‹?There is no tool "exce" now. Did you mean "exec"?›
      ! ‹?There is no agent "adda" now. Did you mean "ada"?›
      json: the answer

      $ toolrack calls
      > GET /calls?limit=20
      No calls yet. Make one with: toolrack call
      json: the answer

      $ toolrack calls --tool exec --agent ada
      > GET /calls?tool=exec&agent=ada&limit=20
      > GET /tools?all=true
      > GET /agents
      No calls match.
      json: the answer

      $ toolrack calls --errors
      > GET /calls?ok=false&limit=20
      No calls match.
      json: the answer

      $ toolrack calls --before 3
      > GET /calls?limit=20&before=3
      No calls match.
      json: the answer

      $ toolrack calls --limit 501
      ! --limit must be a whole number, from 1 to 500, but it is "501".
      exit 2
      json: {"error":{"detail":"--limit must be a whole number, from 1 to 500, but it is \\"501\\"."}}"
    `);
  });

  it("shows one call and those that it made", async () => {
    const one = { ...call, input: { a: 1 }, output: { b: 2 }, labels: ["public"], children: [{ ...call, callId: "c2" }] };
    expect(await told(["calls", "c1"], { "GET /calls/c1": one })).toMatchInlineSnapshot(`
      "> GET /calls/c1
      STARTED              TOOL  AGENT  OUTCOME  RAN     WAITED  CALL
      2026-01-02 03:04:05  exec  ada    ‹+ok›       1.50 s          c1
      2026-01-02 03:04:05  exec  ada    ‹+ok›       1.50 s          c2

      INPUT  {"a":1}
      LABELS  ["public"]
      OUTPUT  {"b":2}
      json: the answer"
    `);
    const failed = { ...call, ok: false, input: {}, error: "It broke.", children: [] };
    const script = { "GET /calls": { calls: [{ callId: "c1" }] }, "GET /calls/c1": failed };
    expect(await told(["calls", "c"], script)).toMatchInlineSnapshot(`
      "> GET /calls/c
      > GET /calls?idPrefix=c&limit=11
      > GET /calls/c1
      STARTED              TOOL  AGENT  OUTCOME  RAN     WAITED  CALL
      2026-01-02 03:04:05  exec  ada    ‹-failed›   1.50 s          c1

      INPUT  {}
      ERROR  "It broke."
      json: the answer"
    `);
  });
});

describe("toolrack list", () => {
  const tool = { name: "lamp", state: "ready", category: "home", source: "tools", description: "Sets a lamp.", allowed: true };

  it("names what is missing from the list, and refuses filters that nothing has", async () => {
    const script = {
      "GET /tools": { tools: [tool] },
      "GET /sources": { sources: [{ id: "docs", kind: "mcp-http", state: "failed", error: "gone" }] },
      "GET /bundles/b/resolve": { missingCount: 1, missingOptionalCount: 0 },
      "GET /bundles": { bundles: [{ name: "research" }] },
    };
    expect(await told(["list", "--bundle", "b"], script)).toMatchInlineSnapshot(`
      "> GET /tools?bundle=b
      > GET /bundles/b/resolve
      > GET /sources
      TOOL  STATE  CATEGORY  SOURCE  DESCRIPTION
      lamp  ‹+ready›  home      tools   Sets a lamp.
      ! ‹?1 tool of the bundle is not available. To see which: toolrack bundles b›
      ! ‹?The source docs failed. gone›
      json: the answer"
    `);
    expect(
      await told(["list", "--bundle", "b"], { ...script, "GET /bundles/b/resolve": { missingCount: 1, missingOptionalCount: 2 } }),
    ).toContain("! ‹?3 tools of the bundle are not available. To see which: toolrack bundles b›\n");
    const empty = { ...script, "GET /tools": { tools: [] } };
    const lines = [
      ["list"],
      ["list", "--state", "redy"],
      ["list", "--state", "zzz"],
      ["list", "--source", "dosc"],
      ["list", "--category", "home"],
      ["list", "--tag", "x"],
    ];
    expect(await toldOfEach(lines, empty)).toMatchInlineSnapshot(`
      "$ toolrack list
      > GET /tools
      > GET /sources
      No tools to show. Try: toolrack list --all
      ! ‹?The source docs failed. gone›
      json: the answer

      $ toolrack list --state redy
      ! There is no state "redy". Did you mean "ready"? List them with: toolrack list --all
      exit 4
      json: {"error":{"detail":"There is no state \\"redy\\". Did you mean \\"ready\\"? List them with: toolrack list --all"}}

      $ toolrack list --state zzz
      ! There is no state "zzz". Known are ready, deprecated, resting, disabled, unavailable, needs-configuration. List them with: toolrack list --all
      exit 4
      json: {"error":{"detail":"There is no state \\"zzz\\". Known are ready, deprecated, resting, disabled, unavailable, needs-configuration. List them with: toolrack list --all"}}

      $ toolrack list --source dosc
      > GET /tools?source=dosc
      > GET /tools?all=true
      > GET /sources
      ! There is no source "dosc". Did you mean "docs"? List them with: toolrack sources list
      exit 4
      json: {"error":{"detail":"There is no source \\"dosc\\". Did you mean \\"docs\\"? List them with: toolrack sources list"}}

      $ toolrack list --category home
      > GET /tools?category=home
      > GET /tools?all=true
      > GET /sources
      ! There is no category "home". List them with: toolrack list --all
      exit 4
      json: {"error":{"detail":"There is no category \\"home\\". List them with: toolrack list --all"}}

      $ toolrack list --tag x
      > GET /tools?tag=x
      > GET /sources
      No tools to show. Try: toolrack list --all
      ! ‹?The source docs failed. gone›
      json: the answer"
    `);
    expect(await told(["list", "--bundle", "reserch"], { ...script, "GET /tools": new Refusal(404, { status: 404, detail: "No." }) }))
      .toMatchInlineSnapshot(`
      "> GET /tools?bundle=reserch
      > GET /bundles
      ! There is no bundle "reserch". Did you mean "research"? List them with: toolrack bundles
      exit 4
      json: {"error":{"detail":"There is no bundle \\"reserch\\". Did you mean \\"research\\"? List them with: toolrack bundles"}}"
    `);
  });
});

describe("toolrack search", () => {
  it("prints which words were met, at most four, and how near the meaning is", async () => {
    const word = (text: string, met = text) => ({ kind: "word", word: text, met });
    const hits = [
      {
        tool: "a",
        why: [word("book"), word("table", "tables"), word("c"), word("d"), word("e"), { kind: "meaning", similarity: 0.456 }],
        description: "Books.",
      },
      { tool: "b", why: [], description: "Reads." },
    ];
    const script = { "GET /search": { hits }, "GET /policy/view": { warnings: [] } };
    expect(await told(["search", "book", "a table", "--limit", "100", "--agent", "ada"], script)).toMatchInlineSnapshot(`
      "> GET /policy/view?caller={"agent":"ada"}
      > GET /search?q=book+a+table&limit=100&runAs={"agent":"ada"}
      TOOL  MATCHED                                 DESCRIPTION
      a     book, table→tables, c, d, meaning 0.46  Books.
      b                                             Reads.
      json: the answer
      json> GET /search?q=book+a+table&limit=100&runAs={"agent":"ada"}"
    `);
    expect(
      await toldOfEach(
        [
          ["search", "x"],
          ["search", "x", "--limit", "101"],
        ],
        { "GET /search": { hits: [] } },
      ),
    ).toMatchInlineSnapshot(`
      "$ toolrack search x
      > GET /search?q=x&limit=5
      No tool found. Try other words for the action and for what it acts on.
      exit 4
      json: the answer

      $ toolrack search x --limit 101
      ! --limit must be a whole number, from 1 to 100, but it is "101".
      exit 2
      json: {"error":{"detail":"--limit must be a whole number, from 1 to 100, but it is \\"101\\"."}}"
    `);
  });
});

describe("toolrack bundles", () => {
  it("lists bundles, and tells which tools of one are missing", async () => {
    const bundles = [{ name: "research", required: ["a", "b"], optional: ["c"], origin: "file", description: "To look things up." }];
    expect(await told(["bundles"], { "GET /bundles": { bundles } })).toMatchInlineSnapshot(`
      "> GET /bundles
      BUNDLE    REQUIRED  OPTIONAL  FROM  FOR
      research  2         1         file  To look things up.
      json: the answer"
    `);
    const whole = { tools: ["a", "b"], missing: [], missingCount: 0, missingOptional: [], missingOptionalCount: 0 };
    const path = "GET /bundles/research/resolve";
    expect(await told(["bundles", "research"], { [path]: whole })).toMatchInlineSnapshot(`
      "> GET /bundles/research/resolve
      research: a, b
      ‹+No required tool is missing.›
      json: the answer"
    `);
    const poor = { tools: [], missing: ["x"], missingCount: 3, missingOptional: ["y"], missingOptionalCount: 1 };
    expect(await told(["bundles", "research", "--agent", "ada"], { [path]: poor, "GET /policy/view": { warnings: [] } }))
      .toMatchInlineSnapshot(`
        "> GET /policy/view?caller={"agent":"ada"}
        > GET /bundles/research/resolve?runAs={"agent":"ada"}
        research: no tools
        ‹-Missing: x, 2 that you may not use›
        ‹?Optional, and not available: y›
        exit 1
        json: the answer
        json> GET /bundles/research/resolve?runAs={"agent":"ada"}"
      `);
    expect(
      await toldOfEach(
        [
          ["bundles", "reserch"],
          ["bundles", "zzz"],
        ],
        { "GET /bundles": { bundles } },
      ),
    ).toMatchInlineSnapshot(`
      "$ toolrack bundles reserch
      > GET /bundles/reserch/resolve
      > GET /bundles
      ! There is no bundle "reserch". Did you mean "research"? List them with: toolrack bundles
      exit 4
      json: {"error":{"detail":"There is no bundle \\"reserch\\". Did you mean \\"research\\"? List them with: toolrack bundles"}}

      $ toolrack bundles zzz
      > GET /bundles/zzz/resolve
      > GET /bundles
      ! There is no bundle "zzz". Known are research. List them with: toolrack bundles
      exit 4
      json: {"error":{"detail":"There is no bundle \\"zzz\\". Known are research. List them with: toolrack bundles"}}"
    `);
    expect(await told(["bundles", "zzz"], { "GET /bundles": { bundles: [] } })).toMatchInlineSnapshot(`
      "> GET /bundles/zzz/resolve
      > GET /bundles
      ! There is no bundle "zzz". List them with: toolrack bundles
      exit 4
      json: {"error":{"detail":"There is no bundle \\"zzz\\". List them with: toolrack bundles"}}"
    `);
  });
});

describe("toolrack config", () => {
  it("shows, merges, replaces and removes settings", async () => {
    const ready = { tool: "a", missing: [], values: { x: 1 } };
    const configs = [ready, { tool: "b", missing: ["key", "url"], values: {} }];
    expect(await told(["config"], { "GET /configs": { configs } })).toMatchInlineSnapshot(`
      "> GET /configs
      TOOL  STATE           SAVED
      a     ready           {"x":1}
      b     needs key, url  {}
      json: the answer"
    `);
    expect(await told(["config"], { "GET /configs": { configs: [] } })).toMatchInlineSnapshot(`
      "> GET /configs
      No tool has settings.
      json: the answer"
    `);
    const script = { "GET /configs/a": ready, "PUT /configs/a": {}, "DELETE /configs/a": {}, "GET /configs/b": configs[1] };
    const lines = [
      ["config", "a"],
      ["config", "b"],
      ["config", "a", "y=2"],
      ["config", "a", ' {"z":3}'],
      ["config", "a", "--remove"],
    ];
    expect(await toldOfEach(lines, script)).toMatchInlineSnapshot(`
      "$ toolrack config a
      > GET /configs/a
      SETTING  VALUE
      x        1
      json: the answer

      $ toolrack config b
      > GET /configs/b
      No settings saved.
      ‹?needs key, url›
      json: the answer

      $ toolrack config a y=2
      > GET /configs/a
      > PUT /configs/a {"x":1,"y":2}
      > GET /configs/a
      SETTING  VALUE
      x        1
      json: the answer

      $ toolrack config a  {"z":3}
      > PUT /configs/a {"z":3}
      > GET /configs/a
      SETTING  VALUE
      x        1
      json: the answer

      $ toolrack config a --remove
      > DELETE /configs/a
      The settings of a were removed.
      json: {"tool":"a","removed":true}"
    `);
    expect(
      await toldOfEach(
        [
          ["config", "staus"],
          ["config", "zzz"],
        ],
        {},
      ),
    ).toMatchInlineSnapshot(`
      "$ toolrack config staus
      > GET /configs/staus
      ! There is no tool "staus". Did you mean "toolrack config status"?
      exit 4
      json: {"error":{"status":404,"code":"RECORD_NOT_FOUND","detail":"There is nothing of this name."}}

      $ toolrack config zzz
      > GET /configs/zzz
      ! There is nothing of this name.
      exit 4
      json: {"error":{"status":404,"code":"RECORD_NOT_FOUND","detail":"There is nothing of this name."}}"
    `);
    expect(await told(["config", "a", "-"], script, { input: '{"w":4}' })).toContain('> PUT /configs/a {"w":4}\n');
  });

  it("shows what waits in the file, approves exactly it, and says what is in force then", async () => {
    const waiting = [
      { key: "tools.exec", part: "tools", before: true, after: false },
      { key: "tools.read", part: "tools", after: 1 },
      { key: "tls.key", part: "tls", before: 2 },
    ];
    const pending = { message: "A change waits.", digest: "sha256:f", waiting };
    const settings = { "GET /settings": { problems: ["A fault.", "A change waits. Look."] } };
    const all = { "GET /config/pending": { pending, restart: ["tls"] }, ...settings };
    expect(await told(["config", "status"], all)).toMatchInlineSnapshot(`
      "> GET /config/pending
      > GET /settings
      ‹-A fault.›
      ‹?A change waits.›
      KEY         IN FORCE  IN THE FILE
      tools.exec  true      false
      tools.read            1
      tls.key     2
      ‹?Takes effect after a restart of the server: tls.›

      Approve exactly this file with: toolrack --url <url> config approve sha256:f
      exit 1
      json: {"server":"<url>","problems":["A fault.","A change waits. Look."],"pending":{"message":"A change waits.","digest":"sha256:f","waiting":[{"key":"tools.exec","part":"tools","before":true,"after":false},{"key":"tools.read","part":"tools","after":1},{"key":"tls.key","part":"tls","before":2}]},"restart":["tls"]}"
    `);
    const well = { "GET /config/pending": { restart: [] }, "GET /settings": { problems: [] } };
    expect(await told(["config", "status"], well)).toMatchInlineSnapshot(`
      "> GET /config/pending
      > GET /settings
      The configuration file is in force. No change is waiting for approval.
      json: {"server":"<url>","problems":[],"restart":[]}"
    `);
    expect(await told(["config", "status"], { ...well, "GET /config/pending": { restart: ["a", "b"] } })).toMatchInlineSnapshot(`
      "> GET /config/pending
      > GET /settings
      No change is waiting for approval.
      ‹?Takes effect after a restart of the server: a, b.›
      json: {"server":"<url>","problems":[],"restart":["a","b"]}"
    `);
    expect(await told(["config", "status"], { ...well, "GET /settings": { problems: ["A fault."] } })).toMatchInlineSnapshot(`
      "> GET /config/pending
      > GET /settings
      ‹-A fault.›
      exit 1
      json: {"server":"<url>","problems":["A fault."],"restart":[]}"
    `);
    const approve = { ...all, "POST /config/approve": { restart: ["tls"] } };
    const lines = [["sha256:f"], ["sha256:x"], []].map((words) => ["config", "approve", ...words]);
    expect(await toldOfEach(lines, approve)).toMatchInlineSnapshot(`
      "$ toolrack config approve sha256:f
      > GET /config/pending
      > POST /config/approve {"digest":"sha256:f"}
      KEY         IN FORCE  IN THE FILE
      tools.exec  true      false
      tools.read            1
      tls.key     2

      ‹+Approved and in force: tools.›
      ‹?Takes effect after a restart of the server: tls.›
      json: the answer

      $ toolrack config approve sha256:x
      > GET /config/pending
      ! The digest of the waiting file is sha256:f, not "sha256:x". Review it again with: toolrack config status
      exit 3
      json: {"error":{"detail":"The digest of the waiting file is sha256:f, not \\"sha256:x\\". Review it again with: toolrack config status"}}

      $ toolrack config approve
      > GET /config/pending
      ! Add the digest of the file that you reviewed. It is printed by: toolrack config status
      exit 3
      json: {"error":{"detail":"Add the digest of the file that you reviewed. It is printed by: toolrack config status"}}"
    `);
    expect(await told(["config", "approve", "sha256:f"], { ...all, "POST /config/approve": { restart: ["tls", "tools"] } })).toContain(
      "\n‹+Approved.›\n",
    );
    const again = {
      "GET /config/pending": { pending: { ...pending, waiting: [] }, restart: [] },
      "POST /config/approve": { pending, restart: [] },
    };
    expect(await told(["config", "approve", "sha256:f"], again)).toMatchInlineSnapshot(`
      "> GET /config/pending
      > POST /config/approve {"digest":"sha256:f"}

      ‹-Approved, but not in force. See why with: toolrack config status›
      json: the answer"
    `);
    expect(await told(["config", "approve"], well)).toMatchInlineSnapshot(`
      "> GET /config/pending
      ! No configuration change is waiting for approval. See: toolrack config status
      exit 3
      json: {"error":{"detail":"No configuration change is waiting for approval. See: toolrack config status"}}"
    `);
  });
});

describe("toolrack secrets", () => {
  it("lists what is set and what is missing, sets and removes", async () => {
    const secrets = [{ name: "a", updated_by: "ada", updated_at: time }];
    const wanted = [{ name: "b", tools: ["x", "y"] }];
    expect(await told(["secrets"], { "GET /secrets": { secrets, wanted } })).toMatchInlineSnapshot(`
      "> GET /secrets
      SECRET  STATE
      b       ‹?missing›  needed by x, y
      a       set      by ada, 2026-01-02 03:04:05
      json: the answer"
    `);
    expect(await told(["secrets", "list"], { "GET /secrets": { secrets: [], wanted: [] } })).toMatchInlineSnapshot(`
      "> GET /secrets
      No secrets are set, and no tool needs one.
      json: the answer"
    `);
    const script = { "PUT /secrets/a": {}, "DELETE /secrets/a": {} };
    expect(await told(["secrets", "set", "a"], script, { input: "v\r\n" })).toMatchInlineSnapshot(`
      "> PUT /secrets/a {"value":"v"}
      The secret a is set.
      json: {"name":"a","set":true}"
    `);
    expect(await told(["secrets", "set", "a"], script, { input: "\n" })).toMatchInlineSnapshot(`
      "! The secret a has no value. Type it when asked, or pipe it to standard input.
      exit 2
      json: {"error":{"detail":"The secret a has no value. Type it when asked, or pipe it to standard input."}}"
    `);
    expect(await told(["secrets", "remove", "a"], script)).toMatchInlineSnapshot(`
      "> DELETE /secrets/a
      The secret a was removed.
      json: {"name":"a","removed":true}"
    `);
  });

  it("tells what a rotation of the master key left over", async () => {
    const none = { secrets: [], auditKeys: [] };
    const done = { secrets: 2, auditKeys: 1, sharedKeys: 2, unreadable: none, forgotten: none, otherServers: [], needsPreviousKeys: false };
    const rewrap = (more: object, ...words: string[]) =>
      told(["secrets", "rewrap", ...words], { "POST /master-key/rewrap": { ...done, ...more } });
    expect(await rewrap({})).toMatchInlineSnapshot(`
      "> POST /master-key/rewrap {"forgetUnreadable":false}
      Re-encrypted with the current master key: 2 secrets, 3 keys of the server.
      TOOLRACK_PREVIOUS_KEYS can be removed now.
      json: the answer"
    `);
    expect(await rewrap({ forgotten: { secrets: ["a"], auditKeys: ["k"] } }, "--forget-unreadable")).toMatchInlineSnapshot(`
      "> POST /master-key/rewrap {"forgetUnreadable":true}
      Re-encrypted with the current master key: 2 secrets, 3 keys of the server.
      Discarded, because no available key can decrypt it: the secret a and 1 audit key.
      TOOLRACK_PREVIOUS_KEYS can be removed now.
      json: the answer"
    `);
    expect(await rewrap({ secrets: 1, unreadable: { secrets: ["a", "b"], auditKeys: [] } })).toMatchInlineSnapshot(`
      "> POST /master-key/rewrap {"forgetUnreadable":false}
      Re-encrypted with the current master key: 1 secret, 3 keys of the server.
      No available key can decrypt: the secrets a, b. Add the previous master key to TOOLRACK_PREVIOUS_KEYS, restart, and run this again. Only if that key is lost: toolrack secrets rewrap --forget-unreadable
      exit 1
      json: the answer"
    `);
    expect(await rewrap({ unreadable: { secrets: [], auditKeys: ["k", "l"] } })).toContain("No available key can decrypt: 2 audit keys.");
    expect(await rewrap({ needsPreviousKeys: true })).toMatchInlineSnapshot(`
      "> POST /master-key/rewrap {"forgetUnreadable":false}
      Re-encrypted with the current master key: 2 secrets, 3 keys of the server.
      Something was encrypted with a previous key in the meantime. Run this again.
      exit 1
      json: the answer"
    `);
    expect(await rewrap({ otherServers: ["server-123456", "x"] })).toMatchInlineSnapshot(`
      "> POST /master-key/rewrap {"forgetUnreadable":false}
      Re-encrypted with the current master key: 2 secrets, 3 keys of the server.
      Servers that still have another master key: 123456, x (see: toolrack status). Give them the current one, restart them, and run this again.
      exit 1
      json: the answer"
    `);
  });
});

describe("toolrack keys", () => {
  it("lists keys, and revokes one", async () => {
    const key = { id: "k1", agent: "ada", roles: ["admin", "owner"], createdAt: at, isListed: true };
    const keys = [key, { ...key, id: "k2", roles: [], isListed: false, expiresAt: at }];
    expect(await told(["keys"], { "GET /keys": { keys } })).toMatchInlineSnapshot(`
      "> GET /keys
      KEY  AGENT                                 ROLES         CREATED              EXPIRES                        FOR
      k1   ada                                   admin, owner  2026-01-02 03:04:05  never
      k2   ada ‹?(not listed: no access to tools)›                2026-01-02 03:04:05  2026-01-02 03:04:05 ‹?(expired)›
      json: the answer"
    `);
    expect(await told(["keys", "list"], { "GET /keys": { keys: [] } })).toMatchInlineSnapshot(`
      "> GET /keys
      There are no keys: only the owner, on this machine, can sign in.
      json: the answer"
    `);
    const others = await told(["keys", "revoke", "k1"], {
      "GET /keys": { keys: [key, { ...key, id: "k2", expiresAt: at }] },
      "DELETE /keys/k1": {},
    });
    expect(others).not.toContain("has another key");
    const live = [key, { ...key, id: "k2", description: "for tests" }];
    expect(await told(["keys"], { "GET /keys": { keys: live } })).toContain("for tests");
    expect(await told(["keys", "revoke", "k1"], { "GET /keys": { keys: live }, "DELETE /keys/k1": {} })).toMatchInlineSnapshot(`
      "> GET /keys
      > DELETE /keys/k1
      The key k1 was revoked.
      ! ‹?"ada" has another key, so its jobs, schedules and sessions go on. See: toolrack jobs, toolrack schedules›
      json: {"id":"k1","revoked":true}"
    `);
    const made = { "POST /keys": { id: "k1", secret: "s3cret" } };
    expect(await told(["keys", "create", "ada", "--roles", "admin, owner", "--description", "why"], made)).toMatchInlineSnapshot(`
      "> POST /keys {"agent":"ada","roles":["admin","owner"],"description":"why"}
      s3cret
      ! Key k1 for ada. Save it now: it is not shown again.
      json: the answer"
    `);
    expect(await told(["keys", "create", "ada"], made)).toContain('> POST /keys {"agent":"ada","roles":[]}\n');
    expect(
      await toldOfEach(
        [
          ["keys", "create", "ada", "--days", "0"],
          ["keys", "create", "ada", "--days", "36501"],
        ],
        made,
      ),
    ).toMatchInlineSnapshot(`
      "$ toolrack keys create ada --days 0
      ! --days must be a number, from 0.001 to 36500, but it is "0".
      exit 2
      json: {"error":{"detail":"--days must be a number, from 0.001 to 36500, but it is \\"0\\"."}}

      $ toolrack keys create ada --days 36501
      ! --days must be a number, from 0.001 to 36500, but it is "36501".
      exit 2
      json: {"error":{"detail":"--days must be a number, from 0.001 to 36500, but it is \\"36501\\"."}}"
    `);
  });
});

describe("toolrack audit", () => {
  it("lists lines with what filters them", async () => {
    const lines = [{ number: 5, at, kind: "call-end", who: "ada", subject: "exec" }];
    const words = ["audit", "list", "--kind", "call-end", "--limit", "1000", "--before", "6"];
    expect(await told(words, { "GET /audit": { lines, next: 4 } })).toMatchInlineSnapshot(`
      "> GET /audit?limit=1000&before=6&kinds=call-end
      LINE  WHEN                 WHAT      WHO  ABOUT
      5     2026-01-02 03:04:05  call-end  ada  exec
      More: toolrack audit list --kind call-end --limit 1000 --before 4
      json: the answer"
    `);
    expect(await toldOfEach([["audit"], ["audit", "--limit", "1001"]], { "GET /audit": { lines: [] } })).toMatchInlineSnapshot(`
      "$ toolrack audit
      > GET /audit?limit=20
      The audit is empty.
      json: the answer

      $ toolrack audit --limit 1001
      ! --limit must be a whole number, from 1 to 1000, but it is "1001".
      exit 2
      json: {"error":{"detail":"--limit must be a whole number, from 1 to 1000, but it is \\"1001\\"."}}"
    `);
  });

  it("verifies the chain, and tells what is missing from it", async () => {
    const intact = { ok: true, rows: 1, missing: { kept: 0, unrecorded: 0 }, last: { number: 5, hash: "abc" }, limits: ["The clock."] };
    const verify = (answer: object, ...words: string[]) => told(["audit", "verify", ...words], { "GET /audit/verification": answer });
    expect(await verify(intact, "--since", "5:ABc")).toMatchInlineSnapshot(`
      "> GET /audit/verification?sinceNumber=5&sinceHash=abc
      ‹+Audit intact:› 1 line.
      Keep this outside the database, and check against it next time:
        toolrack audit verify --since 5:abc
      Not covered by this check: The clock.
      json: the answer"
    `);
    expect(await verify({ ...intact, limits: [], log: { size: 1, root: "r" }, begin: { number: 3, anchor: { at, number: 4 } } }))
      .toMatchInlineSnapshot(`
        "> GET /audit/verification
        ‹+Audit intact:› 1 line.
        It starts at line 3 since older lines were removed on 2026-01-02 03:04:05; anchor valid (line 4).
        Log of definitions intact: 1 entry, root r.
        Keep this outside the database, and check against it next time:
          toolrack audit verify --since 5:abc
        json: the answer"
      `);
    expect(await verify({ ...intact, rows: 2, limits: [], log: { size: 1_234, root: "r" }, begin: {} })).toContain(
      "\nLog of definitions intact: 1,234 entries, root r.\n",
    );
    expect(await verify({ ...intact, log: { size: 0, root: "r" } })).not.toContain("Log of definitions");
    expect(await verify({ ...intact, limits: [], missing: { kept: 1, unrecorded: 1 } })).toMatchInlineSnapshot(`
      "> GET /audit/verification
      ‹?Audit intact, but not complete:› 1 line.
      ‹?1 call has ended, but its audit line is not written yet, because the store does not accept writes. Check again later.›
      ‹?1 call ran without a record, or its end was lost. See when: toolrack audit list --kind calls-unrecorded›
      Keep this outside the database, and check against it next time:
        toolrack audit verify --since 5:abc
      exit 1
      json: the answer"
    `);
    expect(await verify({ ...intact, limits: [], missing: { kept: 2, unrecorded: 2 } })).toMatchInlineSnapshot(`
      "> GET /audit/verification
      ‹?Audit intact, but not complete:› 1 line.
      ‹?2 calls have ended, but their audit lines are not written yet, because the store does not accept writes. Check again later.›
      ‹?2 calls ran without a record, or their end was lost. See when: toolrack audit list --kind calls-unrecorded›
      Keep this outside the database, and check against it next time:
        toolrack audit verify --since 5:abc
      exit 1
      json: the answer"
    `);
    expect(await verify({ ok: false, number: 7, reason: "It was changed." })).toMatchInlineSnapshot(`
      "> GET /audit/verification
      ‹-Audit line 7 has been tampered with:› It was changed.
      exit 1
      json: the answer"
    `);
    expect(await verify({}, "--since", "x")).toMatchInlineSnapshot(`
      "! "x" is not the end of an audit chain. Write NUMBER:HASH, as toolrack audit verify prints it.
      exit 2
      json: {"error":{"detail":"\\"x\\" is not the end of an audit chain. Write NUMBER:HASH, as toolrack audit verify prints it."}}"
    `);
  });
});

describe("toolrack overlay", () => {
  const info = {
    shownAs: "new_issue",
    sourceId: "github",
    tool: "create",
    state: "applied",
    stale: [],
    loosens: [],
    origin: "store",
    overlay: { name: "new_issue" },
  };

  it("lists overlays with what they change", async () => {
    const parameters = { a: { hidden: true }, b: { value: 1 }, c: { description: "d", enum: [1] } };
    const overlays = [
      info,
      { ...info, state: "stale", stale: ["name"], overlay: { title: "t", parameters } },
      { ...info, state: "unfit" },
      { ...info, state: "unused" },
      { ...info, loosens: ["/limits/timeoutMs"], over: "toolrack.config.yaml:12" },
    ];
    expect(await told(["overlay"], { "GET /overlays": { overlays } })).toMatchInlineSnapshot(`
      "> GET /overlays
      TOOL       AT ITS SOURCE  CHANGES                                           STATE                              FROM
      new_issue  github/create  name                                              ‹+applied›                            store
      new_issue  github/create  title, without a, pinned b, c: description, enum  ‹?stale name›                         store
      new_issue  github/create  name                                              ‹-unfit›                              store
      new_issue  github/create  name                                              unused                             store
      new_issue  github/create  name                                              ‹+applied›‹? loosens /limits/timeoutMs›  store over toolrack.config.yaml:12
      json: the answer"
    `);
    expect(await told(["overlay", "list"], { "GET /overlays": { overlays: [] } })).toMatchInlineSnapshot(`
      "> GET /overlays
      There are no overlays: every tool is as its source has it.
      json: the answer"
    `);
  });

  it("sends every option, or the whole overlay", async () => {
    const script = {
      "PUT /tools/create/overlay": info,
      "POST /tools/create/overlay/confirmation": info,
      "DELETE /tools/create/overlay": info,
    };
    const words = [
      ["overlay", "set", "create", "--name", "n", "--title", "t", "--description", "d", "--hide", "--param", "a=text", "--hide-param", "b"],
      ["--pin", "c=5", "--pin", "d=x", "--values", "a=[1,2]", "--tag", "t1", "--tag", "t2", "--group", "g", "--reason", "why"],
    ].flat();
    expect(await told(words, script)).toMatchInlineSnapshot(`
      "> PUT /tools/create/overlay {"overlay":{"name":"n","title":"t","description":"d","hidden":true,"parameters":{"a":{"description":"text","enum":[1,2]},"b":{"hidden":true},"c":{"value":5},"d":{"value":"x"}},"tags":["t1","t2"],"groups":["g"]},"reason":"why"}
      github/create is shown as new_issue now: name.
      json: the answer"
    `);
    const loosening = {
      "PUT /tools/create/overlay": { ...info, loosens: ["/hidden"] },
      "DELETE /tools/create/overlay": { ...info, loosens: ["/hidden"] },
    };
    expect(await told(["overlay", "set", "create", '{"hidden":false}'], loosening)).toMatchInlineSnapshot(`
      "> PUT /tools/create/overlay {"overlay":{"hidden":false}}
      github/create is shown as new_issue now: name. It allows what the configuration does not: /hidden.
      json: the answer"
    `);
    expect(await told(["overlay", "remove", "create"], loosening)).toMatchInlineSnapshot(`
      "> DELETE /tools/create/overlay
      The overlay of github/create was removed. What it restricted is allowed again: /hidden.
      json: the answer"
    `);
    const lines = [
      ["overlay", "set", "create"],
      ["overlay", "set", "create", '{"hidden":true}'],
      ["overlay", "set", "create", "{"],
      ["overlay", "set", "create", "--param", "=x"],
      ["overlay", "set", "create", "--values", "a=x"],
      ["overlay", "confirm", "create"],
      ["overlay", "remove", "create"],
    ];
    expect(await toldOfEach(lines, script)).toMatchInlineSnapshot(`
      "$ toolrack overlay set create
      > PUT /tools/create/overlay {"overlay":{}}
      github/create is shown as new_issue now: name.
      json: the answer

      $ toolrack overlay set create {"hidden":true}
      > PUT /tools/create/overlay {"overlay":{"hidden":true}}
      github/create is shown as new_issue now: name.
      json: the answer

      $ toolrack overlay set create {
      ! The overlay is not JSON: {
      exit 2
      json: {"error":{"detail":"The overlay is not JSON: {"}}

      $ toolrack overlay set create --param =x
      ! "=x" is not name=value.
      exit 2
      json: {"error":{"detail":"\\"=x\\" is not name=value."}}

      $ toolrack overlay set create --values a=x
      ! The list of values is not JSON: x
      exit 2
      json: {"error":{"detail":"The list of values is not JSON: x"}}

      $ toolrack overlay confirm create
      > POST /tools/create/overlay/confirmation
      The overlay of new_issue is confirmed for the tool as it is now.
      json: the answer

      $ toolrack overlay remove create
      > DELETE /tools/create/overlay
      The overlay of github/create was removed.
      json: the answer"
    `);
  });
});

describe("toolrack history, diff and restore", () => {
  const path = "/breadcrumbs/tool-def-dice";
  const record = { id: "tool-def-dice", version: 4, updated_at: time, updated_by: "ada", title: "Dice", tags: ["a", "b"] };

  it("lists revisions", async () => {
    const changes = [
      { type: "updated", record },
      { type: "created", record: { ...record, version: 1 } },
    ];
    expect(await told(["history", "dice", "--limit", "1000"], { [`GET ${path}/history`]: { changes } })).toMatchInlineSnapshot(`
      "> GET /breadcrumbs/tool-def-dice/history?limit=1000
      VERSION  WHEN                 BY   CHANGE   TITLE  TAGS
      4        2026-01-02 03:04:05  ada  updated  Dice   a, b
      1        2026-01-02 03:04:05  ada  created  Dice   a, b
      json: the answer"
    `);
    expect(await told(["history", "dice"], { [`GET ${path}/history`]: { changes: [] } })).toMatchInlineSnapshot(`
      "> GET /breadcrumbs/tool-def-dice/history?limit=100
      > GET /breadcrumbs?where=[{"path":"id","op":"gte","value":"dice"},{"path":"id","op":"lt","value":"dice￿"}]&limit=11
      ! There is no record of "dice". Tools defined in code have no stored history.
      exit 4
      json: {"error":{"detail":"There is no record of \\"dice\\". Tools defined in code have no stored history."}}"
    `);
    expect(await told(["history", "dice", "--limit", "1001"], {})).toContain("exit 2");
  });

  it("compares two versions, by default the newest with the one before", async () => {
    const differences = [
      { path: "title", before: "a", after: "b" },
      { path: "x", before: 1 },
      { path: "context.upstream.waits", after: true },
    ];
    const script = { [`GET ${path}`]: record, [`GET ${path}/diff`]: { differences } };
    expect(await told(["diff", "dice"], script)).toMatchInlineSnapshot(`
      "> GET /breadcrumbs/tool-def-dice
      > GET /breadcrumbs/tool-def-dice/diff?from=3&to=4
      title
      ‹-- "a"›
      ‹++ "b"›
      x
      ‹-- 1›
      context.upstream.waits
      ‹++ true›
      What waits is not in the record before it is approved. See what changed: toolrack approve dice
      json: the answer"
    `);
    const same = { [`GET ${path}`]: record, [`GET ${path}/diff`]: { differences: [] } };
    expect(
      await toldOfEach(
        [
          ["diff", "dice", "1", "2"],
          ["diff", "dice", "2"],
          ["diff", "dice", "x"],
        ],
        same,
      ),
    ).toMatchInlineSnapshot(`
      "$ toolrack diff dice 1 2
      > GET /breadcrumbs/tool-def-dice/diff?from=1&to=2
      Versions 1 and 2 are the same.
      json: the answer

      $ toolrack diff dice 2
      > GET /breadcrumbs/tool-def-dice
      > GET /breadcrumbs/tool-def-dice/diff?from=2&to=4
      Versions 2 and 4 are the same.
      json: the answer

      $ toolrack diff dice x
      ! The first version must be a whole number, at least 1, but it is "x".
      exit 2
      json: {"error":{"detail":"The first version must be a whole number, at least 1, but it is \\"x\\"."}}"
    `);
    expect(await told(["diff", "dice"], { [`GET ${path}`]: { ...record, version: 1 } })).toMatchInlineSnapshot(`
      "> GET /breadcrumbs/tool-def-dice
      ! "dice" has only one revision, so there is nothing to compare.
      exit 1
      json: {"error":{"detail":"\\"dice\\" has only one revision, so there is nothing to compare."}}"
    `);
    expect(await told(["diff", "dice"], { ...script, [`GET ${path}/diff`]: { differences: differences.slice(0, 2) } })).not.toContain(
      "What waits",
    );
  });

  it("restores a revision, and says what is missing until the tool can be called", async () => {
    const definition = { ...record, schema_name: "tool.definition.v1", context: { state: "draft", name: "dice" } };
    const restore = `POST ${path}/restore`;
    expect(await told(["restore", "dice", "2"], { [restore]: { ...record, context: {} } })).toMatchInlineSnapshot(`
      "> POST /breadcrumbs/tool-def-dice/restore {"version":2}
      Restored version 2 of dice as version 4.
      json: the answer"
    `);
    expect(await told(["restore", "dice", "2"], { [restore]: definition })).toMatchInlineSnapshot(`
      "> POST /breadcrumbs/tool-def-dice/restore {"version":2}
      Restored version 2 of dice as version 4.
      It cannot be called until it is approved. Review it, and approve it, with: toolrack approve dice
      json: the answer"
    `);
    const upstream = { ...definition, context: { state: "approved", name: "dice", upstream: { source: "mcp:x" } } };
    expect(await told(["restore", "dice", "2"], { [restore]: upstream, "GET /definitions/dice": { state: "unknown" } }))
      .toMatchInlineSnapshot(`
      "> POST /breadcrumbs/tool-def-dice/restore {"version":2}
      > GET /definitions/dice
      Restored version 2 of dice as version 4.
      The source mcp:x does not list dice now, so it cannot be called until the source does.
      json: the answer"
    `);
    expect(await told(["restore", "dice", "2"], { [restore]: upstream, "GET /definitions/dice": { state: "approved" } })).not.toContain(
      "does not list",
    );
    const changes = [{ record }, { record: { ...record, version: 2 } }];
    expect(
      await told(["restore", "dice", "9"], {
        [`GET ${path}/history`]: { changes },
        "GET /lifecycle": { definitions: [] },
        "GET /breadcrumbs": { records: [] },
      }),
    ).toMatchInlineSnapshot(`
      "> POST /breadcrumbs/tool-def-dice/restore {"version":9}
      > GET /breadcrumbs/tool-def-dice/history
      > GET /breadcrumbs?where=[{"path":"id","op":"gte","value":"dice"},{"path":"id","op":"lt","value":"dice￿"}]&limit=11
      > GET /breadcrumbs?where=[{"path":"id","op":"gte","value":"tool-def-dice"},{"path":"id","op":"lt","value":"tool-def-dice￿"}]&limit=11
      > GET /lifecycle
      ! "dice" has no version 9: it has the versions 2 to 4. List them with: toolrack history dice
      exit 4
      json: {"error":{"detail":"\\"dice\\" has no version 9: it has the versions 2 to 4. List them with: toolrack history dice"}}"
    `);
    expect(await told(["restore", "dice", "9"], { [`GET ${path}/history`]: { changes: [changes[0]] } })).toContain(
      "it has only version 4.",
    );
    const lines = [
      ["restore", "dice"],
      ["restore", "dice", "x"],
      ["restore", "dice", "2", "--check"],
      ["restore", "dice", "2"],
    ];
    expect(await toldOfEach(lines, {})).toMatchInlineSnapshot(`
      "$ toolrack restore dice
      ! There is no backup file "dice". To restore a revision of a tool or record, add its version: toolrack restore dice <version>. List the revisions with: toolrack history dice
      exit 2
      json: {"error":{"detail":"There is no backup file \\"dice\\". To restore a revision of a tool or record, add its version: toolrack restore dice <version>. List the revisions with: toolrack history dice"}}

      $ toolrack restore dice x
      ! The version must be a whole number, at least 1, but it is "x".
      exit 2
      json: {"error":{"detail":"The version must be a whole number, at least 1, but it is \\"x\\"."}}

      $ toolrack restore dice 2 --check
      ! --check applies to backups, but a version names a revision of a record. Use one or the other.
      exit 2
      json: {"error":{"detail":"--check applies to backups, but a version names a revision of a record. Use one or the other."}}

      $ toolrack restore dice 2
      > POST /breadcrumbs/tool-def-dice/restore {"version":2}
      > GET /breadcrumbs/tool-def-dice/history
      > GET /breadcrumbs?where=[{"path":"id","op":"gte","value":"dice"},{"path":"id","op":"lt","value":"dice￿"}]&limit=11
      ! There is no stored tool or record "dice". Tools defined in code have no revisions.
      exit 4
      json: {"error":{"detail":"There is no stored tool or record \\"dice\\". Tools defined in code have no revisions."}}"
    `);
  });
});

describe("toolrack workers", () => {
  it("lists pools with and without workers, and drains one", async () => {
    const worker = { instance: "w-12", version: "1.0", state: "ready", slots: 4, running: 1, tools: 2, seenAt: at };
    const pools = [
      { pool: "p", source: "s", workers: [worker, { ...worker, instance: "w-13", version: undefined }] },
      { pool: "q", source: "t", workers: [] },
      { pool: "r", source: "u", workers: [], error: "No broker." },
    ];
    const script = { "GET /workers": { publicKey: "key", pools }, "POST /workers/w-12/drain": { instance: "w-12" } };
    const lines = [["workers"], ["workers", "drain", "w-12"], ["workers", "drain", "w"], ["workers", "drain", "x"]];
    expect(await toldOfEach(lines, script)).toMatchInlineSnapshot(`
      "$ toolrack workers
      > GET /workers
      POOL  WORKER  VERSION  STATE  RUNNING  TOOLS  LAST SEEN
      p     w-12    1.0      ready  1 of 4   2      2026-01-02 03:04:05
      p     w-13             ready  1 of 4   2      2026-01-02 03:04:05
      Pool q (source t) has no worker.
      Pool r (source u) has no worker: No broker.
      Public key of this server, for the option --server of a worker: key
      json: the answer

      $ toolrack workers drain w-12
      > GET /workers
      > POST /workers/w-12/drain
      Worker w-12 takes no more calls, and ends when those that it has have ended.
      json: the answer

      $ toolrack workers drain w
      > GET /workers
      ! "w" is the beginning of 2 workers: w-12, w-13. Write more of the id.
      exit 2
      json: {"error":{"detail":"\\"w\\" is the beginning of 2 workers: w-12, w-13. Write more of the id."}}

      $ toolrack workers drain x
      > GET /workers
      ! There is no worker "x". See: toolrack workers list
      exit 4
      json: {"error":{"detail":"There is no worker \\"x\\". See: toolrack workers list"}}"
    `);
    expect(await told(["workers", "list"], { "GET /workers": { publicKey: "key", pools: [] } })).toMatchInlineSnapshot(`
      "> GET /workers
      No pool of workers is configured. See sources.<id>.workers in the reference of the configuration.
      Public key of this server, for the option --server of a worker: key
      json: the answer"
    `);
  });
});

describe("toolrack triggers", () => {
  it("lists, adds, tests, pauses, resumes and removes", async () => {
    const trigger = { id: "news", state: "active", spec: { on: { schema_name: "n" }, tool: "sum" }, runsAs: { agent: "ada" } };
    const triggers = [
      trigger,
      { ...trigger, state: "paused", runsAs: {}, reason: "why" },
      { ...trigger, problem: { reason: "It failed." } },
    ];
    const path = "POST /triggers/news";
    const script = {
      "GET /triggers": { triggers },
      "POST /triggers": trigger,
      [`${path}/test`]: { input: { a: 1 } },
      [`${path}/pause`]: { ...trigger, state: "paused" },
      [`${path}/resume`]: trigger,
      "DELETE /triggers/news": {},
    };
    const lines = [
      ["triggers"],
      ["triggers", "add", "news", "sum", "schema_name=n", "--input", '{"a":1}', "--agent", "ada"],
      ["triggers", "add", "news", "sum", "schema_name=n"],
      ["triggers", "test", "news", "a=1"],
      ["triggers", "pause", "news"],
      ["triggers", "resume", "news"],
      ["triggers", "remove", "news"],
    ];
    expect(await toldOfEach(lines, script)).toMatchInlineSnapshot(`
      "$ toolrack triggers
      > GET /triggers
      ID    STATE   ON                   CALLS  AS   SKIPPED  WHY
      news  ‹+active›  {"schema_name":"n"}  sum    ada  0
      news  ‹?paused›  {"schema_name":"n"}  sum         0        why
      news  ‹+active›  {"schema_name":"n"}  sum    ada  0        It failed.
      json: the answer

      $ toolrack triggers add news sum schema_name=n --input {"a":1} --agent ada
      > POST /triggers {"id":"news","tool":"sum","on":{"schema_name":"n"},"input":{"a":1},"agent":"ada"}
      The trigger news calls sum from now on, as ada.
      json: the answer

      $ toolrack triggers add news sum schema_name=n
      > POST /triggers {"id":"news","tool":"sum","on":{"schema_name":"n"}}
      The trigger news calls sum from now on, as ada.
      json: the answer

      $ toolrack triggers test news a=1
      > POST /triggers/news/test {"event":{"a":1}}
      {"a":1}
      json: the answer

      $ toolrack triggers pause news
      > POST /triggers/news/pause
      The trigger news is paused.
      json: the answer

      $ toolrack triggers resume news
      > POST /triggers/news/resume
      The trigger news is active.
      json: the answer

      $ toolrack triggers remove news
      > DELETE /triggers/news
      The trigger news was removed.
      json: {"id":"news","removed":true}"
    `);
    expect(await told(["triggers", "list"], { "GET /triggers": { triggers: [] } })).toMatchInlineSnapshot(`
      "> GET /triggers
      There are no triggers.
      json: the answer"
    `);
    expect(await told(["triggers", "test", "news"], { [`${path}/test`]: { fault: "It does not fit." } })).toMatchInlineSnapshot(`
      "> POST /triggers/news/test {"event":{}}
      ‹-It does not fit.›
      exit 1
      json: the answer"
    `);
    expect(await told(["triggers", "test", "news"], { [`${path}/test`]: { isChosen: true } })).toContain("\n{}\n");
  });
});

describe("toolrack openapi plan", () => {
  const plan = {
    title: "Pets",
    version: "1.0",
    format: "OpenAPI 3.1",
    operations: 2,
    servers: ["https://a.example", "https://b.example"],
    tools: [
      { name: "get", operation: "GET /pets", readOnly: true, destructive: false, deprecated: false },
      { name: "add", operation: "POST /pets", readOnly: false, destructive: false, deprecated: true },
      { name: "del", operation: "DELETE /pets", readOnly: false, destructive: true, deprecated: false },
    ],
    tags: [{ name: "pets", operations: 2 }],
    refused: [{ operation: "PUT /x", reason: "It has no schema." }],
    warnings: ["Odd."],
    tokens: [{ vendor: "openai", tokens: 1_234 }],
    secrets: [
      { secret: "a", tools: 1, isSet: true },
      { secret: "b", tools: 2, isSet: false },
    ],
    searched: true,
  };

  it("shows what would come of a document, and what it needs", async () => {
    const words = ["openapi", "plan", "https://x.example/o", "--id", "pets", "--secret", "x=a"];
    expect(await told(words, { "POST /openapi/plan": plan })).toMatchInlineSnapshot(`
      "> POST /openapi/plan {"openapi":{"url":"https://x.example/o","secrets":{"x":"a"}},"source":"pets"}
      Pets 1.0, OpenAPI 3.1: 2 operations, 3 tools, 1 refused.
      Requests go to https://a.example, https://b.example.
      Tokens, estimated: openai 1,234.
      These are many: models find them by search, instead of having all of them listed.
      Tags: pets (2).
      Secret a: 1 tool
      ‹?Secret b: 2 tools, not set. Set it with: toolrack secrets set b›
      ‹?  Only the document names it: give it with --secret b=b, else each of these tools waits for a grant (toolrack approvals).›

      TOOL  OPERATION     KIND
      get   GET /pets     reads
      add   POST /pets    writes, deprecated
      del   DELETE /pets  deletes

      Refused:
      ‹-  PUT /x: It has no schema.›

      Warnings:
      ‹?  Odd.›
      json: the answer"
    `);
    const bare = { ...plan, tools: [], tags: [], refused: [], warnings: [], secrets: [], servers: [], searched: false };
    expect(await told(["openapi", "plan", "https://x.example/o"], { "POST /openapi/plan": bare })).toMatchInlineSnapshot(`
      "> POST /openapi/plan {"openapi":{"url":"https://x.example/o"},"source":"api"}
      Pets 1.0, OpenAPI 3.1: 2 operations, 0 tools, 0 refused.
      Nothing is chosen: no operation matches --include, or --exclude takes out all that do. The document's tags, paths and operationIds can be chosen.
      Tokens, estimated: openai 1,234.
      exit 1
      json: the answer"
    `);
    expect(await told(["openapi", "plan", "https://x.example/o"], { "POST /openapi/plan": { ...bare, operations: 0 } })).toContain(
      "\nRequests go to an address that --base-url has to give.\n",
    );
    const many = { ...bare, tools: Array.from({ length: 60 }, (_, index) => ({ ...plan.tools[0]!, name: `t${index}` })) };
    const lines = (await told(["openapi", "plan", "https://x.example/o"], { "POST /openapi/plan": many })).split("\n");
    expect(lines.slice(-3)).toMatchInlineSnapshot(`
      [
        "t19   GET /pets  reads",
        "… and 40 more; --all shows them.",
        "json: the answer",
      ]
    `);
    expect(await told(["openapi", "plan", "https://x.example/o", "--all"], { "POST /openapi/plan": many })).not.toContain(
      "--all shows them",
    );
  });
});

describe("toolrack proof", () => {
  beforeAll(async () => void (await import("../../src/commands/_proof.ts")));

  it("asks for a proof since an earlier one, and lists the log", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "old.json"), JSON.stringify({ head: { size: 3, root: "r" } }));
    writeFileSync(join(folder, "odd.json"), JSON.stringify({ head: { size: "3" } }));
    writeFileSync(join(folder, "bad.json"), "{");
    const lines = [
      ["proof", "dice", "--since", "old.json", "--index", "0"],
      ["proof", "dice"],
      ["proof", "dice", "--since", "odd.json"],
      ["proof", "dice", "--since", "none.json"],
      ["proof", "dice", "--index", "-1"],
    ];
    expect(await toldOfEach(lines, { "GET /tools/dice/proof": { entry: { a: 1 } } }, { folder })).toMatchInlineSnapshot(`
      "$ toolrack proof dice --since old.json --index 0
      > GET /tools/dice/proof?sinceSize=3&sinceRoot=r&index=0
      {
        "entry": {
          "a": 1
        }
      }
      json: the answer

      $ toolrack proof dice
      > GET /tools/dice/proof
      {
        "entry": {
          "a": 1
        }
      }
      json: the answer

      $ toolrack proof dice --since odd.json
      ! odd.json has no head of a log. Give a file that toolrack proof printed.
      exit 2
      json: {"error":{"detail":"odd.json has no head of a log. Give a file that toolrack proof printed."}}

      $ toolrack proof dice --since none.json
      ! none.json cannot be read: ENOENT.
      exit 2
      json: {"error":{"detail":"none.json cannot be read: ENOENT."}}

      $ toolrack proof dice --index -1
      ! --index must be a whole number, at least 0, but it is "-1".
      exit 2
      json: {"error":{"detail":"--index must be a whole number, at least 0, but it is \\"-1\\"."}}"
    `);
    expect(await told(["proof", "dice", "--since", "bad.json"], {}, { folder })).toMatch(/^! bad\.json is not JSON: .*\nexit 2\n/);
    const entries = [
      { index: 4, at, kind: "approved", by: "ada", tool: "dice", print: "p".repeat(30) },
      { index: 3, at, kind: "removed", by: "ada", tool: "dice" },
    ];
    const words = ["proof", "log", "--limit", "1000", "--before", "0", "--tool", "dice"];
    expect(await told(words, { "GET /definition-log": { entries, next: 3 } })).toMatchInlineSnapshot(`
      "> GET /definition-log?limit=1000&before=0&tool=dice
      INDEX  WHEN                 WHAT      BY   TOOL  PRINT
      4      2026-01-02 03:04:05  approved  ada  dice  pppppppppppppppppppppppp
      3      2026-01-02 03:04:05  removed   ada  dice  –
      More: toolrack proof log --tool dice --limit 1000 --before 3
      json: the answer"
    `);
    expect(
      await toldOfEach(
        [
          ["proof", "log"],
          ["proof", "log", "--limit", "1001"],
        ],
        { "GET /definition-log": { entries: [] } },
      ),
    ).toMatchInlineSnapshot(`
      "$ toolrack proof log
      > GET /definition-log?limit=20
      Nothing was logged about definitions yet.
      json: the answer

      $ toolrack proof log --limit 1001
      ! --limit must be a whole number, from 1 to 1000, but it is "1001".
      exit 2
      json: {"error":{"detail":"--limit must be a whole number, from 1 to 1000, but it is \\"1001\\"."}}"
    `);
  });
});
