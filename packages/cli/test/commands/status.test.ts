import { describe, expect, it } from "vitest";
import { runScripted } from "../_scripted.ts";

const server = {
  name: "server-abcdef",
  isThis: true,
  host: "host",
  pid: 7,
  version: "0.1.0",
  status: "active",
  config: "same",
  masterKey: "same",
  configDigest: "3f9a0c51",
  sources: { states: { ready: 4, disabled: 1 }, down: [] },
  differs: [],
  lag: 2,
  running: 1,
};
const report = {
  ready: true,
  problems: [],
  notes: [],
  servers: [server],
  sources: { failed: [] },
  checks: { store: "ok", wakeUps: "polling" },
  store: { kind: "sqlite", wakeUps: "polling" },
  waiting: { approvals: 1, configChanges: 2, unwrittenEnds: 0 },
  unrecordedCalls: 0,
};

describe("toolrack status", () => {
  it("prints one line for each fact of a server that is well", async () => {
    const shown = await runScripted(["status"], { "GET /status": report });
    expect(shown).toMatchObject({ code: 0, asked: ["GET /status"] });
    expect(shown.output.split("\n")).toEqual([
      "<url>: ready",
      "",
      "SERVER    HOST  PID  VERSION  UP  SEEN  STATE   CONFIG  DIGEST    KEY   SOURCES  LAG  CALLS",
      "abcdef *  host  7    0.1.0              active  same    3f9a0c51  same  4        2    1",
      "",
      "Checks: store ok, wakeUps polling",
      "Store: sqlite, changes by other servers arrive by polling",
      "Waiting: 1 approval, 2 configuration changes",
      "",
    ]);
  });

  it("prints everything that is not as it should be, and ends with 1 where the server is not ready", async () => {
    const other = {
      ...server,
      isThis: false,
      status: "gone",
      config: "different",
      differs: ["tools", "policy"],
      lag: undefined,
      pid: undefined,
      configDigest: "8ab1120c",
      sources: { states: { ready: 3, failed: 1, "waiting-for-approval": 1 }, down: [{ id: "bad", state: "failed" }] },
      pools: [{ source: "gpu", broker: "away", workers: 0, slots: 0, running: 0 }],
    };
    const shown = await runScripted(["status"], {
      "GET /status": {
        ...report,
        ready: false,
        problems: ["The disk is full."],
        notes: ["A note."],
        servers: [other],
        sources: { failed: [{ id: "bad" }, { id: "worse", error: "It broke." }] },
        store: {
          kind: "postgres",
          wakeUps: "notifications",
          pool: { inUse: 3, max: 10, waiting: 2 },
          newestChange: 44,
          bytes: 12_400_000,
          migrations: { applied: 5, known: 6 },
        },
        waiting: { approvals: 2, configChanges: 1, unwrittenEnds: 1, oldestJobMs: 250_000 },
        jobs: { waiting: 3, running: 1, done: 0, dead: 0, cancelled: 0 },
        running: 1,
        unrecordedCalls: 3,
      },
    });
    expect(shown.code).toBe(1);
    const lines = shown.output.split("\n");
    expect(lines[0]).toBe("<url>: not ready");
    expect(lines[3]).toMatch(/^abcdef {2}host +0\.1\.0 +gone +different: tools, policy {2}8ab1120c +same +3 of 5 +1$/);
    expect(lines.slice(6)).toEqual([
      "Store: postgres, changes by other servers arrive by notifications, 3 of 10 connections in use, 2 requests are waiting for one, 12.4 MB, newest change 44, 5 of 6 migrations",
      "Waiting: 2 approvals, 1 configuration change, 1 call result not written to the store yet. Running: 1 call",
      "Jobs: 3 waiting (the oldest has been due for 4m), 1 running",
      "Workers of gpu: 0, with 0 of 0 slots in use, broker away (seen by abcdef)",
      "Calls of this server that are not in the audit: 3",
      "Source bad failed: unknown reason",
      "Source worse failed: It broke.",
      "The disk is full.",
      "A note.",
      "",
    ]);
  });

  it("says that the other servers are unknown where the store does not respond", async () => {
    const { servers: _, ...rest } = report;
    const shown = await runScripted(["status"], { "GET /status": { ...rest, waiting: { unwrittenEnds: 2 }, running: 2 } });
    expect(shown.output).toContain("The store does not respond, so the other servers are unknown.\n");
    expect(shown.output).toContain("Waiting: 2 call results not written to the store yet. Running: 2 calls\n");
  });

  it("shows how long ago each server started and was seen", async () => {
    const ages = { startedAt: Date.now() - 7_300_000, lastSeen: new Date(Date.now() - 200).toISOString() };
    const shown = await runScripted(["status"], { "GET /status": { ...report, servers: [{ ...server, ...ages }] } });
    expect(shown.output).toMatch(/0\.1\.0 +2h +\d+s ago +active/);
  });
});

describe("toolrack config status and approve", () => {
  const pending = {
    message: "A change waits.",
    digest: "sha256:f",
    waiting: [
      { key: "policy.tools", part: "policy", before: 1, after: 2 },
      { key: "x", part: "tools", after: 3 },
    ],
  };

  it("tells faults, what waits, and what needs a restart", async () => {
    const quiet = await runScripted(["config", "status"], { "GET /config/pending": { restart: [] }, "GET /settings": { problems: [] } });
    expect(quiet).toMatchObject({ code: 0, output: "The configuration file is in force. No change is waiting for approval.\n" });
    const restart = await runScripted(["config", "status"], {
      "GET /config/pending": { restart: ["store"] },
      "GET /settings": { problems: [] },
    });
    expect(restart.output).toBe("No change is waiting for approval.\nTakes effect after a restart of the server: store.\n");
    const waiting = await runScripted(["config", "status"], {
      "GET /config/pending": { restart: [], pending },
      "GET /settings": { problems: ["A fault.", "A change waits. Approve it."] },
    });
    expect(waiting.code).toBe(1);
    expect(waiting.output.split("\n")).toEqual([
      "A fault.",
      "A change waits.",
      "KEY           IN FORCE  IN THE FILE",
      "policy.tools  1         2",
      "x                       3",
      "",
      "Approve exactly this file with: toolrack --url <url> config approve sha256:f",
      "",
    ]);
  });

  it("approves the digest that waits alone, and tells what is in force then", async () => {
    const approve = (words: readonly string[], answer: object = { restart: [] }) =>
      runScripted(["config", "approve", ...words], { "GET /config/pending": { restart: [], pending }, "POST /config/approve": answer });
    const done = await approve(["sha256:f"]);
    expect(done.asked).toEqual(["GET /config/pending", 'POST /config/approve {"digest":"sha256:f"}']);
    expect(done.output).toMatch(/\n\nApproved and in force: policy, tools\.\n$/);
    expect((await approve(["sha256:f"], { restart: ["policy"] })).output).toMatch(
      /\nApproved and in force: tools\.\nTakes effect after a restart of the server: policy\.\n$/,
    );
    expect((await approve(["sha256:f"], { restart: ["policy", "tools"] })).output).toMatch(/\nApproved\.\n/);
    expect((await approve(["sha256:f"], { restart: [], pending })).output).toMatch(/\nApproved, but not in force\./);
    expect(await approve([])).toMatchObject({ code: 3, errors: expect.stringContaining("Add the digest of the file that you reviewed") });
    expect(await approve(["sha256:x"])).toMatchObject({ code: 3, errors: expect.stringContaining('is sha256:f, not "sha256:x"') });
    const none = await runScripted(["config", "approve", "sha256:f"], { "GET /config/pending": { restart: [] } });
    expect(none).toMatchObject({
      code: 3,
      asked: ["GET /config/pending"],
      errors: expect.stringContaining("No configuration change is waiting"),
    });
  });
});

describe("toolrack completion", () => {
  it("offers the words below a word and the flags of each command, in every shell", async () => {
    const script = async (shell: string): Promise<string> => (await runScripted(["completion", shell], {})).output;
    const bash = await script("bash");
    expect(bash).toContain('    keys) words="list create revoke" ;;\n');
    expect(bash).toContain('    "keys create") flags="--roles --days --description" ;;\n');
    expect(bash).toContain('    "calls") flags="${flags} --errors --tool --agent --since --until --format --limit --before" ;;\n');
    expect(bash).toMatch(/if \[ "\$COMP_CWORD" -eq 1 \]; then words="[^"]*\bkeys\b[^"]*"; fi/);
    expect(await script("zsh")).toBe(`autoload -U +X bashcompinit && bashcompinit\n${bash}`);
    const fish = await script("fish");
    expect(fish).toContain("complete -c toolrack -n __fish_use_subcommand -a calls -d 'List calls, newest first");
    expect(fish).toContain("complete -c toolrack -n '__fish_seen_subcommand_from keys' -a revoke -d 'Revoke an API key.");
    expect(fish).toContain(
      "complete -c toolrack -n '__fish_seen_subcommand_from create' -l days -d 'days until it expires, at least 0.001'\n",
    );
    expect(await runScripted(["completion", "tcsh"], {})).toMatchObject({
      code: 2,
      errors: expect.stringContaining('no completion for "tcsh"'),
    });
  });
});
