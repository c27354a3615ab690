import assert from "node:assert/strict";
import type { SessionMessage } from "../../sessions/host.ts";
import { ask, createGate, eventually, type SessionsCheck } from "./harness.ts";

const meta = { callId: "c1", tool: "read", durationMs: 1 };

export function messageChecks(): readonly SessionsCheck[] {
  const slow = createGate();
  return [
    {
      name: "sessions_history keeps the newest messages that fit into 80 KiB, each text cut at 4,000 characters",
      async run(sessions) {
        const { caller, key, id } = await sessions.create({ agent: "main" });
        const messages = Array.from({ length: 30 }, (_, number): SessionMessage => ({
          role: "user",
          content: `${number} ${"ä".repeat(5_000)}`,
          from: { kind: "person" },
        }));
        await sessions.fill(key, messages);
        const whole = await ask(sessions, "sessions_history", { sessionKey: id }, caller);
        assert.equal(whole["sessionKey"], key);
        assert.ok(whole["bytes"] <= 80 * 1024);
        assert.ok(Buffer.byteLength(JSON.stringify(whole["messages"])) <= 80 * 1024 + 2);
        assert.deepEqual([whole["truncated"], whole["contentTruncated"], whole["contentRedacted"]], [true, true, false]);
        assert.equal(whole["droppedMessages"] + whole["messages"].length, 30);
        assert.ok(whole["messages"].at(-1).text.startsWith("29 ä"));
        for (const { text } of whole["messages"]) assert.equal(text.length, 4_000);
        const page = await ask(sessions, "sessions_history", { sessionKey: key, limit: 2, offset: 3 }, caller);
        assert.deepEqual(
          page["messages"].map(({ seq }: { seq: number }) => seq),
          [26, 27],
        );
        assert.deepEqual([page["truncated"], page["droppedMessages"]], [true, 0]);
      },
    },
    {
      name: "sessions_history shows calls and results of tools only if they are asked for",
      async run(sessions) {
        const { caller, key } = await sessions.create({ agent: "main" });
        await sessions.fill(key, [
          { role: "user", content: "Read it.", from: { kind: "person" } },
          { role: "assistant", content: "I look.", calls: [{ name: "read", input: { path: "a.txt" } }] },
          { role: "tool", results: [{ ok: true, content: "Tea is late.", meta }] },
          { role: "assistant", content: "Tea is late.", calls: [] },
        ]);
        const roles = async (includeTools: boolean) =>
          (await ask(sessions, "sessions_history", { sessionKey: key, includeTools }, caller))["messages"];
        assert.deepEqual(
          (await roles(false)).map((message: { role: string }) => message.role),
          ["user", "assistant", "assistant"],
        );
        const all = await roles(true);
        assert.deepEqual(all[1].calls, [{ tool: "read", input: '{"path":"a.txt"}' }]);
        assert.deepEqual([all[2].role, all[2].text], ["tool", "Tea is late."]);
        assert.deepEqual(all[0].from, { kind: "person" });
      },
    },
    {
      name: "sessions_send waits for the answer of a session, named by key, id or label",
      settings: { sight: "agent", reply: (text) => `answer to ${text}` },
      async run(sessions) {
        const { caller } = await sessions.create({ agent: "main" });
        const target = await sessions.create({ agent: "main", key: "agent:main:desk", label: "desk" });
        for (const [number, name] of [
          { sessionKey: target.key },
          { sessionKey: target.id },
          { label: "desk" },
          { label: "desk", agentId: "main" },
        ].entries()) {
          const answer = await ask(sessions, "sessions_send", { ...name, message: `question ${number}` }, caller);
          assert.deepEqual([answer["status"], answer["reply"], answer["sessionKey"]], ["ok", `answer to question ${number}`, target.key]);
          assert.equal(typeof answer["runId"], "string");
        }
      },
    },
    {
      name: "sessions_send does not send to the own session, to one that is named twice or not at all, and to a label that two have",
      settings: { sight: "agent" },
      async run(sessions) {
        const { caller, key, id } = await sessions.create({ agent: "main" });
        await sessions.create({ agent: "main", key: "agent:main:one", label: "twin" });
        await sessions.create({ agent: "main", key: "agent:main:two", label: "twin" });
        const send = (input: object) => ask(sessions, "sessions_send", { message: "hi", ...input }, caller);
        for (const own of [key, id]) assert.equal((await send({ sessionKey: own }))["status"], "forbidden");
        for (const input of [
          {},
          { sessionKey: key, label: "twin" },
          { label: "twin" },
          { label: "nobody" },
          { sessionKey: "agent:main:nobody" },
        ])
          assert.equal((await send(input))["status"], "error");
        assert.match((await send({ label: "twin" }))["error"], /agent:main:(one|two)/);
      },
    },
    {
      name: "a timeout of sessions_send ends only the wait, and 0 does not wait at all",
      settings: { sight: "agent", reply: slow.reply },
      async run(sessions) {
        const { caller } = await sessions.create({ agent: "main" });
        const { key } = await sessions.create({ agent: "main", key: "agent:main:slow" });
        const send = (message: string, timeoutSeconds: number) =>
          ask(sessions, "sessions_send", { sessionKey: key, message, timeoutSeconds }, caller);
        assert.equal((await send("wait a", 1))["status"], "timeout");
        assert.equal((await send("wait b", 0))["status"], "accepted");
        slow.open();
        const texts = await eventually(
          async () =>
            (await ask(sessions, "sessions_history", { sessionKey: key }, caller))["messages"]
              .filter(({ role }: { role: string }) => role === "user")
              .map(({ text }: { text: string }) => text),
          (found) => found.length === 2,
        );
        assert.deepEqual(texts, ["wait a", "wait b"]);
      },
    },
    {
      name: "sessions_send tells that the other session failed",
      settings: {
        sight: "agent",
        reply: () => {
          throw new Error("The model is away.");
        },
      },
      async run(sessions) {
        const { caller } = await sessions.create({ agent: "main" });
        const { key } = await sessions.create({ agent: "main", key: "agent:main:broken" });
        const answer = await ask(sessions, "sessions_send", { sessionKey: key, message: "hi" }, caller);
        assert.equal(answer["status"], "error");
        assert.match(answer["error"], /The model is away/);
      },
    },
  ];
}
