import { describe, expect, it } from "vitest";
import { told } from "../_told.ts";

const at = Date.UTC(2026, 0, 2, 3, 4, 5);

const nothing = {
  waiting: [],
  waitingTotal: 0,
  definitions: [],
  definitionsTotal: 0,
  grants: [],
  grantsTotal: 0,
  drafts: [],
  schedules: [],
  proposals: [],
};

const question = {
  id: "approval-q1",
  callId: "c1",
  expiresAt: at + 600_000,
  askedAt: at,
  caller: { agent: "ada", isOwner: true, session: "s1", more: { a: 1 } },
  tool: "exec",
  input: { command: "ls" },
  digest: "sha256:d1",
  message: "Run ls?",
};

const definition = {
  id: "definition-1",
  kind: "definition",
  what: "tool",
  tool: "github__search",
  source: "mcp:github",
  name: "search",
  digest: "v1:sha256:d2",
  reason: "new",
  told: ["Look at the input."],
  effect: "held",
  changes: [],
  findings: [],
  about: [],
  definition: { name: "search", description: "Searches." },
  seenAt: at,
  seenBy: "one",
};

const grant = {
  kind: "grant",
  id: "grant-1",
  tool: "deploy",
  sourceId: "shop",
  shownAs: "shop__deploy",
  asks: {
    programs: ["make"],
    hosts: ["a.example", "b.example"],
    readsFiles: ["in"],
    writesFiles: ["out"],
    permissions: ["p"],
    secrets: ["KEY"],
  },
  print: "p1",
  isChanged: false,
};

const schedule = {
  kind: "schedule",
  id: "schedule-approval-1",
  schedule: "nightly",
  tool: "report",
  when: "every day at 02:00",
  by: "agent bob",
  runsAs: { agent: "bob" },
  input: { to: "x".repeat(300) },
  digest: "sha256:s",
  askedAt: at,
};

const proposal = {
  kind: "proposal",
  id: "proposal-1",
  tool: "settings",
  caller: { agent: "bob" },
  changes: [
    { key: "policy.tools", before: { deny: ["x"] }, after: { deny: [] } },
    { key: "limits.calls", after: 5 },
    { key: "tools.exec", before: true, after: null },
  ],
  note: "It is in the way.",
  digest: "sha256:p",
  askedAt: at,
};

describe("toolrack approvals list", () => {
  it("shows each kind of what waits in a line of its own, cut where it is long, and how to see the rest", async () => {
    const all = {
      ...nothing,
      waiting: [
        question,
        { ...question, id: "q2", caller: {}, input: { text: "y".repeat(300) }, program: { id: "p1", line: 7, text: "x" } },
      ],
      waitingTotal: 2,
      definitions: [definition, { ...definition, id: "d2", what: "server-instructions", reason: "changed", verdict: "review" }],
      definitionsTotal: 12,
      definitionsCursor: "d9",
      grants: [grant, { ...grant, id: "grant-2", asks: { hosts: ["c.example"] }, isChanged: true }],
      grantsTotal: 3,
      schedules: [schedule],
      proposals: [proposal, { ...proposal, id: "proposal-2", caller: {}, changes: [{ key: "k".repeat(300), after: 1 }] }],
    };
    expect(await told(["approvals", "list"], { "GET /approvals": all })).toMatchInlineSnapshot(`
      "> GET /approvals
      ID                   KIND                 SINCE                FROM        TOOL            WHAT
      approval-q1          call                 2026-01-02 03:04:05  ada         exec            {"command":"ls"}
      q2                   call                 2026-01-02 03:04:05              exec            (program, line 7) {"text":"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy
      definition-1         definition           2026-01-02 03:04:05  mcp:github  github__search  new, held: the tool cannot be called
      d2                   server-instructions  2026-01-02 03:04:05  mcp:github  github__search  changed (review), held: no client gets it
      grant-1              grant                                     shop        shop__deploy    asks for programs make; hosts a.example, b.example; reading in; writing out; permissions p; secrets KEY
      grant-2              grant                                     shop        shop__deploy    asks for hosts c.example; its definition changed
      schedule-approval-1  schedule             2026-01-02 03:04:05  agent bob   report          every day at 02:00, with {"to":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
      proposal-1           proposal             2026-01-02 03:04:05  bob         settings        change policy.tools, limits.calls, tools.exec
      proposal-2           proposal             2026-01-02 03:04:05              settings        change kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk
      12 definitions are waiting. Those of one source: toolrack approvals source <source>
      3 tools ask for a grant. All of them: toolrack grants
      json: the answer"
    `);
    for (const key of ["waiting", "definitions", "grants", "schedules", "proposals"] as const)
      expect(await told(["approvals"], { "GET /approvals": { ...nothing, [key]: all[key].slice(0, 1) } })).not.toContain(
        "Nothing is waiting",
      );
    expect(await told(["approvals"], { "GET /approvals": { ...nothing, grants: [grant], grantsTotal: 1 } })).not.toContain("All of them");
  });
});

describe("toolrack approvals show", () => {
  it("shows a question of a program with all that is known about it", async () => {
    const asked = {
      ...question,
      labels: ["public"],
      schema: { type: "string" },
      program: { id: "program-1", line: 7, text: "await tools.exec()", origins: { command: ["web"] } },
    };
    expect(await told(["approvals", "show", "approval-q1"], { "GET /approvals/approval-q1": asked })).toMatchInlineSnapshot(`
      "> GET /approvals/approval-q1
      ada wants to call exec.
      Run ls?

        approval  approval-q1
        call      c1
        agent     ada
        isOwner   true
        session   s1
        asked     2026-01-02 03:04:05
        expires   2026-01-02 03:14:05
        digest    sha256:d1

      A program waits for the answer, at line 7: await tools.exec()
      To see all of it: toolrack programs show program-1

      INPUT  {"command":"ls"}
      LABELS  ["public"]
      FROM  {"command":["web"]}
      ANSWER SCHEMA  {"type":"string"}

        In the console:  <url>/live
        With a command:  toolrack approvals approve approval-q1
        To deny it:      toolrack approvals deny approval-q1 --reason "…"
      json: the answer"
    `);
  });

  it("shows a schedule, a proposal, a grant and a definition, each with how to answer", async () => {
    expect(await told(["approvals", "show", "x"], { "GET /approvals/x": { ...schedule, input: 1 } })).toMatchInlineSnapshot(`
      "> GET /approvals/x
      agent bob wants to call report every day at 02:00, as bob (schedule nightly).
      INPUT  1

        In the console:  <url>/live
        With a command:  toolrack approvals approve schedule-approval-1
        To deny it:      toolrack approvals deny schedule-approval-1 --reason "…"
      json: the answer"
    `);
    expect(await told(["approvals", "show", "x"], { "GET /approvals/x": { ...schedule, runsAs: {}, input: 1 } })).toContain(
      ", as  (schedule nightly).",
    );
    expect(await told(["approvals", "show", "x"], { "GET /approvals/x": proposal })).toMatchInlineSnapshot(`
      "> GET /approvals/x
      bob proposes to change 3 settings.
      It says why: It is in the way.

      SETTING  policy.tools
      NOW  {"deny":["x"]}
      THEN  {"deny":[]}

      SETTING  limits.calls
      NOW  not set
      THEN  5

      SETTING  tools.exec
      NOW  true
      THEN  removed

        In the console:  <url>/live
        With a command:  toolrack approvals approve proposal-1
        To deny it:      toolrack approvals deny proposal-1 --reason "…"
      json: the answer"
    `);
    const single = { ...proposal, note: undefined, caller: {}, changes: [proposal.changes[1]] };
    expect(await told(["approvals", "show", "x"], { "GET /approvals/x": single })).toMatchInlineSnapshot(`
      "> GET /approvals/x
      An unknown agent proposes to change a setting.

      SETTING  limits.calls
      NOW  not set
      THEN  5

        In the console:  <url>/live
        With a command:  toolrack approvals approve proposal-1
        To deny it:      toolrack approvals deny proposal-1 --reason "…"
      json: the answer"
    `);
    expect(await told(["approvals", "show", "x"], { "GET /approvals/x": grant })).toMatchInlineSnapshot(`
      "> GET /approvals/x
      shop__deploy asks for programs make; hosts a.example, b.example; reading in; writing out; permissions p; secrets KEY, and is not served until somebody grants it that.

        source  shop, where it is called deploy
        id      grant-1
        print   p1

      Grant exactly this with: toolrack grants add shop/deploy --print p1 --reason "why"
      json: the answer"
    `);
    expect(await told(["approvals", "show", "x"], { "GET /approvals/x": { ...grant, isChanged: true } })).toContain(
      "\n‹?It had a grant for an earlier definition.›\n",
    );
    expect(await told(["approvals", "show", "x"], { "GET /approvals/x": definition })).toMatchInlineSnapshot(`
      "> GET /approvals/x
      The definition of github__search is new, held: the tool cannot be called.
      ‹?Look at the input.›

        source  mcp:github, where it is called search
        seen    2026-01-02 03:04:05 by one
        digest  v1:sha256:d2

      DEFINITION  {"name":"search","description":"Searches."}

      Approve exactly this with: toolrack approve github__search --hash v1:sha256:d2 --reason "reviewed"
      Refuse it with: toolrack approve github__search --reject --hash v1:sha256:d2 --reason "why"
      json: the answer"
    `);
    const changed = {
      ...definition,
      what: "server-instructions",
      reason: "changed",
      told: [],
      changes: [
        { path: "", kind: "widening", message: "More.", before: { a: 1 } },
        { path: "/a", kind: "wording", message: "Other words.", after: "b" },
      ],
      findings: [{ severity: "warning", rule: "r", path: "/d", message: "Odd.", evidence: "", fix: "" }],
      about: ["a", "b"],
    };
    expect(await told(["approvals", "show", "x"], { "GET /approvals/x": changed })).toMatchInlineSnapshot(`
      "> GET /approvals/x
      The definition of the server instructions github__search is changed (damaged), held: no client gets it.

        source  mcp:github, where it is called search
        seen    2026-01-02 03:04:05 by one
        digest  v1:sha256:d2
        about   it imitates or steers a, b

      CHANGES
        /  widening: More.
          ‹-- {"a":1}›
        /a  wording: Other words.
          ‹++ "b"›

      FINDINGS
        warning r at /d: Odd.

      DEFINITION  {"name":"search","description":"Searches."}

      Approve exactly this with: toolrack approve github__search --hash v1:sha256:d2 --reason "reviewed"
      Refuse it with: toolrack approve github__search --reject --hash v1:sha256:d2 --reason "why"
      json: the answer"
    `);
  });

  it.each([
    ["tool", "held", undefined, "changed (damaged), held: the tool cannot be called"],
    ["tool", "old-text", "wording", "changed (wording), models see the approved text"],
    ["prompt", "old-definition", "review", "changed (review), models see the approved definition"],
    ["prompt", "reported", "review", "changed (review), served all the same (trust.enforce is false)"],
    ["prompt", "held", "review", "changed (review), held: no client gets it"],
  ])("says of a changed %s with the effect %s and the verdict %s what follows", async (what, effect, verdict, sentence) => {
    const script = { "GET /approvals/x": { ...definition, what, effect, verdict, reason: "changed" } };
    expect(await told(["approvals", "show", "x"], script)).toContain(` is ${sentence}.\n`);
  });
});

describe("toolrack approvals approve and deny", () => {
  const decide = (words: readonly string[], waiting: object) =>
    told(["approvals", ...words], { "GET /approvals/x": waiting, "POST /approvals/x/decide": { id: "x", approved: true } });

  it("needs the digest of a definition or a grant that is approved, and of nothing that is denied", async () => {
    const idX = <T extends object>(one: T) => ({ ...one, id: "x" });
    expect(await decide(["approve", "x"], idX(grant))).toMatchInlineSnapshot(`
      "> GET /approvals/x
      ! A grant must name the definition that you looked at. Look at it with: toolrack approvals show x
      exit 2
      json: {"error":{"detail":"A grant must name the definition that you looked at. Look at it with: toolrack approvals show x"}}"
    `);
    expect(await decide(["approve", "x"], idX(definition))).toMatchInlineSnapshot(`
      "> GET /approvals/x
      ! An approval must name the definition that you looked at. Look at it with: toolrack approve github__search
      exit 2
      json: {"error":{"detail":"An approval must name the definition that you looked at. Look at it with: toolrack approve github__search"}}"
    `);
    expect(await decide(["approve", "x", "--digest", "p1"], idX(grant))).toMatchInlineSnapshot(`
      "> GET /approvals/x
      > POST /approvals/x/decide {"approved":true,"digest":"p1","scope":"once"}
      deploy was approved.
      json: the answer"
    `);
    expect(await decide(["deny", "x"], idX(grant))).toMatchInlineSnapshot(`
      "> GET /approvals/x
      > POST /approvals/x/decide {"approved":false,"digest":"p1"}
      deploy was denied.
      json: the answer"
    `);
    expect(await decide(["deny", "x", "--reason", "no"], idX(definition))).toMatchInlineSnapshot(`
      "> GET /approvals/x
      > POST /approvals/x/decide {"approved":false,"digest":"v1:sha256:d2","reason":"no"}
      github__search was denied.
      json: the answer"
    `);
    expect(await decide(["approve", "x"], idX({ ...schedule, input: 1 }))).toMatchInlineSnapshot(`
      "> GET /approvals/x
      > POST /approvals/x/decide {"approved":true,"digest":"sha256:s","scope":"once"}
      report was approved.
      json: the answer"
    `);
    expect(await decide(["approve", "x"], idX(proposal))).toMatchInlineSnapshot(`
      "> GET /approvals/x
      > POST /approvals/x/decide {"approved":true,"digest":"sha256:p","scope":"once"}
      settings was approved.
      json: the answer"
    `);
  });

  it("says that a call of no session was approved once, although a session was meant", async () => {
    const own = { ...question, id: "x" };
    expect(await decide(["approve", "x", "--scope", "session"], own)).toContain("\nexec was approved.\n");
    const other = { ...own, caller: { agent: "ada" } };
    expect(await decide(["approve", "x", "--scope", "session"], other)).toContain(
      "\nexec was approved, for this call only: it belongs to no session.\n",
    );
    expect(await decide(["approve", "x", "--scope", "always"], other)).toContain("\nexec was approved.\n");
    expect(await decide(["approve", "x", "--scope", "session", "--digest", "p1"], { ...grant, id: "x" })).toContain(
      "\ndeploy was approved.\n",
    );
  });

  it("takes pages of up to 200", async () => {
    expect(await told(["approvals", "--limit", "200"], { "GET /approvals": nothing })).toContain("> GET /approvals?limit=200\n");
    expect(await told(["approvals", "--limit", "201"], {})).toMatchInlineSnapshot(`
      "! --limit must be a whole number, from 1 to 200, but it is "201".
      exit 2
      json: {"error":{"detail":"--limit must be a whole number, from 1 to 200, but it is \\"201\\"."}}"
    `);
    expect(await told(["approvals", "remembered", "--limit", "201"], {})).toContain("exit 2");
    expect(await told(["approvals", "remembered", "--limit", "200"], { "GET /approvals": { remembered: [] } })).toMatchInlineSnapshot(`
      "> GET /approvals?limit=200
      No approval is remembered: each call needs a new one.
      json: the answer"
    `);
  });

  it("forgets what is remembered", async () => {
    const remembered = [{ id: "approval-abc" }, { id: "approval-xyz" }];
    const script = { "DELETE /approvals/approval-abc": {}, "GET /approvals": { remembered } };
    expect(await told(["approvals", "forget", "ab"], script)).toMatchInlineSnapshot(`
      "> DELETE /approvals/ab
      > GET /approvals?limit=200
      > DELETE /approvals/approval-abc
      The approval approval-abc was revoked.
      json: {"id":"approval-abc","forgotten":true}"
    `);
    expect(
      await told(["approvals", "remembered"], {
        "GET /approvals": { remembered: [{ ...question, scope: "always", by: "ada", decidedAt: at }], rememberedCursor: "n" },
      }),
    ).toMatchInlineSnapshot(`
      "> GET /approvals
      ID           AGENT  TOOL  SCOPE   BY   SINCE                EXPIRES
      approval-q1  ada    exec  always  ada  2026-01-02 03:04:05  never
      More: toolrack approvals remembered --cursor n
      json: the answer"
    `);
  });
});

describe("toolrack approvals source", () => {
  it("shows what can be approved together, approves it with a reason, and says where nothing can", async () => {
    const source = "/definitions/sources/mcp%3Agithub";
    const bare = { ...definition, tool: "x y", definition: {} };
    const long = { ...definition, definition: { description: "z".repeat(310) } };
    const list = { source: "mcp:github", digest: "d d", definitions: [definition, bare, long] };
    expect(await told(["approvals", "source", "mcp:github"], { [`GET ${source}`]: list })).toMatchInlineSnapshot(`
      "> GET /definitions/sources/mcp%3Agithub
      TOOL            WHAT                                  DESCRIPTION
      github__search  new, held: the tool cannot be called  Searches.
      x y             new, held: the tool cannot be called
      github__search  new, held: the tool cannot be called  zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz
      Approve exactly these with: toolrack approvals source mcp:github --digest 'd d'
      json: the answer"
    `);
    expect(await told(["approvals", "source", "mcp:github"], { [`GET ${source}`]: { ...list, definitions: [] } })).toMatchInlineSnapshot(`
      "> GET /definitions/sources/mcp%3Agithub
      Nothing of mcp:github can be approved together. List what waits with: toolrack approvals
      json: the answer"
    `);
    const words = ["approvals", "source", "mcp:github", "--digest", "d", "--reason", "read"];
    expect(await told(words, { [`POST ${source}/approve`]: list })).toMatchInlineSnapshot(`
      "> POST /definitions/sources/mcp%3Agithub/approve {"digest":"d","reason":"read"}
      Approved definitions of mcp:github: 3.
      json: the answer"
    `);
  });
});

describe("toolrack grants", () => {
  const given = {
    id: "grant-9",
    tool: "deploy",
    sourceId: "shop",
    asks: { secrets: ["KEY"] },
    state: "in-force",
    by: "owner",
    at,
    reason: "needed",
  };

  it("lists what waits and what was granted, until when, and says where nothing asks", async () => {
    const grants = [given, { ...given, id: "g2", state: "expired", until: at + 60_000 }];
    expect(await told(["grants"], { "GET /grants": { waiting: [grant, { ...grant, isChanged: true }], grants } })).toMatchInlineSnapshot(`
      "> GET /grants
      TOOL    SOURCE  ASKS FOR                                                                                        STATE                          GRANTED BY                                            REASON
      deploy  shop    programs make; hosts a.example, b.example; reading in; writing out; permissions p; secrets KEY  ‹?waits›
      deploy  shop    programs make; hosts a.example, b.example; reading in; writing out; permissions p; secrets KEY  ‹?waits: its definition changed›
      deploy  shop    secrets KEY                                                                                     ‹+in-force›                       owner, 2026-01-02 03:04:05                            needed
      deploy  shop    secrets KEY                                                                                     expired                        owner, 2026-01-02 03:04:05 until 2026-01-02 03:05:05  needed
      json: the answer"
    `);
    expect(await told(["grants", "list"], { "GET /grants": { waiting: [], grants: [] } })).toMatchInlineSnapshot(`
      "> GET /grants
      No tool of others asks for more than its input.
      json: the answer"
    `);
  });

  it("grants what waits, found by each of its names, for some days, and exactly what was looked at", async () => {
    const script = {
      "GET /grants": { waiting: [{ ...grant, tool: "other", shownAs: "other" }, grant], grants: [] },
      "POST /grants": given,
    };
    expect(await told(["grants", "add", "deploy", "--reason", "needed"], script)).toMatchInlineSnapshot(`
      "> GET /grants
      > POST /grants {"tool":"shop/deploy","print":"p1","reason":"needed"}
      deploy of shop may now use secrets KEY.
      json: the answer"
    `);
    expect(await told(["grants", "add", "shop__deploy", "--reason", "r", "--days", "0.5", "--print", "p2"], script)).toContain(
      '\n> POST /grants {"tool":"shop/deploy","print":"p2","reason":"r","days":0.5}\n',
    );
    expect(await told(["grants", "add", "shop/deploy", "--reason", "r"], script)).toContain(
      '{"tool":"shop/deploy","print":"p1","reason":"r"}',
    );
    expect(await told(["grants", "add", "nothing", "--reason", "r"], script)).toMatchInlineSnapshot(`
      "> GET /grants
      ! No tool "nothing" waits for a grant. See what does: toolrack grants list
      exit 4
      json: {"error":{"detail":"No tool \\"nothing\\" waits for a grant. See what does: toolrack grants list"}}"
    `);
    expect(await told(["grants", "add", "deploy"], script)).toMatchInlineSnapshot(`
      "! Say why the tool may do this: --reason "Releases need it."
      exit 2
      json: {"error":{"detail":"Say why the tool may do this: --reason \\"Releases need it.\\""}}"
    `);
    for (const days of ["0", "36501"])
      expect(await told(["grants", "add", "deploy", "--reason", "r", "--days", days], script)).toContain("exit 2");
    for (const days of ["0.001", "36500"])
      expect(await told(["grants", "add", "deploy", "--reason", "r", "--days", days], script)).toContain(`"days":${days}}`);
  });

  it("takes back one grant, found by its id or the tool, and asks which where there are several", async () => {
    const two = { ...given, id: "grant-8", sourceId: "store" };
    const script = { "GET /grants": { waiting: [], grants: [two, given] }, "DELETE /grants/grant-9": given };
    expect(await told(["grants", "revoke", "grant-9"], script)).toMatchInlineSnapshot(`
      "> GET /grants
      > DELETE /grants/grant-9
      The grant for deploy of shop was revoked.
      json: the answer"
    `);
    expect(await told(["grants", "revoke", "shop/deploy"], script)).toContain("> DELETE /grants/grant-9\n");
    expect(await told(["grants", "revoke", "deploy"], script)).toMatchInlineSnapshot(`
      "> GET /grants
      ! Several sources have a grant for "deploy". Name one: grant-8, grant-9
      exit 2
      json: {"error":{"detail":"Several sources have a grant for \\"deploy\\". Name one: grant-8, grant-9"}}"
    `);
    expect(await told(["grants", "revoke", "nothing"], script)).toMatchInlineSnapshot(`
      "> GET /grants
      ! There is no grant for "nothing". See: toolrack grants list
      exit 4
      json: {"error":{"detail":"There is no grant for \\"nothing\\". See: toolrack grants list"}}"
    `);
  });
});
