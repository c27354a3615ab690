import { createMemorySessions } from "@toolrack/agent";
import { sessionStoreContract } from "@toolrack/agent/testing";
import { describe, expect, it } from "vitest";

describe("sessions in memory", () => {
  for (const check of sessionStoreContract((clock) => createMemorySessions({ clock }))) it(check.name, check.run);

  it("refuse a message that an inbox has no room for, and name the limit", async () => {
    const sessions = createMemorySessions();
    const { id } = await sessions.create({ key: "agent:a:main", agent: "a", kind: "main" });
    for (let count = 0; count < 1_000; count++) await sessions.send(id, { content: "x", from: { kind: "person" } });
    await expect(sessions.send(id, { content: "x", from: { kind: "person" } })).rejects.toThrow(/1000 messages wait in the inbox/);
  });

  it("keep what was handed in apart from what the caller changes later", async () => {
    const sessions = createMemorySessions();
    const { id } = await sessions.create({ key: "agent:a:main", agent: "a", kind: "main" });
    const input = { deep: ["kept"] };
    await sessions.append(id, [{ role: "assistant", content: "", calls: [{ id: "1", name: "t", wireName: "t", input }] }], { after: 0 });
    input.deep[0] = "changed";
    expect((await sessions.messages(id))[0]?.message).toMatchObject({ calls: [{ input: { deep: ["kept"] } }] });
  });
});
