import { describe, expect, it } from "vitest";
import { Refusal, runScripted, type Script } from "../_scripted.ts";

const question = {
  id: "q1",
  callId: "c1",
  expiresAt: Date.UTC(2026, 0, 2, 3, 14, 5),
  askedAt: Date.UTC(2026, 0, 2, 3, 4, 5),
  caller: { agent: "ada" },
  tool: "exec",
  input: { command: "ls" },
  digest: "sha256:d1",
  message: "Run ls?",
};

const changed = {
  id: "definition-1",
  kind: "definition",
  what: "tool",
  tool: "github__search",
  source: "mcp:github",
  name: "search",
  digest: "v1:sha256:d2",
  reason: "changed",
  told: [],
  effect: "held",
  verdict: "review",
  changes: [{ path: "/inputSchema/properties/all", kind: "widening", message: "A parameter was added.", after: { type: "boolean" } }],
  findings: [
    { rule: "secrecy", severity: "danger", path: "/description", message: "It asks for secrecy.", evidence: "tell nobody", fix: "" },
  ],
  about: ["search"],
  definition: { name: "search" },
  record: "tool-seen-search-1",
  seenAt: Date.UTC(2026, 0, 2, 3, 4, 5),
  seenBy: "one",
};

describe("toolrack approvals", () => {
  it("lists what waits, with the page that follows, and says so where nothing does", async () => {
    const script: Script = {
      "GET /approvals": {
        waiting: [question, { ...question, id: "q2", caller: {} }],
        waitingTotal: 9,
        cursor: "c2",
        definitions: [changed],
        grants: [],
        grantsTotal: 0,
        definitionsTotal: 1,
        drafts: [{ id: "tool-def-note", tool: "note", version: 3, state: "validated", by: "bob", updatedAt: "2026-01-02T03:04:05.000Z" }],
        schedules: [],
        proposals: [],
      },
    };
    const listed = await runScripted(["approvals", "--limit", "2", "--cursor", "c1"], script);
    expect(listed).toMatchObject({ code: 0, asked: ["GET /approvals?limit=2&cursor=c1"] });
    expect(listed.output.split("\n")).toEqual([
      "ID             KIND        SINCE                FROM        TOOL            WHAT",
      'q1             call        2026-01-02 03:04:05  ada         exec            {"command":"ls"}',
      'q2             call        2026-01-02 03:04:05              exec            {"command":"ls"}',
      "definition-1   definition  2026-01-02 03:04:05  mcp:github  github__search  changed (review), held: the tool cannot be called",
      "tool-def-note  draft       2026-01-02 03:04:05  bob         note            version 3, not served. Review it with: toolrack approve note",
      "9 calls are waiting. More: toolrack approvals list --limit 2 --cursor c2",
      "",
    ]);
    const none = await runScripted(["approvals", "list"], {
      "GET /approvals": {
        waiting: [],
        waitingTotal: 0,
        definitions: [],
        definitionsTotal: 0,
        grants: [],
        grantsTotal: 0,
        drafts: [],
        schedules: [],
        proposals: [],
      },
    });
    expect(none).toMatchObject({ asked: ["GET /approvals"], output: "Nothing is waiting for approval.\n" });
  });

  it("shows one question whole", async () => {
    const shown = await runScripted(["approvals", "show", "q1"], { "GET /approvals/q1": question });
    expect(shown.output.split("\n")).toEqual([
      "ada wants to call exec.",
      "Run ls?",
      "",
      "  approval  q1",
      "  call      c1",
      "  agent     ada",
      "  asked     2026-01-02 03:04:05",
      "  expires   2026-01-02 03:14:05",
      "  digest    sha256:d1",
      "",
      'INPUT  {"command":"ls"}',
      "",
      "  In the console:  <url>/live",
      "  With a command:  toolrack approvals approve q1",
      '  To deny it:      toolrack approvals deny q1 --reason "…"',
      "",
    ]);
    const unknown = await runScripted(["approvals", "show", "q1"], { "GET /approvals/q1": { ...question, caller: {} } });
    expect(unknown.output).toMatch(/^An unknown agent wants/);
  });

  it.each([
    [["allow", "q1"], { approved: true, digest: "sha256:d1", scope: "once" }, "exec was approved.\n"],
    [
      ["allow", "q1", "--scope", "always", "--reason", "fine"],
      { approved: true, digest: "sha256:d1", scope: "always", reason: "fine" },
      "exec was approved.\n",
    ],
    [["deny", "q1", "--reason", "no"], { approved: false, digest: "sha256:d1", reason: "no" }, "exec was denied.\n"],
    [["deny", "q1"], { approved: false, digest: "sha256:d1" }, "exec was denied.\n"],
  ])("decides about exactly the question that it read: %j", async (words, body, output) => {
    const script = { "GET /approvals/q1": question, "POST /approvals/q1/decide": { id: "q1" } };
    const decided = await runScripted(["approvals", ...words], script);
    expect(decided).toMatchObject({ code: 0, output, asked: ["GET /approvals/q1", `POST /approvals/q1/decide ${JSON.stringify(body)}`] });
  });

  it("lists what is remembered with its end, and takes it back", async () => {
    const one = { id: "r1", caller: { agent: "ada" }, tool: "exec", scope: "always", by: "owner", decidedAt: question.askedAt };
    const remembered = [one, { ...one, id: "r2", caller: {}, scope: "session", until: question.askedAt + 60_000 }];
    const listed = await runScripted(["approvals", "remembered", "--limit", "5", "--cursor", "c"], {
      "GET /approvals": { remembered, rememberedCursor: "r9", waiting: [] },
    });
    expect(listed.asked).toEqual(["GET /approvals?limit=5&rememberedCursor=c"]);
    expect(listed.output.split("\n")).toEqual([
      "ID  AGENT  TOOL  SCOPE    BY     SINCE                EXPIRES",
      "r1  ada    exec  always   owner  2026-01-02 03:04:05  never",
      "r2         exec  session  owner  2026-01-02 03:04:05  2026-01-02 03:05:05",
      "More: toolrack approvals remembered --limit 5 --cursor r9",
      "",
    ]);
    const json = await runScripted(["approvals", "remembered", "--json"], { "GET /approvals": { remembered: [], waiting: [] } });
    expect(json.json()).toEqual({ remembered: [] });
    const none = await runScripted(["approvals", "remembered"], { "GET /approvals": { remembered: [], waiting: [] } });
    expect(none.output).toBe("No approval is remembered: each call needs a new one.\n");
    const forgotten = await runScripted(["approvals", "forget", "r1"], { "DELETE /approvals/r1": {} });
    expect(forgotten).toMatchObject({ asked: ["DELETE /approvals/r1"], output: "The approval r1 was revoked.\n" });
  });
});

describe("toolrack approve", () => {
  const info = { id: "tool-dice", name: "dice", state: "draft", version: 2, updated_by: "ada", hash: "sha256:h" };
  const lifecycle = {
    definitions: [info, { ...info, id: "tool-old", name: "old", state: "approved" }, { ...info, name: "next", state: "validated" }],
  };

  async function definitionPath(): Promise<string> {
    const { asked } = await runScripted(["approve", "dice"], {});
    return asked.find((one) => one.startsWith("GET /breadcrumbs/"))!.replace("GET /breadcrumbs/", "");
  }

  it("lists drafts and what was checked, and not what is approved", async () => {
    const listed = await runScripted(["approve"], { "GET /lifecycle": lifecycle });
    expect(listed.output.split("\n")).toEqual([
      "TOOL  STATE      VERSION  BY   HASH",
      "dice  draft      2        ada  sha256:h",
      "next  validated  2        ada  sha256:h",
      "",
    ]);
    const none = await runScripted(["approve"], { "GET /lifecycle": { definitions: [lifecycle.definitions[1]] } });
    expect(none.output).toBe("No definition is waiting for approval.\n");
  });

  it("shows a definition with the command that approves exactly it, and refuses to show one that changed in between", async () => {
    const path = await definitionPath();
    const record = { version: 2, title: "Dice", context: { description: "Rolls." } };
    const own = { ...info, id: decodeURIComponent(path) };
    const shown = await runScripted(["approve", "dice"], {
      [`GET /breadcrumbs/${path}`]: record,
      "GET /lifecycle": { definitions: [own] },
      [`GET /lifecycle/${path}`]: { ...own, kind: "http", findings: [] },
    });
    expect(shown.output.split("\n")).toEqual([
      "dice: draft, version 2, by ada",
      "{",
      '  "title": "Dice",',
      '  "description": "Rolls."',
      "}",
      "",
      'Approve exactly this content with: toolrack approve dice --hash sha256:h --reason "reviewed"',
      "",
    ]);
    const changed = await runScripted(["approve", "dice"], {
      [`GET /breadcrumbs/${path}`]: { ...record, version: 3 },
      "GET /lifecycle": { definitions: [own] },
    });
    expect(changed).toMatchObject({ code: 1, errors: "The definition of dice has just changed. Review it again: toolrack approve dice\n" });
    const missing = await runScripted(["approve", "dice"], {});
    expect(missing).toMatchObject({ code: 4, errors: expect.stringContaining('no stored definition of the tool "dice"') });
  });

  it("sends reason and hash, after the definition was checked, and names each problem of one that cannot be approved", async () => {
    const path = await definitionPath();
    const words = ["approve", "dice", "--hash", "sha256:h", "--reason", " fine "];
    const approved = await runScripted(words, {
      [`POST /lifecycle/${path}/validate`]: { ok: true },
      [`POST /lifecycle/${path}/approve`]: {},
    });
    expect(approved).toMatchObject({
      code: 0,
      output: "dice is approved and can be called.\n",
      asked: [
        "GET /definitions/dice",
        `POST /lifecycle/${path}/validate`,
        `POST /lifecycle/${path}/approve {"reason":"fine","hash":"sha256:h"}`,
      ],
    });
    const refused = await runScripted(words, { [`POST /lifecycle/${path}/validate`]: { ok: false, problems: ["It has no handler."] } });
    expect(refused).toMatchObject({ code: 1, output: "dice cannot be approved yet:\n  - It has no handler.\n" });
    expect(refused.asked).toHaveLength(2);
  });

  it("rejects with a reason alone", async () => {
    const path = await definitionPath();
    const rejected = await runScripted(["approve", "dice", "--reject", "--reason", "no"], { [`POST /lifecycle/${path}/reject`]: {} });
    expect(rejected).toMatchObject({
      code: 0,
      output: "dice was rejected and is a draft again.\n",
      asked: ["GET /definitions/dice", `POST /lifecycle/${path}/reject {"reason":"no"}`],
    });
  });

  it.each([
    [["--reject"], "A reason is required"],
    [["--hash", "sha256:h"], "A reason is required"],
    [["--reason", "fine"], "An approval must name the content that you reviewed"],
  ])("asks nothing of the server for a decision that lacks something: %j", async (words, sentence) => {
    const ended = await runScripted(["approve", "dice", ...words], {});
    expect(ended).toMatchObject({ code: 2, asked: [], errors: expect.stringContaining(sentence) });
  });

  it("shows the changes and findings of a definition that waits, and decides about exactly the one with the hash", async () => {
    const script: Script = {
      "GET /definitions/github__search": { tool: "github__search", state: "held", waiting: changed, findings: [] },
      "POST /approvals/definition-1/decide": changed,
    };
    const shown = await runScripted(["approve", "github__search"], script);
    expect(shown.output).toContain("/inputSchema/properties/all  widening: A parameter was added.");
    expect(shown.output).toContain("danger secrecy at /description: It asks for secrecy. (tell nobody)");
    expect(shown.output).toContain("it imitates or steers search");
    expect(shown.output).toContain("toolrack approve github__search --hash v1:sha256:d2");
    const approved = await runScripted(["approve", "github__search", "--hash", "v1:sha256:d2", "--reason", "fine"], script);
    expect(approved.asked[1]).toBe('POST /approvals/definition-1/decide {"approved":true,"digest":"v1:sha256:d2","reason":"fine"}');
    const refused = await runScripted(["approve", "github__search", "--reject", "--reason", "no"], script);
    expect(refused.output).toBe("The definition of github__search was refused.\n");
  });

  it("approves what waits of one source together, for the digest of the list", async () => {
    const script: Script = {
      "GET /definitions/sources/mcp%3Agithub": { source: "mcp:github", digest: "d", definitions: [changed] },
      "POST /definitions/sources/mcp%3Agithub/approve": { source: "mcp:github", digest: "d", definitions: [changed] },
    };
    expect((await runScripted(["approvals", "source", "mcp:github"], script)).output).toContain(
      "toolrack approvals source mcp:github --digest d",
    );
    const approved = await runScripted(["approvals", "source", "mcp:github", "--digest", "d"], script);
    expect(approved.output).toBe("Approved definitions of mcp:github: 1.\n");
  });

  it("hands on what the server refuses", async () => {
    const path = await definitionPath();
    const refusal = new Refusal(403, { status: 403, code: "ROLE_MISSING", detail: "Only curators may approve." });
    const ended = await runScripted(["approve", "dice", "--reject", "--reason", "no"], { [`POST /lifecycle/${path}/reject`]: refusal });
    expect(ended).toMatchObject({ code: 3, errors: "Only curators may approve.\n" });
  });
});
