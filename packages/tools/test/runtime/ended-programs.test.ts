import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { isolatedFamily } from "../../src/operations/process-family.ts";
import { createProcessGuard, markVariable } from "@toolrack/core/internal/programs";

/** The first process of a namespace leaves the leader's group before it asks to end with the leader: in between, only its own number ends it. */
describe("a program whose first process has left the group of its leader", () => {
  it("is ended as a whole", async () => {
    const [leader, first] = [sleeper(), sleeper()];
    const family = isolatedFamily(leader.pid!, first.pid);
    family.end();
    await expect(Promise.all([signalOf(leader), signalOf(first)])).resolves.toEqual(["SIGKILL", "SIGKILL"]);
    await family.gone();
  });

  it("is ended as a whole when the process that started it is gone", async () => {
    const [mark, released] = [randomUUID(), randomUUID()];
    const [leader, first] = [sleeper(), sleeper(mark)];
    const others = [sleeper(), sleeper(released)];
    const guard = createProcessGuard();
    for (const target of [-others[0]!.pid!, released, -leader.pid!, mark]) guard.hold(target);
    for (const target of [-others[0]!.pid!, released]) guard.release(target);
    guard.close();
    await expect(Promise.all([signalOf(leader), signalOf(first)])).resolves.toEqual(["SIGKILL", "SIGKILL"]);
    expect(others.map(({ signalCode }) => signalCode)).toEqual([null, null]);
  });

  const started: ChildProcess[] = [];

  afterEach(() => started.splice(0).forEach((child) => child.kill("SIGKILL")));

  function sleeper(mark?: string): ChildProcess {
    const child = spawn("sleep", ["600"], { detached: true, stdio: "ignore", env: mark === undefined ? {} : { [markVariable]: mark } });
    started.push(child);
    return child;
  }

  async function signalOf(child: ChildProcess): Promise<NodeJS.Signals | null> {
    if (child.signalCode === null) await once(child, "exit");
    return child.signalCode;
  }
});
