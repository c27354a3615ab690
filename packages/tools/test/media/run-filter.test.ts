import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { runFilter } from "../../src/media/_run-filter.ts";
import { createFake } from "../fake-programs.ts";

const filter = {
  program: "talk",
  args: [],
  input: new Uint8Array(1),
  maxBytes: 10,
  // Longer than a test takes.
  timeoutMs: 1_000_000,
  signal: new AbortController().signal,
};

describe("a program that says more than may be passed on", () => {
  const tooLarge = { code: "RESULT_TOO_LARGE", message: expect.stringContaining("talk has more than 10 bytes") };

  it("is ended then, and not when its time is over", async () => {
    const { processes, programs } = createFake();
    const running = runFilter(processes, filter);
    await until(() => programs[0]?.events.includes("end input"));
    programs[0]!.say("12345");
    programs[0]!.say("123456");
    await expect(running).rejects.toMatchObject(tooLarge);
    expect(programs[0]!.events).toContain("stop");
  });

  it("is ended also where it says so while it is started", async () => {
    const { processes, programs } = createFake((program) => program.say("12345678901"));
    await expect(runFilter(processes, filter)).rejects.toMatchObject(tooLarge);
    expect(programs[0]!.events).toContain("stop");
  });
});
