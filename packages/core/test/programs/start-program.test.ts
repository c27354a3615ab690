import { once } from "node:events";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { isAlive } from "@toolrack/testkit/processes";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { until } from "@toolrack/testkit/until";
import { afterAll, describe, expect, it } from "vitest";
import { endAtExit } from "../../src/programs/end-at-exit.ts";
import { ProcessFault, processFaultText } from "../../src/programs/process-fault.ts";
import { createProcessGuard, type ProcessGuard } from "../../src/programs/process-guard.ts";
import { outputRead, type ProgramOptions, type RunningProgram, startProgram } from "../../src/programs/start-program.ts";
import { variablesOf } from "../../src/programs/variables.ts";

const guard = createProcessGuard();
afterAll(() => guard.close());
const start = (program: string, args: readonly string[], more: Partial<ProgramOptions> = {}): Promise<RunningProgram> =>
  startProgram({ program, args, env: { PATH: "/usr/bin:/bin" }, stdio: ["ignore", "pipe", "pipe"], guard, ...more });

async function outputOf(running: RunningProgram): Promise<string> {
  let text = "";
  running.child.stdout!.on("data", (bytes: Buffer) => (text += bytes.toString()));
  await running.exited;
  await outputRead(running, 5_000);
  return text;
}

describe("a program", () => {
  it("gets its arguments as they are, and only the variables that are given", async () => {
    const script = 'printf "%s|" "$@"; env | grep -c SECRET';
    process.env["TEST_SECRET"] = "1";
    const running = await start("/bin/sh", ["-c", script, "sh", "$(id)", "a b", ";ls"]);
    delete process.env["TEST_SECRET"];
    expect(await outputOf(running)).toBe("$(id)|a b|;ls|0\n");
  });

  it("takes what it started and left along when it ends", async () => {
    const running = await start("/bin/sh", ["-c", "sleep 600 >/dev/null 2>&1 & echo $!"]);
    const child = Number(await outputOf(running));
    expect(child).toBeGreaterThan(0);
    await until(() => !isAlive(child), "the end of what it started");
    expect(await running.exited).toEqual({ exitCode: 0, signal: null });
  });

  it.each<[string, string, Partial<ProgramOptions>, string, string]>([
    ["that is missing", "toolrack-no-such-program", {}, "ENOENT", 'There is no program "toolrack-no-such-program".'],
    ["without its folder", "/bin/sh", { cwd: "/no/such/folder" }, "ENOTDIR", 'There is no folder "/no/such/folder" to start "/bin/sh" in.'],
    ["that is none", "plain.txt", {}, "EACCES", "may not be run: it is no program, or its permissions forbid it."],
    ["with a NUL in its name", "a\0b", {}, "ERR_INVALID_ARG_VALUE", "could not be started: the system answered ERR_INVALID_ARG_VALUE."],
  ])("%s is a fault with its code and the next step", async (_, name, more, code, text) => {
    const folder = temporaryFolder({ "plain.txt": "text" });
    const fault: unknown = await start(name === "plain.txt" ? join(folder, name) : name, [], more).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(ProcessFault);
    expect(fault).toMatchObject({ code });
    expect(processFaultText(fault as ProcessFault, more.cwd)).toContain(text);
  });
});

describe("what a guard holds of a program", () => {
  it("is its mark before it starts, and nothing once it has ended or did not start", async () => {
    const held = new Set<number | string>();
    const seen: unknown[] = [];
    const noting: ProcessGuard = {
      hold: (target) => void (held.add(target), seen.push(typeof target)),
      release: (target) => void held.delete(target),
      close() {},
    };
    const running = await start("/bin/sh", ["-c", "echo $TOOLRACK_PROCESS"], { guard: noting, mark: "some-mark" });
    expect(seen).toEqual(["string", "number"]);
    expect([...held]).toEqual(["some-mark", -running.pid]);
    expect(await outputOf(running)).toBe("some-mark\n");
    expect([...held]).toEqual([]);
    await expect(start("toolrack-no-such-program", [], { guard: noting, mark: "other-mark" })).rejects.toThrow(ProcessFault);
    expect([...held]).toEqual([]);
  });
});

describe("a process guard", () => {
  it("that ends when idle leaves no process behind, and holds again afterwards", async () => {
    const idle = createProcessGuard({ endsWhenIdle: true });
    for (let round = 0; round < 2; round++) {
      const sleeper = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
      idle.hold(-sleeper.pid!);
      idle.release(-sleeper.pid!);
      idle.release(-sleeper.pid!);
      idle.hold(-sleeper.pid!);
      idle.close();
      await once(sleeper, "exit");
      expect(sleeper.signalCode).toBe("SIGKILL");
    }
  });
});

describe("what ends with this process", () => {
  it("leaves no listener behind when it is taken back", () => {
    const before = process.listenerCount("exit");
    const forgets = [endAtExit(() => {}), endAtExit(() => {})];
    expect(process.listenerCount("exit")).toBe(before + 1);
    for (const forget of [...forgets, ...forgets]) forget();
    expect(process.listenerCount("exit")).toBe(before);
  });
});

describe("variables of this process", () => {
  it("are passed on by name, without those that are not set", () => {
    expect(variablesOf(["PATH", "TOOLRACK_NOT_SET"])).toEqual({ PATH: process.env["PATH"] });
  });
});
