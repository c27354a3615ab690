import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { Refusal, runScripted } from "../_scripted.ts";

const at = Date.UTC(2026, 0, 2, 3, 4, 5);

describe("toolrack secrets", () => {
  it("lists what is missing before what is set, with who set it and who needs it", async () => {
    const listed = await runScripted(["secrets", "list"], {
      "GET /secrets": {
        secrets: [{ name: "token", updated_by: "ada", updated_at: at }],
        wanted: [{ name: "key", tools: ["a", "b"] }],
      },
    });
    expect(listed.output.split("\n")).toEqual([
      "SECRET  STATE",
      "key     missing  needed by a, b",
      "token   set      by ada, 2026-01-02 03:04:05",
      "",
    ]);
    const none = await runScripted(["secrets"], { "GET /secrets": { secrets: [], wanted: [] } });
    expect(none.output).toBe("No secrets are set, and no tool needs one.\n");
  });

  it("sends a value as it is typed but for the end of the line, refuses an empty one, and removes", async () => {
    const set = await runScripted(["secrets", "set", "token"], { "PUT /secrets/token": {} }, { input: " v\n1\n" });
    expect(set).toMatchObject({ asked: ['PUT /secrets/token {"value":" v\\n1"}'], output: "The secret token is set.\n" });
    const empty = await runScripted(["secrets", "set", "token"], {}, { input: "\n" });
    expect(empty).toMatchObject({ code: 2, asked: [], errors: expect.stringContaining("The secret token has no value") });
    const removed = await runScripted(["secrets", "remove", "token"], { "DELETE /secrets/token": {} });
    expect(removed).toMatchObject({ asked: ["DELETE /secrets/token"], output: "The secret token was removed.\n" });
    const json = await runScripted(["secrets", "remove", "token", "--json"], { "DELETE /secrets/token": {} });
    expect(json.json()).toEqual({ name: "token", removed: true });
  });

  it("tells all that a rotation left, and that the previous keys can go only where nothing is left", async () => {
    const none = { secrets: [], auditKeys: [] };
    const done = { secrets: 1, auditKeys: 1, sharedKeys: 1, unreadable: none, forgotten: none, otherServers: [], needsPreviousKeys: false };
    const rewrap = (answer: object, ...words: string[]) =>
      runScripted(["secrets", "rewrap", ...words], { "POST /master-key/rewrap": { ...done, ...answer } });
    expect(await rewrap({})).toMatchObject({
      code: 0,
      asked: ['POST /master-key/rewrap {"forgetUnreadable":false}'],
      output: "Re-encrypted with the current master key: 1 secret, 2 keys of the server.\nTOOLRACK_PREVIOUS_KEYS can be removed now.\n",
    });
    const forgotten = await rewrap({ forgotten: { secrets: ["a", "b"], auditKeys: ["k"] } }, "--forget-unreadable");
    expect(forgotten).toMatchObject({ code: 0, asked: ['POST /master-key/rewrap {"forgetUnreadable":true}'] });
    expect(forgotten.output).toContain("Discarded, because no available key can decrypt it: the secrets a, b and 1 audit key.");
    for (const [answer, sentence] of [
      [{ unreadable: { secrets: ["a"], auditKeys: ["k", "l"] } }, "No available key can decrypt: the secret a and 2 audit keys."],
      [{ needsPreviousKeys: true }, "Something was encrypted with a previous key in the meantime."],
      [{ otherServers: ["server-abcdef"] }, "Servers that still have another master key: abcdef (see: toolrack status)."],
    ] as const) {
      const left = await rewrap(answer);
      expect(left).toMatchObject({ code: 1, output: expect.stringContaining(sentence) });
      expect(left.output).not.toContain("can be removed now");
    }
  });
});

describe("toolrack keys", () => {
  it("lists keys with roles and end, and marks one whose agent is not listed", async () => {
    const key = { id: "k1", agent: "ada", roles: ["admin", "owner"], createdAt: at };
    const keys = [key, { ...key, id: "k2", agent: "bob", roles: [], isListed: false, expiresAt: at + 1_000 }];
    const listed = await runScripted(["keys"], { "GET /keys": { keys } });
    expect(listed.output.split("\n")).toEqual([
      "KEY  AGENT                                 ROLES         CREATED              EXPIRES                        FOR",
      "k1   ada                                   admin, owner  2026-01-02 03:04:05  never",
      "k2   bob (not listed: no access to tools)                2026-01-02 03:04:05  2026-01-02 03:04:06 (expired)",
      "",
    ]);
    const none = await runScripted(["keys", "list"], { "GET /keys": { keys: [] } });
    expect(none.output).toBe("There are no keys: only the owner, on this machine, can sign in.\n");
  });

  it("makes one with roles, an end and a purpose, and prints it once", async () => {
    const before = Date.now();
    const made = await runScripted(["keys", "create", "ada", "--roles", "admin, curator", "--days", "2", "--description", "for tests"], {
      "POST /keys": { id: "k1", secret: "trk_1" },
    });
    expect(made).toMatchObject({ output: "trk_1\n", errors: "Key k1 for ada. Save it now: it is not shown again.\n" });
    const body = JSON.parse(made.asked[0]!.replace("POST /keys ", "")) as { expiresAt: number };
    expect(body).toEqual({ agent: "ada", roles: ["admin", "curator"], expiresAt: expect.any(Number), description: "for tests" });
    expect(body.expiresAt - before).toBeGreaterThanOrEqual(2 * 86_400_000);
    expect(body.expiresAt - before).toBeLessThan(3 * 86_400_000);
    const plain = await runScripted(["keys", "create", "ada"], { "POST /keys": { id: "k1", secret: "trk_1" } });
    expect(plain.asked).toEqual(['POST /keys {"agent":"ada","roles":[]}']);
    const revoked = await runScripted(["keys", "revoke", "k1"], { "GET /keys": { keys: [] }, "DELETE /keys/k1": {} });
    expect(revoked).toMatchObject({ asked: ["GET /keys", "DELETE /keys/k1"], output: "The key k1 was revoked.\n" });
  });
});

describe("toolrack calls", () => {
  const call = { callId: "c1", tool: "exec", caller: { agent: "ada" }, ok: true, startedAt: at, durationMs: 120_012.4, waitedMs: 120_000 };
  const failed = { ...call, callId: "c2", caller: {}, ok: false, code: "TIMED_OUT", durationMs: 1_500, waitedMs: 0, error: "late" };

  it("sends every filter, and prints who called, the outcome, how long it took, and where the next page is", async () => {
    const words = ["calls", "--errors", "--tool", "exec", "--agent", "ada", "--limit", "2", "--before", "9"];
    const listed = await runScripted(words, { "GET /calls": { calls: [call, failed], next: 7 } });
    expect(listed.asked).toEqual(["GET /calls?ok=false&tool=exec&agent=ada&limit=2&before=9"]);
    expect(listed.output.split("\n")).toEqual([
      "STARTED              TOOL  AGENT  OUTCOME           RAN     WAITED  CALL",
      "2026-01-02 03:04:05  exec  ada    ok                12 ms   2 min   c1",
      "2026-01-02 03:04:05  exec         failed TIMED_OUT  1.50 s          c2",
      "More: toolrack calls --errors --tool exec --agent ada --limit 2 --before 7",
      "",
    ]);
    const none = await runScripted(["calls"], { "GET /calls": { calls: [] } });
    expect(none).toMatchObject({ asked: ["GET /calls?limit=20"], output: "No calls yet. Make one with: toolrack call\n" });
  });

  it("shows one with its children, its input, and its output or error", async () => {
    const shown = await runScripted(["calls", "c1"], { "GET /calls/c1": { ...call, input: { a: 1 }, output: "done", children: [failed] } });
    expect(shown.output.split("\n").slice(1)).toEqual([
      "2026-01-02 03:04:05  exec  ada    ok                12 ms   2 min   c1",
      "2026-01-02 03:04:05  exec         failed TIMED_OUT  1.50 s          c2",
      "",
      'INPUT  {"a":1}',
      'OUTPUT  "done"',
      "",
    ]);
    const broken = await runScripted(["calls", "c2"], { "GET /calls/c2": { ...failed, input: {}, children: [] } });
    expect(broken.output).toContain('ERROR  "late"\n');
  });
});

describe("toolrack audit", () => {
  const line = { number: 5, at, kind: "call", agent: "ada", principal: "key ada", subject: "exec" };

  it("lists lines with who acted, and under which name", async () => {
    const lines = [
      { ...line, who: "key ada" },
      { ...line, number: 4, who: "ada" },
      { ...line, number: 3, who: "ada (key bob)" },
    ];
    const listed = await runScripted(["audit", "list", "--kind", "call", "--limit", "4", "--before", "6"], {
      "GET /audit": { lines, next: 2 },
    });
    expect(listed.asked).toEqual(["GET /audit?limit=4&before=6&kinds=call"]);
    expect(listed.output.split("\n")).toEqual([
      "LINE  WHEN                 WHAT  WHO            ABOUT",
      "5     2026-01-02 03:04:05  call  key ada        exec",
      "4     2026-01-02 03:04:05  call  ada            exec",
      "3     2026-01-02 03:04:05  call  ada (key bob)  exec",
      "More: toolrack audit list --kind call --limit 4 --before 2",
      "",
    ]);
    const none = await runScripted(["audit"], { "GET /audit": { lines: [] } });
    expect(none).toMatchObject({ asked: ["GET /audit?limit=20"], output: "The audit is empty.\n" });
    const told = async (...words: string[]) => (await runScripted(["audit", "list", ...words], { "GET /audit": { lines: [] } })).output;
    expect(await told("--kind", "secret\u001b")).toBe('The audit has no line of kind "secret\\u001b". See the kinds: toolrack audit\n');
    expect(await told("--before", "6")).toBe("The audit has no line before 6.\n");
    expect(await told("--kind", "call", "--before", "6")).toBe(
      'The audit has no line of kind "call" before 6. See the kinds: toolrack audit\n',
    );
  });

  it("says what a check found: intact, not complete, shortened, or changed", async () => {
    const intact = { ok: true, rows: 9, last: { number: 9, hash: "abc" }, missing: { kept: 0, unrecorded: 0 }, limits: ["Backups."] };
    const verify = (answer: object, ...words: string[]) =>
      runScripted(["audit", "verify", ...words], { "GET /audit/verification": answer });
    expect(await verify(intact, "--since", "7:ABC")).toMatchObject({
      code: 0,
      asked: ["GET /audit/verification?sinceNumber=7&sinceHash=abc"],
      output:
        "Audit intact: 9 lines.\nKeep this outside the database, and check against it next time:\n  toolrack audit verify --since 9:abc\nNot covered by this check: Backups.\n",
    });
    const incomplete = await verify({ ...intact, missing: { kept: 2, unrecorded: 3 } });
    expect(incomplete).toMatchObject({ code: 1, asked: ["GET /audit/verification"] });
    expect(incomplete.output.split("\n").slice(0, 3)).toEqual([
      "Audit intact, but not complete: 9 lines.",
      expect.stringMatching(/^2 calls have ended, but their audit lines are not written yet/),
      expect.stringMatching(/^3 calls ran without a record/),
    ]);
    const pruned = await verify({ ...intact, begin: { number: 4, anchor: { at, number: 3 } } });
    expect(pruned.output).toContain("It starts at line 4 since older lines were removed on 2026-01-02 03:04:05; anchor valid (line 3).");
    const changed = await verify({ ok: false, number: 6, reason: "Its hash is another." });
    expect(changed).toMatchObject({ code: 1, output: "Audit line 6 has been tampered with: Its hash is another.\n" });
    const wrong = await verify(intact, "--since", "7");
    expect(wrong).toMatchObject({ code: 2, asked: [], errors: expect.stringContaining('"7" is not the end of an audit chain') });
  });
});

describe("the revisions of a record", () => {
  const record = { version: 3, updated_at: at, updated_by: "ada", title: "Dice", tags: ["a", "b"] };

  it("are listed with who changed what", async () => {
    const pathOf = async () => (await runScripted(["history", "dice"], {})).asked[0]!.replace(/^GET ([^?]*).*$/, "$1");
    const path = await pathOf();
    const listed = await runScripted(["history", "dice", "--limit", "2"], { [`GET ${path}`]: { changes: [{ type: "updated", record }] } });
    expect(listed.asked).toEqual([`GET ${path}?limit=2`]);
    expect(listed.output.split("\n")).toEqual([
      "VERSION  WHEN                 BY   CHANGE   TITLE  TAGS",
      "3        2026-01-02 03:04:05  ada  updated  Dice   a, b",
      "",
    ]);
    const none = await runScripted(["history", "dice"], { [`GET ${path}`]: { changes: [] } });
    expect(none).toMatchObject({ code: 4, errors: expect.stringContaining('no record of "dice"') });
  });

  it("are compared: the two that are named, else the newest with the one before it", async () => {
    const path = (await runScripted(["diff", "dice"], {})).asked[0]!.replace("GET ", "");
    const differences = [
      { path: "/title", before: "A", after: "B" },
      { path: "/added", after: 1 },
      { path: "/gone", before: 2 },
    ];
    const newest = await runScripted(["diff", "dice"], { [`GET ${path}`]: record, [`GET ${path}/diff`]: { differences } });
    expect(newest.asked).toEqual([`GET ${path}`, `GET ${path}/diff?from=2&to=3`]);
    expect(newest.output).toBe('/title\n- "A"\n+ "B"\n/added\n+ 1\n/gone\n- 2\n');
    const named = await runScripted(["diff", "dice", "1", "2"], { [`GET ${path}/diff`]: { differences: [] } });
    expect(named).toMatchObject({ asked: [`GET ${path}/diff?from=1&to=2`], output: "Versions 1 and 2 are the same.\n" });
    const single = await runScripted(["diff", "dice"], { [`GET ${path}`]: { ...record, version: 1 } });
    expect(single).toMatchObject({ code: 1, errors: '"dice" has only one revision, so there is nothing to compare.\n' });
  });

  it("are restored by version, and not together with what is about backups", async () => {
    const restored = await runScripted(["restore", "dice", "2"], {});
    const [path, body] = restored.asked[0]!.replace("POST ", "").split(" ");
    expect(body).toBe('{"version":2}');
    const done = await runScripted(["restore", "dice", "2"], { [`POST ${path}`]: { version: 5 } });
    expect(done).toMatchObject({ code: 0, output: "Restored version 2 of dice as version 5.\n" });
    const waits = { version: 5, schema_name: "tool.definition.v1", context: { state: "validated" } };
    const tool = await runScripted(["restore", "dice", "2"], { [`POST ${path}`]: waits });
    expect(tool.output).toContain("It cannot be called until it is approved. Review it, and approve it, with: toolrack approve dice\n");
    const both = await runScripted(["restore", "dice", "2", "--key-file", "k"], {});
    expect(both).toMatchObject({ code: 2, asked: [], errors: expect.stringContaining("--key-file applies to backups") });
    const neither = await runScripted(["restore", "dice"], {});
    expect(neither).toMatchObject({ code: 2, asked: [], errors: expect.stringContaining('There is no backup file "dice"') });
  });
});

describe("toolrack config", () => {
  it("lists settings with what is missing, and shows, merges, replaces and removes those of a tool", async () => {
    const configs = [
      { tool: "mail", values: { from: "a" }, missing: ["key"] },
      { tool: "web", values: {}, missing: [] },
    ];
    const listed = await runScripted(["config"], { "GET /configs": { configs } });
    expect(listed.output.split("\n")).toEqual(["TOOL  STATE      SAVED", 'mail  needs key  {"from":"a"}', "web   ready      {}", ""]);
    expect((await runScripted(["config"], { "GET /configs": { configs: [] } })).output).toBe("No tool has settings.\n");
    const script = { "GET /configs/mail": configs[0], "PUT /configs/mail": {}, "DELETE /configs/mail": {} };
    const shown = await runScripted(["config", "mail"], script);
    expect(shown).toMatchObject({ asked: ["GET /configs/mail"], output: 'SETTING  VALUE\nfrom     "a"\nneeds key\n' });
    const merged = await runScripted(["config", "mail", "to=b"], script);
    expect(merged.asked).toEqual(["GET /configs/mail", 'PUT /configs/mail {"from":"a","to":"b"}', "GET /configs/mail"]);
    const replaced = await runScripted(["config", "mail", '{"to":"b"}'], script);
    expect(replaced.asked).toEqual(['PUT /configs/mail {"to":"b"}', "GET /configs/mail"]);
    const removed = await runScripted(["config", "mail", "--remove"], script);
    expect(removed).toMatchObject({ asked: ["DELETE /configs/mail"], output: "The settings of mail were removed.\n" });
    expect((await runScripted(["config", "web"], { "GET /configs/web": configs[1] })).output).toBe("No settings saved.\n");
  });
});

describe("toolrack disable and enable", () => {
  it("name the tool, and the reason where one is given", async () => {
    const script = { "POST /tools/exec/disable": {}, "POST /tools/exec/enable": {} };
    const off = await runScripted(["disable", "exec", "--reason", "broken"], script);
    expect(off).toMatchObject({ asked: ['POST /tools/exec/disable {"reason":"broken"}'], output: "exec is disabled.\n" });
    expect((await runScripted(["disable", "exec"], script)).asked).toEqual(["POST /tools/exec/disable {}"]);
    expect(await runScripted(["enable", "exec"], script)).toMatchObject({
      asked: ["POST /tools/exec/enable"],
      output: "exec is enabled.\n",
    });
  });
});

describe("toolrack policy", () => {
  it("explains for any caller, with the steps, and ends as the answer does", async () => {
    const trace = [
      { outcome: "hides", label: "tools.deny", entry: "ex*", source: "policy.yaml:3" },
      { outcome: "keeps", label: "agents.a" },
    ];
    const explain = (answer: object) =>
      runScripted(["policy", "explain", "exec", "--agent", "a", "--channel", "mail"], {
        "GET /policy/explain": { known: true, allowed: false, sentences: ["It is hidden."], trace, ...answer },
      });
    const hidden = await explain({});
    expect(hidden).toMatchObject({ code: 3, asked: ['GET /policy/explain?tool=exec&caller={"agent":"a","channel":"mail"}'] });
    expect(hidden.output.split("\n")).toEqual([
      "exec  denied",
      "It is hidden.",
      "",
      "       STEP        ENTRY  FROM",
      "hides  tools.deny  ex*    policy.yaml:3",
      "",
    ]);
    expect(await explain({ allowed: true, trace: [] })).toMatchObject({ code: 0, output: "exec  allowed\nIt is hidden.\n" });
    expect(await explain({ allowed: true, decision: { ask: {} } })).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^exec {2}asks\n/),
    });
    expect(await explain({ known: false })).toMatchObject({ code: 4 });
    const anyone = await runScripted(["policy", "explain", "exec"], {
      "GET /policy/explain": { known: true, allowed: true, sentences: [], trace: [] },
    });
    expect(anyone.asked).toEqual(["GET /policy/explain?tool=exec", "GET /agents"]);
  });

  it("simulates changes from the words or a file", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "changes.json");
    writeFileSync(file, '{"b":null}');
    const differences = [
      { caller: { agent: "ada" }, gained: [{ name: "x" }, { name: "y" }], lost: [], askChanged: [{ name: "z" }] },
      { caller: {}, gained: [], lost: [{ name: "w" }], askChanged: [] },
    ];
    const shown = await runScripted(["policy", "simulate", '{"a":1}'], { "POST /policy/simulate": { differences } });
    expect(shown.asked).toEqual(['POST /policy/simulate {"changes":{"a":1}}']);
    expect(shown.output.split("\n")).toEqual([
      "AGENT      GAINS  LOSES  APPROVAL CHANGES",
      "ada        x, y          z",
      "(unknown)         w",
      "",
    ]);
    const none = await runScripted(["policy", "simulate", `@${file}`], { "POST /policy/simulate": { differences: [] } });
    expect(none).toMatchObject({
      asked: ['POST /policy/simulate {"changes":{"b":null}}'],
      output: "No agent would gain or lose a tool.\n",
    });
    const wrong = await runScripted(["policy", "simulate", "{"], {});
    expect(wrong).toMatchObject({ code: 2, asked: [], errors: expect.stringContaining("The changes are not valid JSON") });
  });

  it("draws the matrix in words", async () => {
    const matrix = { withoutHost: 0, tools: ["a", "b", "c", "d"], rows: [{ agent: "ada", cells: "a?-x" }, { cells: "aaaa" }] };
    const drawn = await runScripted(["policy", "matrix"], { "GET /policy/matrix": matrix });
    expect(drawn.output.split("\n")).toEqual([
      "TOOL  ada          (unknown)",
      "a     allow        allow",
      "b     ask          allow",
      "c     deny         allow",
      "d     unavailable  allow",
      "",
    ]);
  });
});

describe("what a server answers", () => {
  it.each([
    [401, 3],
    [403, 3],
    [404, 4],
    [400, 2],
    [422, 2],
    [409, 1],
    [500, 1],
    [502, 5],
    [503, 5],
  ])("with %i ends a command with %i, and is printed with its issues", async (status, code) => {
    const body = { status, detail: "It is so.", issues: [{ message: "First." }, { message: "It is so." }] };
    const ended = await runScripted(["keys"], { "GET /keys": new Refusal(status, body) });
    expect(ended).toMatchObject({ code, errors: "It is so.\n  - First.\n", output: "" });
    const json = await runScripted(["keys", "--json"], { "GET /keys": new Refusal(status, body) });
    expect(json.json()).toEqual({ error: body });
  });

  it("that is no problem document is not taken for one", async () => {
    const ended = await runScripted(["keys"], { "GET /keys": new Refusal(500, "<html>") });
    expect(ended).toMatchObject({ code: 5, errors: "<url> answered 500, but it is not a Toolrack server. Check the URL.\n" });
    const bare = await runScripted(["keys"], { "GET /keys": new Refusal(409, {}) });
    expect(bare).toMatchObject({ code: 1, errors: "It answered 409.\n" });
  });
});
