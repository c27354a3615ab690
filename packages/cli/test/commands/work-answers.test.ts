import { describe, expect, it } from "vitest";
import { told, toldOfEach } from "../_told.ts";

const at = Date.UTC(2026, 0, 2, 3, 4, 5);

describe("toolrack jobs", () => {
  const job = {
    id: "job-1",
    state: "done",
    dueAt: at,
    caller: { agent: "ada" },
    subject: "report",
    origin: "schedule nightly",
    failed: 0,
    tries: 3,
  };
  const failed = { ...job, id: "job-2", state: "dead", caller: undefined, failed: 3, error: { code: "TIMEOUT", message: "m".repeat(90) } };

  it("lists jobs with what filters them, and cuts a long reason", async () => {
    const jobs = [job, failed, { ...failed, error: { code: "C", message: "m".repeat(77) } }];
    const words = ["jobs", "list", "--limit", "500", "--after", "x", "--state", "done", "--origin", "o"];
    expect(await told(words, { "GET /jobs": { jobs, next: "n" } })).toMatchInlineSnapshot(`
      "> GET /jobs?limit=500&after=x&state=done&origin=o
      ID     STATE  DUE                  AS   CALLS   MADE BY           FAILED  REASON
      job-1  ‹+done›   2026-01-02 03:04:05  ada  report  schedule nightly  0/3
      job-2  ‹?dead›   2026-01-02 03:04:05       report  schedule nightly  3/3     TIMEOUT: mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm…
      job-2  ‹?dead›   2026-01-02 03:04:05       report  schedule nightly  3/3     C: mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm
      More: toolrack jobs list --state done --origin o --limit 500 --after n
      json: the answer"
    `);
    expect(await toldOfEach([["jobs"], ["jobs", "dead"], ["jobs", "--limit", "501"]], { "GET /jobs": { jobs: [] } }))
      .toMatchInlineSnapshot(`
      "$ toolrack jobs
      > GET /jobs?limit=50
      No jobs.
      json: the answer

      $ toolrack jobs dead
      > GET /jobs?limit=50&state=dead
      No dead jobs.
      json: the answer

      $ toolrack jobs --limit 501
      ! --limit must be a whole number, from 1 to 500, but it is "501".
      exit 2
      json: {"error":{"detail":"--limit must be a whole number, from 1 to 500, but it is \\"501\\"."}}"
    `);
    expect(await told(["jobs", "dead"], { "GET /jobs": { jobs: [failed], next: "n" } })).toContain("toolrack jobs dead --after n");
  });

  it("shows all of a job, and fails for a dead one", async () => {
    const whole = { ...job, input: { a: 1 }, callId: "call-1", server: "one", progress: { done: 1 }, result: { ok: true } };
    expect(await told(["jobs", "show", "job-1"], { "GET /jobs/job-1": whole })).toMatchInlineSnapshot(`
      "> GET /jobs/job-1
      ID     STATE  DUE                  AS   CALLS   MADE BY           FAILED  REASON
      job-1  ‹+done›   2026-01-02 03:04:05  ada  report  schedule nightly  0/3

      INPUT  {"a":1}
      CALL  call-1 (toolrack calls call-1)
      SERVER  one
      PROGRESS  {"done":1}
      RESULT  {"ok":true}
      json: the answer"
    `);
    expect(await told(["jobs", "show", "job-1"], { "GET /jobs/job-1": { ...whole, endedAt: at } })).not.toContain("PROGRESS");
    expect(await told(["jobs", "show", "job-2"], { "GET /jobs/job-2": failed })).toMatchInlineSnapshot(`
      "> GET /jobs/job-2
      ID     STATE  DUE                  AS  CALLS   MADE BY           FAILED  REASON
      job-2  ‹?dead›   2026-01-02 03:04:05      report  schedule nightly  3/3     TIMEOUT: mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm…

      ‹-TIMEOUT: mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm›
      Run it again: toolrack jobs replay job-2
      exit 1
      json: the answer"
    `);
    const script = { "GET /jobs/job-1": { ...job, state: "running" }, "GET /jobs/job-1/wait": { ...job, endedAt: at } };
    expect(await told(["jobs", "show", "job-1", "--wait"], script)).toMatchInlineSnapshot(`
      "> GET /jobs/job-1
      > GET /jobs/job-1/wait?timeoutMs=20000
      ID     STATE  DUE                  AS   CALLS   MADE BY           FAILED  REASON
      job-1  ‹+done›   2026-01-02 03:04:05  ada  report  schedule nightly  0/3

      json: the answer"
    `);
  });

  it("cancels, runs and replays one, found by the beginning of its id", async () => {
    const script = {
      "GET /jobs": { jobs: [job] },
      "POST /jobs/job-1/cancel": job,
      "POST /jobs/job-1/run": job,
      "POST /jobs/job-1/replay": job,
    };
    expect(
      await toldOfEach(
        [
          ["jobs", "cancel", "jo"],
          ["jobs", "run", "job-1"],
          ["jobs", "replay", "job-1"],
        ],
        script,
      ),
    ).toMatchInlineSnapshot(`
      "$ toolrack jobs cancel jo
      > POST /jobs/jo/cancel
      > GET /jobs?limit=500
      > POST /jobs/job-1/cancel
      ID     STATE  DUE                  AS   CALLS   MADE BY           FAILED  REASON
      job-1  ‹+done›   2026-01-02 03:04:05  ada  report  schedule nightly  0/3
      json: the answer

      $ toolrack jobs run job-1
      > POST /jobs/job-1/run
      ID     STATE  DUE                  AS   CALLS   MADE BY           FAILED  REASON
      job-1  ‹+done›   2026-01-02 03:04:05  ada  report  schedule nightly  0/3
      json: the answer

      $ toolrack jobs replay job-1
      > POST /jobs/job-1/replay
      ID     STATE  DUE                  AS   CALLS   MADE BY           FAILED  REASON
      job-1  ‹+done›   2026-01-02 03:04:05  ada  report  schedule nightly  0/3
      json: the answer"
    `);
  });
});

describe("toolrack schedules", () => {
  const schedule = {
    id: "nightly",
    state: "active",
    spec: { tool: "report", everyMs: 90_000 },
    runsAs: { agent: "ada" },
    nextAt: at,
    next: [at, at + 90_000],
  };

  it("lists schedules of every kind, and how to add the first", async () => {
    const schedules = [
      schedule,
      { ...schedule, id: "b", state: "paused", runsAs: {}, nextAt: undefined, reason: "It failed.", last: { outcome: "done", due: at } },
      { ...schedule, id: "c", spec: { tool: "t", cron: "0 2 * * *", tz: "Europe/Zurich" }, nextAt: undefined },
      { ...schedule, id: "d", spec: { tool: "t", cron: "0 2 * * *" } },
      { ...schedule, id: "e", spec: { tool: "t", at: "2026-01-02T03:04:05Z" } },
      { ...schedule, id: "f", spec: { tool: "t" } },
    ];
    expect(await told(["schedules"], { "GET /schedules": { schedules } })).toMatchInlineSnapshot(`
      "> GET /schedules?limit=500
      ID       STATE   CALLS   WHEN                       AS   NEXT (UTC)           LATEST (UTC)
      nightly  ‹+active›  report  every 1 min 30 s           ada  2026-01-02 03:04:05
      b        ‹?paused›  report  every 1 min 30 s                It failed.           done 2026-01-02 03:04:05
      c        ‹+active›  t       0 2 * * * (Europe/Zurich)  ada
      d        ‹+active›  t       0 2 * * * ()               ada  2026-01-02 03:04:05
      e        ‹+active›  t       at 2026-01-02T03:04:05Z    ada  2026-01-02 03:04:05
      f        ‹+active›  t       every 0.0 ms               ada  2026-01-02 03:04:05
      json: the answer"
    `);
    expect(await told(["schedules", "list"], { "GET /schedules": { schedules: [] } })).toMatchInlineSnapshot(`
      "> GET /schedules?limit=500
      There are no schedules. Add one with: toolrack schedules add <id> <tool> --every 1h
      json: the answer"
    `);
  });

  it("shows one with its next times, its latest run, and who has to approve it", async () => {
    const waits = {
      ...schedule,
      state: "waiting",
      spec: { ...schedule.spec, input: { a: 1 } },
      last: { outcome: "failed", due: at, job: "job 1", reason: "It broke." },
    };
    expect(await told(["schedules", "show", "nightly"], { "GET /schedules/nightly": waits })).toMatchInlineSnapshot(`
      "> GET /schedules/nightly
      ID       STATE    CALLS   WHEN              AS   NEXT (UTC)           LATEST (UTC)
      nightly  ‹?waiting›  report  every 1 min 30 s  ada  2026-01-02 03:04:05  failed 2026-01-02 03:04:05

      INPUT  {"a":1}
      NEXT (UTC)
        2026-01-02 03:04:05
        2026-01-02 03:05:35
      A person has to approve it: toolrack approvals show schedule-nightly
      Its latest run: toolrack jobs show 'job 1'
      ‹-It broke.›
      json: the answer"
    `);
    expect(await told(["schedules", "show", "nightly"], { "GET /schedules/nightly": { ...schedule, next: [] } })).toMatchInlineSnapshot(`
      "> GET /schedules/nightly
      ID       STATE   CALLS   WHEN              AS   NEXT (UTC)           LATEST (UTC)
      nightly  ‹+active›  report  every 1 min 30 s  ada  2026-01-02 03:04:05

      INPUT  {}
      json: the answer"
    `);
  });

  it("adds one with every option, and nothing that was not given", async () => {
    const script = { "POST /schedules": schedule };
    const all = [
      "--at",
      "x",
      "--cron",
      "0 2 * * *",
      "--tz",
      "UTC",
      "--missed",
      "run",
      "--overlap",
      "skip",
      "--agent",
      "ada",
      "--every",
      "2m",
      "--jitter",
      "3s",
      "--seconds",
    ];
    expect(await told(["schedules", "add", "nightly", "report", "a=1", ...all], script)).toMatchInlineSnapshot(`
      "> POST /schedules {"id":"nightly","tool":"report","input":{"a":1},"at":"x","cron":"0 2 * * *","tz":"UTC","missed":"run","overlap":"skip","agent":"ada","seconds":true,"everyMs":120000,"jitterMs":3000}
      ID       STATE   CALLS   WHEN              AS   NEXT (UTC)           LATEST (UTC)
      nightly  ‹+active›  report  every 1 min 30 s  ada  2026-01-02 03:04:05

      INPUT  {}
      NEXT (UTC)
        2026-01-02 03:04:05
        2026-01-02 03:05:35
      json: the answer"
    `);
    expect(await told(["schedules", "add", "nightly", "report"], script)).toContain(
      '> POST /schedules {"id":"nightly","tool":"report","input":{}}\n',
    );
    expect(await told(["schedules", "add", "nightly", "report", "--every", "2x"], script)).toMatchInlineSnapshot(`
      "! --every must be a number and a unit, such as 90s, 15m, 6h or 1d, but it is "2x".
      exit 2
      json: {"error":{"detail":"--every must be a number and a unit, such as 90s, 15m, 6h or 1d, but it is \\"2x\\"."}}"
    `);
  });

  it("pauses, resumes, runs and removes one, found by the beginning of its id", async () => {
    const path = "POST /schedules/nightly";
    const script = {
      "GET /schedules": { schedules: [schedule] },
      [`${path}/pause`]: { ...schedule, state: "paused" },
      [`${path}/resume`]: schedule,
      [`${path}/run`]: { job: "job-1" },
      "DELETE /schedules/nightly": {},
    };
    const lines = ["pause", "resume", "run", "remove"].map((word) => ["schedules", word, "night"]);
    expect(await toldOfEach(lines, script)).toMatchInlineSnapshot(`
      "$ toolrack schedules pause night
      > POST /schedules/night/pause
      > GET /schedules?limit=500
      > POST /schedules/nightly/pause
      ID       STATE   CALLS   WHEN              AS   NEXT (UTC)           LATEST (UTC)
      nightly  ‹?paused›  report  every 1 min 30 s  ada  2026-01-02 03:04:05

      INPUT  {}
      NEXT (UTC)
        2026-01-02 03:04:05
        2026-01-02 03:05:35
      json: the answer

      $ toolrack schedules resume night
      > POST /schedules/night/resume
      > GET /schedules?limit=500
      > POST /schedules/nightly/resume
      ID       STATE   CALLS   WHEN              AS   NEXT (UTC)           LATEST (UTC)
      nightly  ‹+active›  report  every 1 min 30 s  ada  2026-01-02 03:04:05

      INPUT  {}
      NEXT (UTC)
        2026-01-02 03:04:05
        2026-01-02 03:05:35
      json: the answer

      $ toolrack schedules run night
      > POST /schedules/night/run
      > GET /schedules?limit=500
      > POST /schedules/nightly/run
      job-1
      ! Its result comes later: toolrack jobs show job-1 --wait
      json: the answer

      $ toolrack schedules remove night
      > DELETE /schedules/night
      > GET /schedules?limit=500
      > DELETE /schedules/nightly
      The schedule nightly was removed.
      json: {"id":"nightly","removed":true}"
    `);
  });
});

describe("toolrack sessions", () => {
  const session = {
    context: { session: "s1", status: "idle", updated_at: "2026-01-02T03:04:05.000Z", agent: "ada", key: "chat 1", messages: 4 },
  };

  it("lists sessions with what filters them", async () => {
    const words = ["sessions", "list", "--agent", "ada", "--status", "idle", "--limit", "200", "--offset", "0"];
    expect(await told(words, { "GET /sessions": { sessions: [session], next: 5 } })).toMatchInlineSnapshot(`
      "> GET /sessions?agent=ada&status=idle&limit=200&offset=0
      ID  STATUS  CHANGED           AGENT  KEY     MESSAGES
      s1  ‹?idle›    2026-01-02 03:04  ada    chat 1  4
      More: toolrack sessions list --agent ada --status idle --limit 200 --offset 5
      json: the answer"
    `);
    expect(
      await toldOfEach([["sessions"], ["sessions", "--limit", "201"], ["sessions", "--offset", "-1"]], {
        "GET /sessions": { sessions: [] },
      }),
    ).toMatchInlineSnapshot(`
      "$ toolrack sessions
      > GET /sessions?limit=50
      No sessions. Begin one: toolrack run <agent> "…"
      json: the answer

      $ toolrack sessions --limit 201
      ! --limit must be a whole number, from 1 to 200, but it is "201".
      exit 2
      json: {"error":{"detail":"--limit must be a whole number, from 1 to 200, but it is \\"201\\"."}}

      $ toolrack sessions --offset -1
      ! --offset must be a whole number, at least 0, but it is "-1".
      exit 2
      json: {"error":{"detail":"--offset must be a whole number, at least 0, but it is \\"-1\\"."}}"
    `);
  });

  it("shows every message of one: who said it, what was called, and what came back, cut where it is long", async () => {
    const messages = [
      { context: { seq: 1, role: "user", content: "Hello.", from: { kind: "person", id: "bob" } } },
      { context: { seq: 2, role: "assistant", calls: [{ name: "exec", input: { c: "x".repeat(600) } }] } },
      {
        context: {
          seq: 3,
          role: "tool",
          from: { kind: "server" },
          results: [
            { ok: true, content: "y".repeat(600), meta: { tool: "exec" } },
            { ok: false, error: "It broke.", content: "no" },
            { ok: true },
          ],
        },
      },
    ];
    const script = { "GET /sessions/s1": session, "GET /sessions/s1/messages": { messages } };
    expect(await told(["sessions", "show", "s1", "--after", "0"], script)).toMatchInlineSnapshot(`
      "> GET /sessions/s1
      > GET /sessions/s1/messages?after=0
      ID  STATUS  CHANGED           AGENT  KEY     MESSAGES
      s1  ‹?idle›    2026-01-02 03:04  ada    chat 1  4

      1 user from person bob
      Hello.

      2 assistant
      → exec {"c":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx

      3 tool from server
      ← exec: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy
      ← : It broke.
      ← : 

      json: {"session":{"context":{"session":"s1","status":"idle","updated_at":"2026-01-02T03:04:05.000Z","agent":"ada","key":"chat 1","messages":4}},"messages":[{"context":{"seq":1,"role":"user","content":"Hello.","from":{"kind":"person","id":"bob"}}},{"context":{"seq":2,"role":"assistant","calls":[{"name":"exec","input":{"c":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}}]}},{"context":{"seq":3,"role":"tool","from":{"kind":"server"},"results":[{"ok":true,"content":"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy","meta":{"tool":"exec"}},{"ok":false,"error":"It broke.","content":"no"},{"ok":true}]}}]}"
    `);
    expect(await told(["sessions", "show", "s1"], script)).toContain("> GET /sessions/s1/messages?after=0\n");
    expect(await told(["sessions", "show", "s1", "--after", "-1"], script)).toContain("exit 2");
  });

  it("sends to one, cancels it, and resumes it", async () => {
    const path = "POST /sessions/s1";
    const script = { [`${path}/messages`]: session, [`${path}/cancel`]: session, [`${path}/resume`]: session };
    const lines = [
      ["sessions", "send", "s1", "Go", "on."],
      ["sessions", "cancel", "s1"],
      ["sessions", "resume", "s1"],
    ];
    expect(await toldOfEach(lines, script)).toMatchInlineSnapshot(`
      "$ toolrack sessions send s1 Go on.
      > POST /sessions/s1/messages {"content":"Go on."}
      ID  STATUS  CHANGED           AGENT  KEY     MESSAGES
      s1  ‹?idle›    2026-01-02 03:04  ada    chat 1  4
      json: the answer

      $ toolrack sessions cancel s1
      > POST /sessions/s1/cancel
      ID  STATUS  CHANGED           AGENT  KEY     MESSAGES
      s1  ‹?idle›    2026-01-02 03:04  ada    chat 1  4
      json: the answer

      $ toolrack sessions resume s1
      > POST /sessions/s1/resume
      ID  STATUS  CHANGED           AGENT  KEY     MESSAGES
      s1  ‹?idle›    2026-01-02 03:04  ada    chat 1  4
      json: the answer"
    `);
  });
});

describe("toolrack programs", () => {
  const program = { id: "program-1", status: "ended", startedAt: at, caller: { agent: "ada" }, tool: "run_code", line: 2 };
  const details = { ...program, source: "const a = 1;\nawait tools.exec();", pending: [] };

  it("lists programs, page by page", async () => {
    const programs = [program, { ...program, status: "waiting", caller: {}, line: undefined }];
    expect(await told(["programs", "list", "--limit", "500", "--after", "5"], { "GET /programs": { programs, next: 7 } }))
      .toMatchInlineSnapshot(`
        "> GET /programs?limit=500&offset=5
        ID         STATUS   STARTED              AGENT  TOOL      LINE
        program-1  ‹+ended›    2026-01-02 03:04:05  ada    run_code  2
        program-1  ‹?waiting›  2026-01-02 03:04:05         run_code
        More: toolrack programs list --limit 500 --after 7
        json: the answer"
      `);
    expect(await toldOfEach([["programs"], ["programs", "--limit", "501"]], { "GET /programs": { programs: [] } })).toMatchInlineSnapshot(`
      "$ toolrack programs
      > GET /programs?limit=50
      No program waits for a person, or did lately.
      json: the answer

      $ toolrack programs --limit 501
      ! --limit must be a whole number, from 1 to 500, but it is "501".
      exit 2
      json: {"error":{"detail":"--limit must be a whole number, from 1 to 500, but it is \\"501\\"."}}"
    `);
  });

  it("shows where one stands, what it waits for, and what came of it", async () => {
    const call = {
      tool: "exec",
      line: 2,
      callId: "c1",
      input: { a: 1 },
      labels: { input: ["public"] },
      origins: { a: ["web"] },
      approval: "approval-1",
    };
    const waits = { ...details, status: "waiting", pending: [call, { ...call, labels: {}, origins: undefined, approval: undefined }] };
    expect(await told(["programs", "show", "program-1"], { "GET /programs/program-1": waits })).toMatchInlineSnapshot(`
      "> GET /programs/program-1
      ID         STATUS   STARTED              AGENT  TOOL      LINE
      program-1  ‹?waiting›  2026-01-02 03:04:05  ada    run_code  2

           1  const a = 1;
      ‹?>›    2  await tools.exec();

      WAITS FOR  exec (line 2, call c1)
      INPUT  {"a":1}
      LABELS  {"input":["public"]}
      FROM  {"a":["web"]}
      Answer it: toolrack approvals show approval-1

      WAITS FOR  exec (line 2, call c1)
      INPUT  {"a":1}
      json: the answer"
    `);
    const ended = { ...details, outcome: { b: 2 }, error: { code: "BROKEN", message: "It broke." } };
    expect(await told(["programs", "show", "program-1"], { "GET /programs/program-1": ended })).toMatchInlineSnapshot(`
      "> GET /programs/program-1
      ID         STATUS  STARTED              AGENT  TOOL      LINE
      program-1  ‹+ended›   2026-01-02 03:04:05  ada    run_code  2

           1  const a = 1;
           2  await tools.exec();

      RESULT  {"b":2}

      ‹-BROKEN: It broke.›
      json: the answer"
    `);
    const chain = { ...details, chain: { steps: [{ id: "a", tool: "exec", status: "done" }] } };
    expect(await told(["programs", "show", "1"], { "GET /programs": { programs: [program] }, "GET /programs/program-1": chain }))
      .toMatchInlineSnapshot(`
        "> GET /programs/1
        > GET /programs?limit=500
        > GET /programs/program-1
        ID         STATUS  STARTED              AGENT  TOOL      LINE
        program-1  ‹+ended›   2026-01-02 03:04:05  ada    run_code  2

        STEP  TOOL  STATUS
        a     exec  ‹?done›
        json: the answer"
      `);
  });

  it("cancels one", async () => {
    expect(await told(["programs", "cancel", "program-1"], { "DELETE /programs/program-1": {} })).toMatchInlineSnapshot(`
      "> DELETE /programs/program-1
      Cancelled program-1.
      json: {"cancelled":"program-1"}"
    `);
  });
});

describe("toolrack policy", () => {
  it("lists the rules, and counts what each agent may do", async () => {
    const script = {
      "GET /policy": { settings: [{ key: "policy.tools", origin: "file", value: { deny: ["x"] } }], warnings: [{ message: "Odd." }] },
      "GET /policy/matrix": { tools: ["a", "b", "c", "d"], rows: [{ agent: "ada", cells: "aa?-" }, { cells: "x---" }], withoutHost: 0 },
    };
    expect(await told(["policy", "list"], script)).toMatchInlineSnapshot(`
      "> GET /policy
      > GET /policy/matrix
      RULE          FROM  VALUE
      policy.tools  file  {"deny":["x"]}
      ‹?Odd.›

      AGENT      ALLOWED  ASKS  DENIED  UNAVAILABLE
      ada        2        1     1       0
      (unknown)  0        0     3       1
      json: {"settings":[{"key":"policy.tools","origin":"file","value":{"deny":["x"]}}],"warnings":[{"message":"Odd."}],"matrix":{"tools":["a","b","c","d"],"rows":[{"agent":"ada","cells":"aa?-"},{"cells":"x---"}],"withoutHost":0}}"
    `);
    expect(await told(["policy"], { ...script, "GET /policy": { settings: [], warnings: [] } })).toContain(
      "\nNo rules: every caller may use every tool.\n\nAGENT",
    );
  });

  it("shows the matrix, and counts what it leaves out", async () => {
    const matrix = { tools: ["a", "b", "c", "d", "e"], rows: [{ agent: "ada", cells: "a?-x!" }, { cells: "-----" }], withoutHost: 1 };
    expect(await told(["policy", "matrix"], { "GET /policy/matrix": matrix })).toMatchInlineSnapshot(`
      "> GET /policy/matrix
      TOOL  ada          (unknown)
      a     ‹+allow›        ‹-deny›
      b     ‹?ask›          ‹-deny›
      c     ‹-deny›         ‹-deny›
      d     ‹-unavailable›  ‹-deny›
      e     ‹?›             ‹-deny›
      1 known tool without a host is left out: toolrack policy matrix --all
      json: the answer"
    `);
    expect(await told(["policy", "matrix"], { "GET /policy/matrix": { ...matrix, withoutHost: 2 } })).toContain(
      "\n2 known tools without a host are left out: toolrack policy matrix --all\n",
    );
    expect(await told(["policy", "matrix", "--all"], { "GET /policy/matrix": { ...matrix, withoutHost: 0 } })).toMatchInlineSnapshot(`
      "> GET /policy/matrix?all=true
      TOOL  ada          (unknown)
      a     ‹+allow›        ‹-deny›
      b     ‹?ask›          ‹-deny›
      c     ‹-deny›         ‹-deny›
      d     ‹-unavailable›  ‹-deny›
      e     ‹?›             ‹-deny›
      json: the answer"
    `);
  });

  it("explains why an agent may or may not use a tool, and ends accordingly", async () => {
    const trace = [
      { outcome: "keeps", label: "the first" },
      { outcome: "keeps", label: "allow", entry: "exec" },
      { outcome: "removes", label: "deny", entry: "ex*", source: "line 4" },
      { outcome: "removes", label: "no host" },
    ];
    const answer = { known: true, allowed: false, sentences: ["It is denied.", "By a rule."], trace };
    const agents = { "GET /agents": { agents: [{ id: "ada" }, { id: "bob" }] } };
    expect(await told(["policy", "explain", "exec"], { "GET /policy/explain": answer, ...agents })).toMatchInlineSnapshot(`
      "> GET /policy/explain?tool=exec
      > GET /agents
      exec  ‹-denied›  for you: no agent was named
      It is denied.
      By a rule.

               STEP     ENTRY  FROM
      keeps    allow    exec
      removes  deny     ex*    line 4
      removes  no host
      ! For an agent (ada, bob): toolrack policy explain exec --agent ada
      exit 3
      json: the answer
      json> GET /policy/explain?tool=exec"
    `);
    expect(await told(["policy", "explain", "exec"], { "GET /policy/explain": { ...answer, trace: [] }, "GET /agents": { agents: [] } }))
      .toMatchInlineSnapshot(`
        "> GET /policy/explain?tool=exec
        > GET /agents
        exec  ‹-denied›  for you: no agent was named
        It is denied.
        By a rule.
        exit 3
        json: the answer
        json> GET /policy/explain?tool=exec"
      `);
    const asks = { ...answer, allowed: true, decision: { ask: { reason: "x" } }, trace: [] };
    expect(await told(["policy", "explain", "exec", "--agent", "ada"], { "GET /policy/explain": asks })).toMatchInlineSnapshot(`
      "> GET /policy/explain?tool=exec&caller={"agent":"ada"}
      exec  ‹?asks›
      It is denied.
      By a rule.
      json: the answer"
    `);
    expect(await told(["policy", "explain", "exec", "--agent", "ada"], { "GET /policy/explain": { ...asks, decision: {} } })).toContain(
      "exec  ‹+allowed›\n",
    );
    const unknown = { ...answer, known: false, trace: [] };
    expect(await told(["policy", "explain", "exec"], { "GET /policy/explain": unknown, ...agents })).toMatchInlineSnapshot(`
      "> GET /policy/explain?tool=exec
      exec  ‹-denied›  for you: no agent was named
      It is denied.
      By a rule.
      exit 4
      json: the answer"
    `);
  });

  it("simulates changes", async () => {
    const differences = [
      { caller: { agent: "ada" }, gained: [{ name: "a" }, { name: "b" }], lost: [], askChanged: [{ name: "c" }] },
      { caller: {}, gained: [], lost: [{ name: "d" }], askChanged: [] },
    ];
    expect(await told(["policy", "simulate", '{"a":1}'], { "POST /policy/simulate": { differences } })).toMatchInlineSnapshot(`
      "> POST /policy/simulate {"changes":{"a":1}}
      AGENT      GAINS  LOSES  APPROVAL CHANGES
      ada        ‹+a, b›   ‹-›       ‹?c›
      (unknown)  ‹+›       ‹-d›      ‹?›
      json: the answer"
    `);
    expect(await told(["policy", "simulate", "null"], { "POST /policy/simulate": { differences: [] } })).toMatchInlineSnapshot(`
      "> POST /policy/simulate {"changes":null}
      No agent would gain or lose a tool.
      json: the answer"
    `);
    expect(await told(["policy", "simulate", "{"], {})).toMatch(/^! The changes are not valid JSON: .*\.\nexit 2\n/);
  });
});

describe("toolrack approve", () => {
  const stored = { id: "tool-def-dice", name: "dice", state: "draft", version: 2, updated_by: "ada", hash: "sha256:h" };
  const record = { version: 2, title: "Dice", context: { description: "Rolls." } };
  const script = (more: object) => ({
    "GET /breadcrumbs/tool-def-dice": record,
    "GET /lifecycle": { definitions: [stored] },
    "GET /lifecycle/tool-def-dice": { ...stored, findings: [], ...more },
  });

  it("shows a program with its lines, what it may call, and what was found", async () => {
    const findings = [
      { severity: "danger", rule: "secrecy", path: "/description", message: "It asks for secrecy.", evidence: "tell nobody" },
      { severity: "warning", rule: "r", path: "/a", message: "Odd.", evidence: "" },
    ];
    const code = { implementation: { kind: "code", source: "a\nb\n" }, calls: ["x", "y"], problem: "It fails.\nAt line 2.", findings };
    expect(await told(["approve", "dice"], script(code))).toMatchInlineSnapshot(`
      "> GET /definitions/dice
      > GET /breadcrumbs/tool-def-dice
      > GET /lifecycle
      > GET /lifecycle/tool-def-dice
      dice: draft, version 2, by ada
      {
        "title": "Dice",
        "description": "Rolls."
      }

      PROGRAM
        1  a
        2  b
      May call: x, y

      ‹-It fails.›
      ‹-At line 2.›
      ‹-danger›  secrecy  /description
        It asks for secrecy. tell nobody
      ‹?warning›  r  /a
        Odd.

      Approve exactly this content with: toolrack approve dice --hash sha256:h --reason "reviewed"
      json: {"id":"tool-def-dice","name":"dice","state":"draft","version":2,"updated_by":"ada","hash":"sha256:h","context":{"description":"Rolls."},"calls":["x","y"],"problem":"It fails.\\nAt line 2.","findings":[{"severity":"danger","rule":"secrecy","path":"/description","message":"It asks for secrecy.","evidence":"tell nobody"},{"severity":"warning","rule":"r","path":"/a","message":"Odd.","evidence":""}]}"
    `);
    expect(await told(["approve", "dice"], script({ ...code, calls: [], findings: [], problem: undefined }))).toContain(
      "\nIt calls no tools.\n",
    );
  });

  it("shows the steps of a chain in the order in which they run", async () => {
    const steps = [
      { id: "last", tool: "sum", input: { a: 1 }, retries: 2, continueOnError: true },
      { id: "first", tool: "dice" },
      { id: "lost", tool: "x", continueOnError: false },
    ];
    const order = { levels: [["first"], ["last"]], edges: [["first", "last"]] };
    expect(await told(["approve", "dice"], script({ implementation: { kind: "chain", steps, returnStep: "last" }, calls: ["sum"], order })))
      .toMatchInlineSnapshot(`
      "> GET /definitions/dice
      > GET /breadcrumbs/tool-def-dice
      > GET /lifecycle
      > GET /lifecycle/tool-def-dice
      dice: draft, version 2, by ada
      {
        "title": "Dice",
        "description": "Rolls."
      }

      STEPS (those with the same number run at the same time)
        ?  lost: x({})
        1  first: dice({})
        2  last: sum({"a":1})  after first; retries 2; goes on after an error; is the result
      May call: sum

      Approve exactly this content with: toolrack approve dice --hash sha256:h --reason "reviewed"
      json: {"id":"tool-def-dice","name":"dice","state":"draft","version":2,"updated_by":"ada","hash":"sha256:h","context":{"description":"Rolls."},"calls":["sum"],"findings":[]}"
    `);
    expect(await told(["approve", "dice"], script({ implementation: { kind: "chain" }, calls: [] }))).toContain(
      "STEPS (those with the same number run at the same time)\nIt calls no tools.\n",
    );
  });

  it("lists definitions of sources below those that are stored", async () => {
    const seen = { tool: "github__search", reason: "changed", source: "mcp:github", digest: "d2" };
    const approved = { ...stored, name: "old", state: "approved" };
    const both = { "GET /lifecycle": { definitions: [stored, approved] }, "GET /approvals": { definitions: [seen] } };
    expect(await told(["approve"], both)).toMatchInlineSnapshot(`
      "> GET /approvals?limit=200
      > GET /lifecycle
      TOOL            STATE    VERSION  BY          HASH
      dice            draft    2        ada         sha256:h
      github__search  changed           mcp:github  d2
      json: {"definitions":[{"id":"tool-def-dice","name":"dice","state":"draft","version":2,"updated_by":"ada","hash":"sha256:h"}],"seen":[{"tool":"github__search","reason":"changed","source":"mcp:github","digest":"d2"}]}"
    `);
  });

  it("refuses what would not say why, or what was looked at", async () => {
    const lines = [["--reject"], ["--reason", " "], ["--reason", "fine"], ["--hash", "h", "--reason", " "]].map((words) => [
      "approve",
      "dice",
      ...words,
    ]);
    expect(
      await toldOfEach(
        lines.filter((_, index) => index !== 1),
        {},
      ),
    ).toMatchInlineSnapshot(`
      "$ toolrack approve dice --reject
      ! A reason is required, because it is recorded in the audit: add --reason "reviewed".
      exit 2
      json: {"error":{"detail":"A reason is required, because it is recorded in the audit: add --reason \\"reviewed\\"."}}

      $ toolrack approve dice --reason fine
      ! An approval must name the content that you reviewed. Review it with: toolrack approve dice
      exit 2
      json: {"error":{"detail":"An approval must name the content that you reviewed. Review it with: toolrack approve dice"}}

      $ toolrack approve dice --hash h --reason  
      ! A reason is required, because it is recorded in the audit: add --reason "reviewed".
      exit 2
      json: {"error":{"detail":"A reason is required, because it is recorded in the audit: add --reason \\"reviewed\\"."}}"
    `);
  });
});
