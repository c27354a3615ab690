import { afterThisTest } from "@toolrack/testkit/cleanup";
import { expect, it, vi } from "vitest";
import { watchLimits } from "../../src/operations/program-limits.ts";

const list = vi.hoisted(() => ({ fails: 0 }));
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  const readdirSync = (folder: string): string[] => {
    if (list.fails-- > 0) throw Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" });
    return fs.readdirSync(folder);
  };
  return { ...fs, readdirSync };
});

it("limits are looked at again where this process had no descriptor left for a look", () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  afterThisTest(() => void vi.useRealTimers());
  list.fails = 1;
  const onExceeded = vi.fn();
  // This process is a child of it.
  afterThisTest(watchLimits(() => process.ppid, { maxProcesses: 1 }, onExceeded));
  vi.advanceTimersByTime(250);
  expect(onExceeded).not.toHaveBeenCalled();
  vi.advanceTimersByTime(250);
  expect(onExceeded.mock.calls).toEqual([["it had more than 1 processes (maxProcesses)"]]);
});
