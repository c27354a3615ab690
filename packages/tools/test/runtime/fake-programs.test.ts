import { tmpdir } from "node:os";
import type { Caller, ToolResult } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import type { RuntimeToolsOptions } from "../../src/runtime/options.ts";
import { createRuntimeTools } from "../../src/runtime/runtime.ts";
import { runCommand } from "../../src/workspace/command.ts";
import { createFake, type Fake, type FakeProgram } from "../fake-programs.ts";
import { invokerOf } from "../temporary-workspace.ts";

type Call = (name: "exec" | "process", input: object, caller?: Caller) => Promise<ToolResult>;

function open(options: Partial<RuntimeToolsOptions> = {}, onStart?: (program: FakeProgram) => void): Fake & { readonly call: Call } {
  const fake = createFake(onStart);
  const invoke = invokerOf(createRuntimeTools({ root: tmpdir(), processes: fake.processes, ...options }));
  return { ...fake, call: (name, input, caller = { agent: "ada" }) => invoke(name, input, { caller }) };
}

const dataOf = (result: ToolResult): any => (result.ok ? result.data : expect.fail(result.error));
const errorOf = (result: ToolResult): string => (result.ok ? expect.fail("It succeeded.") : result.error);

describe("exec", () => {
  it("runs a program with its arguments, its input and its variables, and shows what it wrote", async () => {
    const { call, programs } = open({ environment: { inherit: [], set: { A: "1" }, accept: ["B"] } }, (program) => {
      program.say("out\n");
      program.say("err\n", "stderr");
      program.end({ exitCode: 3 });
    });
    const result = await call("exec", { argv: ["tool", "-x", "a b"], input: "text", env: { B: "2" } });
    expect(result).toMatchObject({
      ok: true,
      content: "[exit code 3]\nout\n\n[stderr]\nerr\n",
      data: { state: "ended", exitCode: 3, stdout: "out\n", stderr: "err\n", truncated: false },
      effects: [{ kind: "process", action: "run", target: "tool -x a b" }],
    });
    expect(dataOf(result)).not.toHaveProperty("handle");
    expect(programs[0]!.command).toMatchObject({ program: "tool", args: ["-x", "a b"], env: { A: "1", B: "2" }, takesInput: true });
    expect(programs[0]!.events).toEqual(["write text", "end input"]);
    expect(dataOf(await call("process", { action: "list" })).processes).toEqual([]);
  });

  it("says nothing of an exit with 0, and shows the ends of long output with the handle of the rest", async () => {
    const { call } = open({ maxOutputChars: 40 }, (program) => {
      program.say(`${"a".repeat(50)}${"z".repeat(50)}`);
      program.end();
    });
    const result = await call("exec", { argv: ["tool"] });
    const { handle, truncated, stdout } = dataOf(result);
    expect(truncated).toBe(true);
    expect(stdout).toBe(
      `${"a".repeat(10)}\n[… 60 characters left out; process, action log, handle "${handle}", stream stdout, offset 10 shows them …]\n${"z".repeat(30)}`,
    );
    expect(result).toMatchObject({ content: stdout });
    expect(dataOf(await call("process", { action: "log", handle, offset: 45, limit: 10 }))).toMatchObject({
      text: "aaaaazzzzz",
      offset: 45,
      total: 100,
    });
  });

  it("fails with what was written where a program is ended by a signal or by the time", async () => {
    const killed = open({}, (program) => {
      program.say("so far");
      program.end({ exitCode: null, signal: "SIGKILL" } as never);
    });
    expect(errorOf(await killed.call("exec", { argv: ["tool"] }))).toBe("It was ended by SIGKILL: tool.\nso far");
    const slow = open();
    const late = await slow.call("exec", { argv: ["tool", "x"], timeout_ms: 1 });
    expect(late).toMatchObject({ ok: false, code: "TIMEOUT" });
    expect(errorOf(late)).toMatch(/^It timed out after 1 ms: tool x\./);
    expect(slow.programs[0]!.events).toEqual(["stop"]);
  });

  it("takes a line for the shell only where there is one, and a time up to the limit", async () => {
    const plain = open({}, (program) => program.end());
    expect(await plain.call("exec", { command: "ls" })).toMatchObject({ ok: false, code: "INPUT_INVALID" });
    expect(await plain.call("exec", { argv: [""] })).toMatchObject({ ok: false, error: "argv[0] is empty. It must name a program." });
    expect(await plain.call("exec", { argv: ["tool"], timeout_ms: 600_001 })).toMatchObject({ ok: false, code: "INPUT_INVALID" });
    expect(await plain.call("exec", { argv: ["tool"], timeout_ms: 600_000 })).toMatchObject({ ok: true });
    const shell = open({ shell: true }, (program) => program.end());
    await shell.call("exec", { command: "ls | wc" });
    expect(shell.programs[0]!.command).toMatchObject({ program: "/bin/sh", args: ["-c", "ls | wc"] });
    const own = open({ shell: "/opt/sh" }, (program) => program.end());
    await own.call("exec", { command: "ls" });
    expect(own.programs[0]!.command.program).toBe("/opt/sh");
    expect(await shell.call("exec", { command: "ls", argv: ["ls"] })).toMatchObject({ ok: false, code: "INPUT_INVALID" });
  });
});

describe("a program in the background", () => {
  async function background(
    options: Partial<RuntimeToolsOptions> = {},
  ): Promise<Fake & { call: Call; handle: string; program: FakeProgram }> {
    const opened = open(options);
    const started = await opened.call("exec", { argv: ["server"], background: true, input: "go" });
    const { handle } = dataOf(started);
    expect(started).toMatchObject({
      content: `Started in the background: server\nThe handle for process is ${handle}.`,
      data: { state: "running", stdout: "", stderr: "", truncated: false },
      effects: [{ kind: "process", action: "start", target: "server" }],
    });
    const program = opened.programs.at(-1)!;
    expect(program.events).toEqual(["write go"]);
    expect(program.command.isBackground).toBe(true);
    return { ...opened, handle, program };
  }

  it("is polled for what is new, and tells how it ended", async () => {
    const { call, handle, program } = await background({ maxOutputChars: 20 });
    const poll = (input: object = {}): Promise<ToolResult> => call("process", { action: "poll", handle, ...input });
    expect(await poll()).toMatchObject({ content: "[running]", data: { handle, state: "running", stdout: "", stderr: "" } });
    const waiting = poll({ wait_ms: 30_000 });
    program.say("one");
    expect(dataOf(await waiting)).toMatchObject({ stdout: "one" });
    program.say("two", "stderr");
    expect(await poll({ wait_ms: 30_000 })).toMatchObject({ content: "[running]\n[stderr]\ntwo", data: { stdout: "", stderr: "two" } });
    program.say("x".repeat(50));
    expect(dataOf(await poll()).stdout).toBe(`[… 30 characters left out; action log, offset 3 shows them …]\n${"x".repeat(20)}`);
    program.end({ exitCode: 2 });
    expect(await poll({ wait_ms: 30_000 })).toMatchObject({ content: "[ended, exit code 2]", data: { state: "ended", exitCode: 2 } });
    expect(dataOf(await call("process", { action: "list" })).processes).toEqual([
      { handle, command: "server", state: "ended", exitCode: 2 },
    ]);
  });

  it("shows its log from any place, by default the end of what it wrote", async () => {
    const { call, handle, program } = await background();
    program.say("0123456789");
    program.say("oops", "stderr");
    const log = (input: object): Promise<ToolResult> => call("process", { action: "log", handle, ...input });
    expect(await log({})).toMatchObject({ content: "0123456789", data: { text: "0123456789", offset: 0, total: 10 } });
    expect(await log({ limit: 3 })).toMatchObject({ content: "789", data: { offset: 7 } });
    expect(await log({ offset: 2, limit: 3 })).toMatchObject({ content: "234\n[Characters 2 to 5 of 10. Go on with offset 5.]" });
    expect(await log({ stream: "stderr" })).toMatchObject({ content: "oops", data: { total: 4 } });
    program.say("y".repeat(20_000));
    expect(dataOf(await log({})).text).toHaveLength(10_000);
  });

  it("is written to until it ends", async () => {
    const { call, handle, program } = await background();
    const write = (input: object): Promise<ToolResult> => call("process", { action: "write", handle, ...input });
    expect(await write({ text: "abc" })).toMatchObject({ content: "Wrote 3 characters.", data: { handle, state: "running" } });
    expect(await write({ text: "d", end: true })).toMatchObject({ content: "Wrote 1 characters and ended the input." });
    expect(program.events).toEqual(["write go", "write abc", "write d", "end input"]);
    program.end();
    await call("process", { action: "poll", handle, wait_ms: 30_000 });
    expect(errorOf(await write({ text: "e" }))).toBe("The program has ended [ended, exit code 0]; nothing was written.");
  });

  it("is sent a signal, or is stopped with what it wrote last", async () => {
    const { call, handle, program } = await background();
    program.say("bye");
    expect(await call("process", { action: "kill", handle, signal: "SIGHUP" })).toMatchObject({
      content: "Sent SIGHUP.",
      data: { handle, state: "running" },
      effects: [{ kind: "process", action: "kill", target: "server" }],
    });
    expect(await call("process", { action: "kill", handle })).toMatchObject({
      content: "[ended, by SIGTERM]\nbye",
      data: { state: "ended", signal: "SIGTERM" },
    });
    await call("process", { action: "kill", handle, signal: "SIGKILL" });
    expect(program.events).toEqual(["write go", "SIGHUP", "stop"]);
  });

  it("is known to the caller alone that started it, in every respect", async () => {
    const { call, handle } = await background();
    const others: Caller[] = [
      { agent: "bob" },
      { agent: "ada", session: "s" },
      { agent: "ada", sender: "x" },
      { agent: "ada", principal: "p" },
      { agent: "ada", tenant: "t" },
    ];
    for (const other of others) {
      expect(errorOf(await call("process", { action: "poll", handle }, other))).toContain(
        `There is no program with the handle "${handle}".`,
      );
      expect(await call("process", { action: "list" }, other)).toMatchObject({ content: "No programs.", data: { processes: [] } });
    }
    expect(await call("process", { action: "list" })).toMatchObject({ content: `${handle}  running  server` });
  });

  it("is one of so many, and is ended with its callers", async () => {
    let endOf: ((isOver: (caller: Caller) => boolean) => void) | undefined;
    const { call, programs, program } = await background({ maxRunning: 1, onCallersEnd: (end) => void (endOf = end) });
    expect(await call("exec", { argv: ["second"], background: true })).toMatchObject({ ok: false, code: "QUEUE_FULL" });
    expect(programs).toHaveLength(1);
    endOf!(({ agent }) => agent === "bob");
    expect(program.events).toEqual(["write go"]);
    endOf!(({ agent }) => agent === "ada");
    expect(program.events).toEqual(["write go", "stop"]);
    await call("process", { action: "list" });
    endOf!(() => true);
    expect(program.events).toEqual(["write go", "stop"]);
    expect(await call("exec", { argv: ["third"], background: true })).toMatchObject({ ok: true });
  });

  it("has its output kept for a while after its end: that of the last 32 programs", async () => {
    const { call } = open({}, (program) => program.end());
    const handles: string[] = [];
    for (let count = 0; count < 34; count++) handles.push(dataOf(await call("exec", { argv: ["tool"], background: true })).handle);
    const kept = dataOf(await call("process", { action: "list" })).processes.map(({ handle }: { handle: string }) => handle);
    expect(kept).not.toContain(handles[0]);
    expect(kept).toEqual(handles.slice(-kept.length));
    expect(kept.length).toBeGreaterThanOrEqual(32);
  });
});

describe("a command", () => {
  const command = { program: "tool", args: [], env: {} };

  it("gives its end and its output, and reads nothing unless it is given something", async () => {
    const { processes, programs } = createFake((program) => {
      program.say("out");
      program.say("err", "stderr");
      program.end({ exitCode: 1 });
    });
    const done = await runCommand(processes, command, { timeoutMs: 60_000 });
    expect([done.exitCode, done.timedOut, done.stdout.slice(0), done.stderr.slice(0)]).toEqual([1, false, "out", "err"]);
    expect(programs[0]!.command.takesInput).toBe(false);
    expect(programs[0]!.events).toEqual([]);
    await runCommand(processes, command, { timeoutMs: 60_000, input: "" });
    expect(programs[1]!.command.takesInput).toBe(true);
    expect(programs[1]!.events).toEqual(["write ", "end input"]);
  });

  it("is ended when its call is cancelled, and is not begun if it was before", async () => {
    const stop = new AbortController();
    const { processes, programs } = createFake(() => stop.abort());
    await expect(runCommand(processes, command, { timeoutMs: 60_000, signal: stop.signal })).rejects.toMatchObject({ code: "ABORTED" });
    expect(programs[0]!.events).toEqual(["stop"]);
    await expect(runCommand(processes, command, { timeoutMs: 60_000, signal: stop.signal })).rejects.toThrow();
    expect(programs).toHaveLength(1);
    const late = createFake();
    expect(await runCommand(late.processes, command, { timeoutMs: 1 })).toMatchObject({ timedOut: true, signal: "SIGTERM" });
  });

  it("keeps as much of its output as it is told to", async () => {
    const { processes } = createFake((program) => {
      for (const part of ["aaaa", "bbbb", "cccc"]) program.say(part);
      program.end();
    });
    const { stdout } = await runCommand(processes, command, { timeoutMs: 60_000, maxChars: 5 });
    expect([stdout.length, stdout.slice(0)]).toEqual([12, "bbbbcccc"]);
  });
});
