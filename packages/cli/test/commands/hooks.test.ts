import { describe, expect, it } from "vitest";
import { runScripted, type Script } from "../_scripted.ts";

const told = async (words: string, script: Script) => {
  const { code, asked, output, errors } = await runScripted(words.split(" "), script);
  return [`ended with ${code}`, ...asked.toSorted(), ...output.split("\n"), ...errors.split("\n").map((line) => `! ${line}`)];
};

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 2, 3, minute)).toISOString();

describe("toolrack hooks", () => {
  const health = { state: "unused", delivered: 3, waiting: 2, dead: 0 };
  const desk = {
    id: "desk",
    state: "active",
    spec: { url: "https://h.example/a", on: { types: ["call-end"] } },
    health,
    secrets: [{ name: "s1" }],
  };
  const failing = {
    ...desk,
    id: "failing",
    health: { ...health, state: "failing", dead: 1, lastError: "It answered 500." },
    reason: "Its receiver was gone.",
    secrets: [{ name: "s1", until: at(5) }, { name: "s2" }],
  };
  const paused = { ...desk, id: "paused", state: "paused" };
  const healthy = { ...desk, id: "healthy", health: { ...health, state: "healthy" } };
  const taken = { name: "tracker", path: "/hooks/tracker", spec: { tool: "file_issue", agent: "ada" } };
  const lists = { "GET /webhooks": { webhooks: [desk, failing, paused, healthy] }, "GET /hooks": { hooks: [taken] } };

  it("lists what is sent and what is taken", async () => {
    expect(await told("hooks", lists)).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /hooks",
        "GET /webhooks",
        "ID       WAY    STATE    WHERE                WHAT",
        "desk     sent   active   https://h.example/a  {"types":["call-end"]}",
        "failing  sent   failing  https://h.example/a  {"types":["call-end"]}",
        "paused   sent   paused   https://h.example/a  {"types":["call-end"]}",
        "healthy  sent   healthy  https://h.example/a  {"types":["call-end"]}",
        "tracker  taken           /hooks/tracker       file_issue as ada",
        "",
        "! ",
      ]
    `);
    expect(await told("hooks list", { "GET /webhooks": { webhooks: [] }, "GET /hooks": { hooks: [] } })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /hooks",
        "GET /webhooks",
        "There are no webhooks.",
        "",
        "! ",
      ]
    `);
  });

  it("makes one, and tells its secret once", async () => {
    const made = { secret: "whsec_1", path: "/hooks/tracker" };
    expect(await told('hooks send desk https://h.example/a types=["call-end"]', { "POST /webhooks": made })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "POST /webhooks {"id":"desk","url":"https://h.example/a","on":{"types":["call-end"]}}",
        "whsec_1",
        "",
        "! Save the secret now: it is not shown again.",
        "! Try it: toolrack hooks test desk",
        "! ",
      ]
    `);
    expect(await told("hooks take tracker file_issue --agent ada", { "POST /hooks": made })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "POST /hooks {"name":"tracker","tool":"file_issue","agent":"ada"}",
        "whsec_1",
        "",
        "! Save the secret now: it is not shown again.",
        "! Senders send to /hooks/tracker of this server.",
        "! ",
      ]
    `);
    expect(
      (await told('hooks take tracker file_issue --agent ada --key --input {"a":1}', { "POST /hooks": made }))[1],
    ).toMatchInlineSnapshot(`"POST /hooks {"name":"tracker","tool":"file_issue","agent":"ada","verify":"key","input":{"a":1}}"`);
    expect(await told("hooks take tracker file_issue", { "POST /hooks": made })).toMatchInlineSnapshot(`
      [
        "ended with 2",
        "",
        "! Say as whom the calls run: --agent <agent>",
        "! ",
      ]
    `);
  });

  it("shows one, and how its receiver is", async () => {
    expect(await told("hooks show desk", { "GET /webhooks/desk": desk })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /webhooks/desk",
        "WEBHOOK    desk  active",
        "URL        https://h.example/a",
        "EVENTS     {"types":["call-end"]}",
        "SECRETS    s1",
        "LATELY     3 delivered, 2 waiting, 0 dead",
        "",
        "! ",
      ]
    `);
    expect(await told("hooks show failing", { "GET /webhooks/failing": failing })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /webhooks/failing",
        "WEBHOOK    failing  failing",
        "URL        https://h.example/a",
        "EVENTS     {"types":["call-end"]}",
        "SECRETS    s1 (until 2026-01-02 03:05:00), s2",
        "LATELY     3 delivered, 2 waiting, 1 dead",
        "Its receiver was gone.",
        "It answered 500.",
        "What died: toolrack hooks deliveries failing --state dead",
        "",
        "! ",
      ]
    `);
    for (const what of ["pause", "resume"]) {
      const [, asked, ...shown] = await told(`hooks ${what} desk`, { [`POST /webhooks/desk/${what}`]: desk });
      expect(asked).toBe(`POST /webhooks/desk/${what}`);
      expect(shown).toEqual((await told("hooks show desk", { "GET /webhooks/desk": desk })).slice(2));
    }
  });

  it("lists what was sent, and sends it again", async () => {
    const done = { id: "d1", state: "done", type: "call-end", createdAt: at(1), attempt: 1, status: 204, error: "old" };
    const dead = { ...done, id: "d2", state: "dead", attempt: 5, error: "It answered 500." };
    const of = (deliveries: readonly object[], next?: string) => ({ "GET /webhooks/desk/deliveries": { deliveries, next } });
    expect(await told("hooks deliveries desk --limit 2", of([done, dead, { ...done, status: undefined }], "d2"))).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /webhooks/desk/deliveries?limit=2",
        "DELIVERY  STATE  EVENT     SINCE                TRIES  REASON",
        "d1        done   call-end  2026-01-02 03:01:00  1      204",
        "d2        dead   call-end  2026-01-02 03:01:00  5      It answered 500.",
        "d1        done   call-end  2026-01-02 03:01:00  1",
        "More: toolrack hooks deliveries desk --limit 2 --after d2",
        "",
        "! ",
      ]
    `);
    expect(await told("hooks deliveries desk", of([]))).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /webhooks/desk/deliveries?limit=50",
        "Nothing was sent.",
        "",
        "! ",
      ]
    `);
    expect(await told("hooks deliveries desk --state dead", of([]))).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /webhooks/desk/deliveries?limit=50&state=dead",
        "No delivery of this webhook is dead.",
        "",
        "! ",
      ]
    `);
    expect(await told("hooks deliveries desk --after d2", of([]))).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /webhooks/desk/deliveries?limit=50&after=d2",
        "There are no further deliveries.",
        "",
        "! ",
      ]
    `);
    expect(await told("hooks replay desk d2", { "POST /webhooks/desk/deliveries/d2/replay": dead })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "POST /webhooks/desk/deliveries/d2/replay",
        "DELIVERY  STATE  EVENT     SINCE                TRIES  REASON",
        "d2        dead   call-end  2026-01-02 03:01:00  5      It answered 500.",
        "",
        "! ",
      ]
    `);
    expect(await told("hooks test desk", { "POST /webhooks/desk/test": { delivery: "d3" } })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "POST /webhooks/desk/test",
        "d3",
        "",
        "! Whether it arrived: toolrack hooks deliveries desk",
        "! ",
      ]
    `);
  });

  it("rotates and removes one, whichever way it goes", async () => {
    const both = { ...lists, "GET /hooks": { hooks: [taken, { ...taken, name: "desk" }] } };
    expect(await told("hooks rotate desk --overlap 2h", { ...lists, "POST /webhooks/desk/rotate": { secret: "new" } }))
      .toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /hooks",
        "GET /webhooks",
        "POST /webhooks/desk/rotate {"overlapHours":2}",
        "new",
        "",
        "! Save the secret now: it is not shown again.",
        "! ",
      ]
    `);
    expect((await told("hooks rotate tracker", { ...lists, "POST /hooks/tracker/rotate": { secret: "new" } }))[3]).toMatchInlineSnapshot(
      `"POST /hooks/tracker/rotate {"overlapHours":24}"`,
    );
    expect(await told("hooks remove desk", { ...lists, "DELETE /webhooks/desk": {} })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "DELETE /webhooks/desk",
        "GET /hooks",
        "GET /webhooks",
        "The webhook desk was removed.",
        "",
        "! ",
      ]
    `);
    expect(await told("hooks remove tracker --json", { ...lists, "DELETE /hooks/tracker": {} })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "DELETE /hooks/tracker",
        "GET /hooks",
        "GET /webhooks",
        "{",
        "  "id": "tracker",",
        "  "removed": true",
        "}",
        "",
        "! ",
      ]
    `);
    expect(await told("hooks remove desk", both)).toMatchInlineSnapshot(`
      [
        "ended with 2",
        "GET /hooks",
        "GET /webhooks",
        "",
        "! There is a webhook "desk" that is sent and one that is taken. Use the API for one of them.",
        "! ",
      ]
    `);
    expect(await told("hooks rotate nobody", both)).toMatchInlineSnapshot(`
      [
        "ended with 4",
        "GET /hooks",
        "GET /webhooks",
        "",
        "! There is no webhook "nobody". See: toolrack hooks list",
        "! ",
      ]
    `);
  });
});

describe("toolrack sessions", () => {
  const session = { context: { session: "s1", status: "idle", updated_at: at(1), agent: "helper", key: "agent:helper:a", messages: 2 } };
  const page = (messages: readonly object[], next?: number) => ({ messages: messages.map((context) => ({ context })), next });

  it("lists them", async () => {
    expect(
      await told("sessions list --agent helper --status idle --limit 1 --offset 0", { "GET /sessions": { sessions: [session], next: 1 } }),
    ).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /sessions?agent=helper&status=idle&limit=1&offset=0",
        "ID  STATUS  CHANGED           AGENT   KEY             MESSAGES",
        "s1  idle    2026-01-02 03:01  helper  agent:helper:a  2",
        "More: toolrack sessions list --agent helper --status idle --limit 1 --offset 1",
        "",
        "! ",
      ]
    `);
    expect(await told("sessions", { "GET /sessions": { sessions: [] } })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /sessions?limit=50",
        "No sessions. Begin one: toolrack run <agent> "…"",
        "",
        "! ",
      ]
    `);
  });

  it("shows what was said, called and answered", async () => {
    const messages = [
      { seq: 1, role: "user", content: "Hello.", from: { kind: "person", id: "ada" } },
      { seq: 2, role: "assistant", calls: [{ name: "echo", input: { a: 1 } }], from: { kind: "agent" } },
      {
        seq: 3,
        role: "tool",
        results: [
          { ok: true, content: "yes", error: "no", meta: { tool: "echo" } },
          { ok: false, content: "yes", error: "no" },
        ],
      },
    ];
    expect(await told("sessions show s1", { "GET /sessions/s1": session, "GET /sessions/s1/messages": page(messages) }))
      .toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /sessions/s1",
        "GET /sessions/s1/messages?after=0",
        "ID  STATUS  CHANGED           AGENT   KEY             MESSAGES",
        "s1  idle    2026-01-02 03:01  helper  agent:helper:a  2",
        "",
        "1 user from person ada",
        "Hello.",
        "",
        "2 assistant from agent",
        "→ echo {"a":1}",
        "",
        "3 tool",
        "← echo: yes",
        "← : no",
        "",
        "",
        "! ",
      ]
    `);
    expect((await told("sessions show s1 --after 2", { "GET /sessions/s1": session, "GET /sessions/s1/messages": page([]) })).slice(0, 3))
      .toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /sessions/s1",
        "GET /sessions/s1/messages?after=2",
      ]
    `);
  });

  it("speaks to one, stops it and goes on with it", async () => {
    expect((await told("sessions send s1 Hello there", { "POST /sessions/s1/messages": session })).slice(0, 4)).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "POST /sessions/s1/messages {"content":"Hello there"}",
        "ID  STATUS  CHANGED           AGENT   KEY             MESSAGES",
        "s1  idle    2026-01-02 03:01  helper  agent:helper:a  2",
      ]
    `);
    for (const what of ["cancel", "resume"])
      expect((await told(`sessions ${what} s1`, { [`POST /sessions/s1/${what}`]: session })).slice(0, 4)).toEqual([
        "ended with 0",
        `POST /sessions/s1/${what}`,
        "ID  STATUS  CHANGED           AGENT   KEY             MESSAGES",
        "s1  idle    2026-01-02 03:01  helper  agent:helper:a  2",
      ]);
  });
});

describe("toolrack grants", () => {
  const waiting = {
    id: "g1",
    tool: "build",
    shownAs: "ci__build",
    sourceId: "ci",
    asks: { programs: ["make"], secrets: ["KEY"] },
    print: "p1",
    isChanged: false,
  };
  const grant = {
    id: "g2",
    tool: "build",
    sourceId: "ci",
    asks: { hosts: ["a.example"] },
    state: "in-force",
    by: "ada",
    at: at(1),
    reason: "Releases.",
  };
  const ended = {
    ...grant,
    id: "g3",
    sourceId: "old",
    asks: { readsFiles: ["in"], writesFiles: ["out"], permissions: ["p"] },
    state: "expired",
    until: at(2),
  };
  const grants = { "GET /grants": { waiting: [waiting, { ...waiting, id: "g4", tool: "test", isChanged: true }], grants: [grant, ended] } };

  it("lists what waits and what was granted", async () => {
    expect(await told("grants", grants)).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /grants",
        "TOOL   SOURCE  ASKS FOR                                STATE                          GRANTED BY                                          REASON",
        "build  ci      programs make; secrets KEY              waits",
        "test   ci      programs make; secrets KEY              waits: its definition changed",
        "build  ci      hosts a.example                         in-force                       ada, 2026-01-02 03:01:00                            Releases.",
        "build  old     reading in; writing out; permissions p  expired                        ada, 2026-01-02 03:01:00 until 2026-01-02 03:02:00  Releases.",
        "",
        "! ",
      ]
    `);
    expect(await told("grants list", { "GET /grants": { waiting: [], grants: [] } })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /grants",
        "No tool of others asks for more than its input.",
        "",
        "! ",
      ]
    `);
  });

  it("grants what one asks for, as somebody saw it", async () => {
    const script = { ...grants, "POST /grants": grant };
    for (const name of ["build", "ci__build", "ci/build"])
      expect((await told(`grants add ${name} --reason Why.`, script))[2]).toBe(
        'POST /grants {"tool":"ci/build","print":"p1","reason":"Why."}',
      );
    expect(await told("grants add build --reason Why. --days 0.5 --print p0", script)).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /grants",
        "POST /grants {"tool":"ci/build","print":"p0","reason":"Why.","days":0.5}",
        "build of ci may now use hosts a.example.",
        "",
        "! ",
      ]
    `);
    expect(await told("grants add build", script)).toMatchInlineSnapshot(`
      [
        "ended with 2",
        "",
        "! Say why the tool may do this: --reason "Releases need it."",
        "! ",
      ]
    `);
    expect(await told("grants add other --reason Why.", script)).toMatchInlineSnapshot(`
      [
        "ended with 4",
        "GET /grants",
        "",
        "! No tool "other" waits for a grant. See what does: toolrack grants list",
        "! ",
      ]
    `);
  });

  it("revokes one, where it is clear which", async () => {
    const script = { ...grants, "DELETE /grants/g3": ended };
    for (const name of ["g3", "old/build"]) expect((await told(`grants revoke ${name}`, script))[1]).toBe("DELETE /grants/g3");
    expect(await told("grants revoke g3", script)).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "DELETE /grants/g3",
        "GET /grants",
        "The grant for build of old was revoked.",
        "",
        "! ",
      ]
    `);
    expect(await told("grants revoke build", script)).toMatchInlineSnapshot(`
      [
        "ended with 2",
        "GET /grants",
        "",
        "! Several sources have a grant for "build". Name one: g2, g3",
        "! ",
      ]
    `);
    expect(await told("grants revoke other", script)).toMatchInlineSnapshot(`
      [
        "ended with 4",
        "GET /grants",
        "",
        "! There is no grant for "other". See: toolrack grants list",
        "! ",
      ]
    `);
  });
});
