import { afterThisTest } from "@toolrack/testkit/cleanup";
import { expect, it } from "vitest";
import { createSessionStore } from "../../src/sessions/create-session-store.ts";
import { toMessageRecord, toSessionRecord } from "../../src/sessions/to-records.ts";
import { createMemoryStore } from "../../src/store/memory.ts";

it("sessions and messages are shown as records that a store would take", async () => {
  const store = createMemoryStore();
  afterThisTest(() => store.close());
  const sessions = createSessionStore(store);
  const parent = await sessions.create({ key: "agent:a:main", agent: "a", kind: "main", label: "Talk", state: { left: 1 } });
  const child = await sessions.create({ key: "agent:a:subagent:1", agent: "a", kind: "subagent", parent: parent.id });
  // A message cannot say whose it is, or when it came.
  const forged = { role: "user", content: "hello", session: "other", seq: 9, timestamp: "never" };
  await sessions.append(parent.id, [forged], { after: 0 });
  const ended = await sessions.end(child.id, { text: "found", status: "done" });

  const record = toSessionRecord((await sessions.get(parent.id))!);
  expect(record).toMatchObject({
    schema_name: "agent.session.v1",
    title: "Talk",
    context: { session: parent.id, key: "agent:a:main", agent: "a", kind: "main", status: "idle", messages: 1, inbox: 1, depth: 0 },
  });
  expect(toSessionRecord(ended)).toMatchObject({
    title: "agent:a:subagent:1",
    tags: ["agent:session", "status:ended"],
    context: { parent: parent.id, result: { text: "found", status: "done" }, ended_at: new Date(ended.endedAt!).toISOString() },
  });
  const [stored] = await sessions.messages(parent.id);
  const message = toMessageRecord(stored!);
  expect(message).toMatchObject({
    schema_name: "agent.message.v1",
    context: { role: "user", content: "hello", session: parent.id, seq: 1, timestamp: new Date(stored!.at).toISOString() },
  });
  for (const draft of [record, toSessionRecord(ended), message]) expect(await store.put(draft)).toMatchObject({ ok: true });
});
