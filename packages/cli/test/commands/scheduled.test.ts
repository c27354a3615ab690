import { describe, expect, it } from "vitest";
import { runScripted, type Script } from "../_scripted.ts";

const told = async (words: string, script: Script, input?: string) => {
  const { code, asked, output, errors } = await runScripted(words.split(" "), script, input === undefined ? {} : { input });
  return [`ended with ${code}`, ...asked, ...output.split("\n"), ...errors.split("\n").map((line) => `! ${line}`)];
};

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 2, 3, minute)).toISOString();

describe("toolrack jobs", () => {
  const job = { id: "0mh3", state: "done", dueAt: at(0), caller: { agent: "ada" }, subject: "report", origin: "call", failed: 0, tries: 3 };
  const dead = {
    ...job,
    id: "0mh4",
    state: "dead",
    caller: undefined,
    origin: "schedule:daily",
    failed: 3,
    error: { code: "TOOL_FAILED", message: "x".repeat(70) },
  };

  it("lists what there is, and asks for what is wanted", async () => {
    expect(await told("jobs list --state done --origin call --limit 2", { "GET /jobs": { jobs: [job, dead], next: "0mh4" } }))
      .toMatchInlineSnapshot(`
        [
          "ended with 0",
          "GET /jobs?limit=2&state=done&origin=call",
          "ID    STATE  DUE                  AS   CALLS   MADE BY         FAILED  REASON",
          "0mh3  done   2026-01-02 03:00:00  ada  report  call            0/3",
          "0mh4  dead   2026-01-02 03:00:00       report  schedule:daily  3/3     TOOL_FAILED: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…",
          "More: toolrack jobs list --state done --origin call --limit 2 --after 0mh4",
          "",
          "! ",
        ]
      `);
    expect(await told("jobs list --after 0mh4", { "GET /jobs": { jobs: [] } })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /jobs?limit=50&after=0mh4",
        "No jobs.",
        "",
        "! ",
      ]
    `);
    expect(await told("jobs dead", { "GET /jobs": { jobs: [dead], next: "0mh4" } })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /jobs?limit=50&state=dead",
        "ID    STATE  DUE                  AS  CALLS   MADE BY         FAILED  REASON",
        "0mh4  dead   2026-01-02 03:00:00      report  schedule:daily  3/3     TOOL_FAILED: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…",
        "More: toolrack jobs dead --after 0mh4",
        "",
        "! ",
      ]
    `);
    expect(await told("jobs dead", { "GET /jobs": { jobs: [] } })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /jobs?limit=50&state=dead",
        "No dead jobs.",
        "",
        "! ",
      ]
    `);
  });

  it("shows a job that ended, runs, or is dead", async () => {
    const ended = { ...job, endedAt: at(1), input: { a: 1 }, callId: "c1", server: "s1", progress: { done: 1 }, result: { ok: true } };
    expect(await told("jobs show 0mh3 --wait", { "GET /jobs/0mh3": ended })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /jobs/0mh3",
        "ID    STATE  DUE                  AS   CALLS   MADE BY  FAILED  REASON",
        "0mh3  done   2026-01-02 03:00:00  ada  report  call     0/3",
        "",
        "INPUT  {"a":1}",
        "CALL  c1 (toolrack calls c1)",
        "SERVER  s1",
        "RESULT  {"ok":true}",
        "",
        "! ",
      ]
    `);
    const running = { ...job, state: "running", progress: { done: 1 } };
    expect(await told("jobs show 0mh3", { "GET /jobs/0mh3": running })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /jobs/0mh3",
        "ID    STATE    DUE                  AS   CALLS   MADE BY  FAILED  REASON",
        "0mh3  running  2026-01-02 03:00:00  ada  report  call     0/3",
        "",
        "PROGRESS  {"done":1}",
        "",
        "! ",
      ]
    `);
    expect(await told("jobs show 0mh3 --wait", { "GET /jobs/0mh3": running, "GET /jobs/0mh3/wait": { ...ended, callId: undefined } }))
      .toMatchInlineSnapshot(`
        [
          "ended with 0",
          "GET /jobs/0mh3",
          "GET /jobs/0mh3/wait?timeoutMs=20000",
          "ID    STATE  DUE                  AS   CALLS   MADE BY  FAILED  REASON",
          "0mh3  done   2026-01-02 03:00:00  ada  report  call     0/3",
          "",
          "INPUT  {"a":1}",
          "SERVER  s1",
          "RESULT  {"ok":true}",
          "",
          "! ",
        ]
      `);
    expect(await told("jobs show 0mh4", { "GET /jobs/0mh4": { ...dead, endedAt: at(1) } })).toMatchInlineSnapshot(`
      [
        "ended with 1",
        "GET /jobs/0mh4",
        "ID    STATE  DUE                  AS  CALLS   MADE BY         FAILED  REASON",
        "0mh4  dead   2026-01-02 03:00:00      report  schedule:daily  3/3     TOOL_FAILED: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…",
        "",
        "TOOL_FAILED: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "Run it again: toolrack jobs replay 0mh4",
        "",
        "! ",
      ]
    `);
  });

  it("tells of what runs again why it failed before", async () => {
    const error = { code: "TOOL_FAILED", message: "Away." };
    const reasonOf = async (state: string) => (await told("jobs", { "GET /jobs": { jobs: [{ ...job, state, error }] } })).join("\n");
    expect(await reasonOf("running")).toContain("before: TOOL_FAILED: Away.");
    expect(await reasonOf("waiting")).toContain("before: TOOL_FAILED: Away.");
    expect(await reasonOf("dead")).not.toContain("before:");
  });

  it("cancels, runs and replays one", async () => {
    for (const what of ["cancel", "run", "replay"])
      expect((await told(`jobs ${what} 0mh3`, { [`POST /jobs/0mh3/${what}`]: job })).slice(0, 4)).toEqual(
        [
          "ended with 0",
          `POST /jobs/0mh3/${what}`,
          "ID    STATE  DUE                  AS   CALLS   MADE BY  FAILED  REASON",
          "0mh3  done   2026-01-02 03:00:00  ada  report  call     0/3    ",
        ].map((line) => line.trimEnd()),
      );
  });
});

describe("toolrack schedules", () => {
  const daily = {
    id: "daily",
    state: "active",
    spec: { tool: "report", cron: "0 7 * * 1-5", tz: "Europe/Berlin", input: { a: 1 } },
    runsAs: { agent: "ada" },
    nextAt: at(5),
    next: [at(5), at(10)],
    last: { outcome: "done", due: at(0), job: "0mh3" },
  };
  const waiting = {
    id: "once",
    state: "waiting",
    spec: { tool: "report", at: at(9) },
    runsAs: {},
    reason: "A person has to approve it.",
    next: [],
    last: { outcome: "failed", due: at(0), reason: "It was refused." },
  };
  const often = { id: "often", state: "paused", spec: { tool: "report", everyMs: 900_000 }, runsAs: {}, next: [] };

  it("lists what is called when, and as whom", async () => {
    expect(await told("schedules", { "GET /schedules": { schedules: [daily, waiting, often] } })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /schedules?limit=500",
        "ID     STATE    CALLS   WHEN                         AS   NEXT (UTC)                   LATEST (UTC)",
        "daily  active   report  0 7 * * 1-5 (Europe/Berlin)  ada  2026-01-02 03:05:00          done 2026-01-02 03:00:00",
        "once   waiting  report  at 2026-01-02T03:09:00.000Z       A person has to approve it.  failed 2026-01-02 03:00:00",
        "often  paused   report  every 15 min",
        "",
        "! ",
      ]
    `);
    expect(await told("schedules list", { "GET /schedules": { schedules: [] } })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /schedules?limit=500",
        "There are no schedules. Add one with: toolrack schedules add <id> <tool> --every 1h",
        "",
        "! ",
      ]
    `);
  });

  it("shows one with its next times, and what a person has to do", async () => {
    expect(await told("schedules show daily", { "GET /schedules/daily": daily })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /schedules/daily",
        "ID     STATE   CALLS   WHEN                         AS   NEXT (UTC)           LATEST (UTC)",
        "daily  active  report  0 7 * * 1-5 (Europe/Berlin)  ada  2026-01-02 03:05:00  done 2026-01-02 03:00:00",
        "",
        "INPUT  {"a":1}",
        "NEXT (UTC)",
        "  2026-01-02 03:05:00",
        "  2026-01-02 03:10:00",
        "Its latest run: toolrack jobs show 0mh3",
        "",
        "! ",
      ]
    `);
    expect(await told("schedules show once", { "GET /schedules/once": waiting })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /schedules/once",
        "ID    STATE    CALLS   WHEN                         AS  NEXT (UTC)                   LATEST (UTC)",
        "once  waiting  report  at 2026-01-02T03:09:00.000Z      A person has to approve it.  failed 2026-01-02 03:00:00",
        "",
        "INPUT  {}",
        "A person has to approve it: toolrack approvals show schedule-once",
        "It was refused.",
        "",
        "! ",
      ]
    `);
  });

  it("adds one with everything that was said of it, and nothing else", async () => {
    const script = { "POST /schedules": daily };
    const asked = async (words: string) => JSON.parse((await told(words, script))[1]!.replace("POST /schedules ", "")) as unknown;
    expect(await asked("schedules add daily report a=1 --every 15m --jitter 10s --missed all --overlap queue --agent ada")).toEqual({
      id: "daily",
      tool: "report",
      input: { a: 1 },
      missed: "all",
      overlap: "queue",
      agent: "ada",
      everyMs: 900_000,
      jitterMs: 10_000,
    });
    expect(await asked("schedules add daily report --cron 0_0_7_*_*_* --tz Europe/Berlin --seconds")).toEqual({
      id: "daily",
      tool: "report",
      input: {},
      cron: "0_0_7_*_*_*",
      tz: "Europe/Berlin",
      seconds: true,
    });
    expect(await asked(`schedules add daily report --at ${at(9)}`)).toEqual({ id: "daily", tool: "report", input: {}, at: at(9) });
    expect((await told("schedules add daily report --every 1h", script)).slice(2)).toEqual(
      (await told("schedules show daily", { "GET /schedules/daily": daily })).slice(2),
    );
  });

  it("pauses, resumes, runs and removes one", async () => {
    for (const what of ["pause", "resume"]) {
      const [code, asked, ...rest] = await told(`schedules ${what} often`, { [`POST /schedules/often/${what}`]: often });
      expect([code, asked]).toEqual(["ended with 0", `POST /schedules/often/${what}`]);
      expect(rest).toEqual((await told("schedules show often", { "GET /schedules/often": often })).slice(2));
    }
    expect(await told("schedules run daily", { "POST /schedules/daily/run": { job: "0mh5" } })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "POST /schedules/daily/run",
        "0mh5",
        "",
        "! Its result comes later: toolrack jobs show 0mh5 --wait",
        "! ",
      ]
    `);
    expect(await told("schedules remove daily", { "DELETE /schedules/daily": {} })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "DELETE /schedules/daily",
        "The schedule daily was removed.",
        "",
        "! ",
      ]
    `);
    expect(await told("schedules remove daily --json", { "DELETE /schedules/daily": {} })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "DELETE /schedules/daily",
        "{",
        "  "id": "daily",",
        "  "removed": true",
        "}",
        "",
        "! ",
      ]
    `);
  });
});

describe("toolrack triggers", () => {
  const news = { id: "news", state: "active", spec: { on: { schema_name: "news.v1" }, tool: "summarize" }, runsAs: { agent: "ada" } };
  const held = { ...news, id: "held", state: "waiting", runsAs: {}, reason: "A person has to approve it." };
  const broken = { ...news, id: "broken", state: "active", problem: { reason: "The tool is gone." } };

  it("lists which events call what", async () => {
    expect(await told("triggers", { "GET /triggers": { triggers: [news, held, broken] } })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /triggers",
        "ID      STATE    ON                         CALLS      AS   SKIPPED  WHY",
        "news    active   {"schema_name":"news.v1"}  summarize  ada  0",
        "held    waiting  {"schema_name":"news.v1"}  summarize       0        A person has to approve it.",
        "broken  active   {"schema_name":"news.v1"}  summarize  ada  0        The tool is gone.",
        "",
        "! ",
      ]
    `);
    expect(await told("triggers list", { "GET /triggers": { triggers: [] } })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /triggers",
        "There are no triggers.",
        "",
        "! ",
      ]
    `);
  });

  it("adds one with its events, its input and its agent", async () => {
    const script = { "POST /triggers": news };
    expect(await told('triggers add news summarize schema_name=news.v1 --input {"text":{"from":"/record/title"}} --agent ada', script))
      .toMatchInlineSnapshot(`
      [
        "ended with 0",
        "POST /triggers {"id":"news","tool":"summarize","on":{"schema_name":"news.v1"},"input":{"text":{"from":"/record/title"}},"agent":"ada"}",
        "The trigger news calls summarize from now on, as ada.",
        "",
        "! ",
      ]
    `);
    expect((await told("triggers add news summarize schema_name=news.v1", script))[1]).toMatchInlineSnapshot(
      `"POST /triggers {"id":"news","tool":"summarize","on":{"schema_name":"news.v1"}}"`,
    );
  });

  it("tells what one would do, and fails where it would do nothing", async () => {
    const words = 'triggers test news record={"title":"Rain"}';
    expect(await told(words, { "POST /triggers/news/test": { input: { text: "Rain" } } })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "POST /triggers/news/test {"event":{"record":{"title":"Rain"}}}",
        "{"text":"Rain"}",
        "",
        "! ",
      ]
    `);
    expect(await told(words, { "POST /triggers/news/test": { isChosen: true } })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "POST /triggers/news/test {"event":{"record":{"title":"Rain"}}}",
        "{}",
        "",
        "! ",
      ]
    `);
    expect(await told(words, { "POST /triggers/news/test": { fault: "The event has no title." } })).toMatchInlineSnapshot(`
      [
        "ended with 1",
        "POST /triggers/news/test {"event":{"record":{"title":"Rain"}}}",
        "The event has no title.",
        "",
        "! ",
      ]
    `);
  });

  it("pauses, resumes and removes one", async () => {
    expect(await told("triggers pause news", { "POST /triggers/news/pause": { ...news, state: "paused" } })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "POST /triggers/news/pause",
        "The trigger news is paused.",
        "",
        "! ",
      ]
    `);
    expect(await told("triggers resume news", { "POST /triggers/news/resume": news })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "POST /triggers/news/resume",
        "The trigger news is active.",
        "",
        "! ",
      ]
    `);
    expect(await told("triggers remove news", { "DELETE /triggers/news": {} })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "DELETE /triggers/news",
        "The trigger news was removed.",
        "",
        "! ",
      ]
    `);
    expect((await told("triggers remove news --json", { "DELETE /triggers/news": {} }))[2]).toMatchInlineSnapshot(`"{"`);
  });
});
