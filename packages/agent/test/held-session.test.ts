import { createMemorySessions } from "@toolrack/agent";
import { createFakeClock } from "@toolrack/core/testing";
import { turns } from "@toolrack/testkit/turns";
import { describe, expect, it } from "vitest";
import { scripted } from "./_agents.ts";

const never = new Promise<string>(() => undefined);

describe("the session of a run", () => {
  it("stays with it for as long as it runs: nobody else gets it after the time of a lease", async () => {
    const clock = createFakeClock();
    const sessions = createMemorySessions({ clock });
    let answer!: (text: string) => void;
    const answered = new Promise<string>((resolve) => (answer = resolve));
    const run = scripted([() => answered], [], { clock, sessions }).agent.run("x", { session: "main" });
    for (let step = 0; step < 12; step++) await clock.advance(10_000);
    const other = await scripted(["mine"], [], { clock, sessions }).agent.run("y", { session: "main" });
    expect(other).toMatchObject({ status: "failed", code: "busy" });
    answer("At last.");
    expect(await run).toMatchObject({ status: "done", text: "At last." });
  });

  it("is left as soon as it is known that another has it, whatever the model does", async () => {
    const clock = createFakeClock();
    const sessions = createMemorySessions({ clock });
    const lost = { ...sessions, renew: async () => false };
    const run = scripted([() => never], [], { clock, sessions: lost }).agent.run("x", { session: "main" });
    await turns();
    await clock.advance(10_000);
    expect(await run).toMatchObject({ status: "failed", code: "session", reason: "Another runner has taken over the session." });
  });

  it("is not written to after a message that the run has not read", async () => {
    const sessions = createMemorySessions();
    const { id } = await sessions.create({ key: "agent:helper:main", agent: "helper", kind: "main" });
    const helper = scripted(
      [
        async () => {
          await sessions.append(id, [{ role: "user", content: "Stop.", from: { kind: "person" } }], { after: 1 });
          return "Done.";
        },
      ],
      [],
      { sessions },
    );
    expect(await helper.agent.run("x", { session: "main" })).toMatchObject({
      status: "failed",
      code: "session",
      reason: expect.stringContaining("has 2 messages, not 1"),
    });
    expect((await sessions.messages(id)).map(({ message }) => message.role)).toEqual(["user", "user"]);
  });

  it("is read whole, however long it is", async () => {
    const sessions = createMemorySessions();
    const { id } = await sessions.create({ key: "agent:helper:main", agent: "helper", kind: "main" });
    const messages = Array.from({ length: 2_500 }, (_, index) => ({
      role: "user" as const,
      content: String(index),
      from: { kind: "person" as const },
    }));
    await sessions.append(id, messages, { after: 0 });
    const helper = scripted(["Long."], [], { sessions });
    expect(await helper.agent.run("x", { session: "main" })).toMatchObject({ status: "done", text: "Long." });
    expect(helper.model.requests[0]?.messages.length).toBe(2_501);
  });
});
