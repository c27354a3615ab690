import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { isolatedFamily } from "../../src/operations/process-family.ts";
import { createProcessGuard } from "@toolrack/core/internal/programs";

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
    const [released, leader, first] = [sleeper(), sleeper(), sleeper()];
    const guard = createProcessGuard();
    for (const target of [-released.pid!, -leader.pid!, first.pid!]) guard.hold(target);
    guard.release(-released.pid!);
    guard.close();
    await expect(Promise.all([signalOf(leader), signalOf(first)])).resolves.toEqual(["SIGKILL", "SIGKILL"]);
    expect(released.signalCode).toBeNull();
  });

  const started: ChildProcess[] = [];

  afterEach(() => started.splice(0).forEach((child) => child.kill("SIGKILL")));

  function sleeper(): ChildProcess {
    const child = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
    started.push(child);
    return child;
  }

  async function signalOf(child: ChildProcess): Promise<NodeJS.Signals | null> {
    if (child.signalCode === null) await once(child, "exit");
    return child.signalCode;
  }
});
