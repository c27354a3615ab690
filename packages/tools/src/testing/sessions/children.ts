import assert from "node:assert/strict";
import type { Caller } from "@toolrack/core";
import { type Answer, ask, createGate, eventually, type OpenedSessions, refusalOf, type SessionsCheck } from "./harness.ts";

export function childChecks(): readonly SessionsCheck[] {
  const [steered, killed, targets, limits, timed] = [createGate(), createGate(), createGate(), createGate(), createGate()];
  return [
    {
      name: "sessions_spawn returns at once, and the result of the child is a message from it to its parent",
      settings: { reply: (text) => (text === "Count." ? "Three." : "I see.") },
      async run(sessions) {
        const { caller, key } = await sessions.create({ agent: "main" });
        const started = await ask(sessions, "sessions_spawn", { task: "Count.", label: "counter" }, caller);
        assert.equal(started["status"], "accepted");
        assert.equal(typeof started["runId"], "string");
        const child = started["childSessionKey"];
        const message = await eventually(
          async () => (await historyOf(sessions, key, caller)).find(({ from }) => from?.id === child),
          (found) => found !== undefined,
        );
        assert.deepEqual([message!["role"], message!["from"]], ["user", { kind: "session", id: child }]);
        assert.match(message!["text"], /"counter".*done[\s\S]*Three\./);
        const [task, answer] = await historyOf(sessions, child, caller);
        assert.deepEqual([task!["text"], task!["from"]], ["Count.", { kind: "session", id: key }]);
        assert.equal(answer!["text"], "Three.");
        const { active, recent } = await ask(sessions, "subagents", {}, caller);
        assert.deepEqual(
          [active, recent.map((run: Answer) => [run["id"], run["label"], run["status"]])],
          [[], [[started["runId"], "counter", "done"]]],
        );
      },
    },
    {
      name: "a child that fails is told to its parent as failed",
      settings: {
        reply: (text) => {
          if (text === "Break.") throw new Error("It broke.");
          return "I see.";
        },
      },
      async run(sessions) {
        const { caller, key } = await sessions.create({ agent: "main" });
        const { childSessionKey } = await ask(sessions, "sessions_spawn", { task: "Break." }, caller);
        const message = await eventually(
          async () => (await historyOf(sessions, key, caller)).find(({ from }) => from?.id === childSessionKey),
          (found) => found !== undefined,
        );
        assert.match(message!["text"], /failed[\s\S]*It broke\./);
      },
    },
    {
      name: "a child of mode run ends with its answer, one of mode session takes messages, and cleanup delete leaves none behind",
      async run(sessions) {
        const { caller } = await sessions.create({ agent: "main" });
        const spawn = async (input: object): Promise<string> => {
          const { childSessionKey, runId } = await ask(sessions, "sessions_spawn", { task: "Begin.", ...input }, caller);
          await eventually(
            () => ask(sessions, "subagents", {}, caller),
            ({ recent }) => recent.some(({ id }: Answer) => id === runId),
          );
          return childSessionKey;
        };
        const send = async (sessionKey: string): Promise<unknown> =>
          (await ask(sessions, "sessions_send", { sessionKey, message: "More." }, caller))["status"];
        assert.equal(await send(await spawn({})), "error");
        assert.equal(await send(await spawn({ mode: "session" })), "ok");
        const gone = await spawn({ cleanup: "delete" });
        assert.match(await refusalOf(sessions, "sessions_history", { sessionKey: gone }, caller), /There is no session/);
      },
    },
    {
      name: "a child whose time is over is ended, and its parent is told",
      settings: { reply: timed.reply },
      async run(sessions) {
        const { caller, key } = await sessions.create({ agent: "main" });
        const { childSessionKey } = await ask(sessions, "sessions_spawn", { task: "wait", runTimeoutSeconds: 1 }, caller);
        const message = await eventually(
          async () => (await historyOf(sessions, key, caller)).find(({ from }) => from?.id === childSessionKey),
          (found) => found !== undefined,
        );
        assert.match(message!["text"], /timeout/);
        assert.equal((await ask(sessions, "subagents", {}, caller))["recent"][0].status, "timeout");
      },
    },
    {
      name: "AH14: a session has five running children at most, none spawns further, and each refusal says why",
      settings: { reply: limits.reply },
      async run(sessions) {
        const { caller } = await sessions.create({ agent: "main" });
        const spawn = (who: Caller): Promise<Answer> => ask(sessions, "sessions_spawn", { task: "wait" }, who);
        // At once, so that a limit which is looked at too early does not hold.
        const answers = await Promise.all(Array.from({ length: 12 }, () => spawn(caller)));
        const accepted = answers.filter(({ status }) => status === "accepted");
        assert.equal(accepted.length, 5);
        for (const { status, error } of answers.filter((answer) => !accepted.includes(answer))) {
          assert.equal(status, "forbidden");
          assert.match(error, /5 running children/);
        }
        assert.equal((await ask(sessions, "session_status", {}, caller))["runningChildren"], 5);
        const child = { ...caller, session: accepted[0]!["childSessionKey"], subagentDepth: 1, owner: false };
        const refused = await spawn(child);
        assert.equal(refused["status"], "forbidden");
        assert.match(refused["error"], /depth 1/);
        limits.open();
        await eventually(
          () => ask(sessions, "subagents", {}, caller),
          ({ active }) => active.length === 0,
        );
        assert.equal((await spawn(caller))["status"], "accepted");
      },
    },
    {
      name: "sessions_spawn refuses agents that are not allowed, and tools that the parent does not have",
      settings: { agents: { main: { allowAgents: ["helper"] }, helper: {}, other: {} } },
      async run(sessions) {
        const { caller } = await sessions.create({ agent: "main" });
        const spawn = (input: object): Promise<Answer> => ask(sessions, "sessions_spawn", { task: "Go.", ...input }, caller);
        for (const agentId of ["other", "nobody", "__proto__"]) {
          const { status, error } = await spawn({ agentId });
          assert.equal(status, "forbidden");
          assert.match(error, new RegExp(agentId));
        }
        const { status, error } = await spawn({ tools: ["session_status", "launch_rockets"] });
        assert.equal(status, "forbidden");
        assert.match(error, /launch_rockets/);
        const { childSessionKey } = await spawn({ agentId: "helper", tools: ["session_*"] });
        assert.match(childSessionKey, /^agent:helper:subagent:/);
      },
    },
    {
      name: "subagents steers a running child, once in two seconds, and never the own session",
      settings: { reply: steered.reply },
      async run(sessions) {
        const { caller, key } = await sessions.create({ agent: "main" });
        const { childSessionKey, runId } = await ask(sessions, "sessions_spawn", { task: "wait", label: "worker" }, caller);
        const steer = (target: string) => sessions.call("subagents", { action: "steer", target, message: "Look at tea." }, caller);
        const both = await Promise.all([steer("worker"), steer("last")]);
        assert.deepEqual(both.map(({ ok }) => ok).sort(), [false, true]);
        assert.deepEqual(
          both.find(({ ok }) => ok),
          { ...both.find(({ ok }) => ok), data: { steered: runId } },
        );
        assert.match(await refusalOf(sessions, "subagents", { action: "steer", target: "1", message: "Now." }, caller), /a moment ago/);
        for (const [target, why] of [
          [key, /itself/],
          ["all", /one child/],
          ["nobody", /None of your children/],
        ] as const)
          assert.match(await refusalOf(sessions, "subagents", { action: "steer", target, message: "Now." }, caller), why);
        assert.match(await refusalOf(sessions, "subagents", { action: "steer", target: "1" }, caller), /message/);
        steered.open();
        const told = await eventually(
          async () => (await historyOf(sessions, childSessionKey, caller)).filter(({ text }) => text === "Look at tea."),
          (found) => found.length > 0,
        );
        assert.deepEqual(told[0]!["from"], { kind: "session", id: key });
      },
    },
    {
      name: "subagents names children by id, label, index and last, and lists those that ended",
      settings: { reply: targets.reply },
      async run(sessions) {
        const { caller } = await sessions.create({ agent: "main" });
        for (const label of ["a", "b", "c", "d"]) await ask(sessions, "sessions_spawn", { task: "wait", label }, caller);
        const list = () => ask(sessions, "subagents", { action: "list" }, caller);
        const rows = (await list())["active"];
        assert.deepEqual(
          rows.map(({ index, label }: Answer) => [index, label]),
          [
            [1, "d"],
            [2, "c"],
            [3, "b"],
            [4, "a"],
          ],
        );
        const kill = (target: string) => ask(sessions, "subagents", { action: "kill", target }, caller);
        assert.deepEqual(await kill("a"), { cancelled: [rows[3].id] });
        assert.deepEqual(await kill(rows[2].id), { cancelled: [rows[2].id] });
        assert.deepEqual(await kill("2"), { cancelled: [rows[1].id] });
        assert.deepEqual(await kill("last"), { cancelled: [rows[0].id] });
        assert.deepEqual(await kill("all"), { cancelled: [] });
        const { active, recent } = await list();
        assert.deepEqual([active, recent.map(({ status }: Answer) => status)], [[], Array(4).fill("cancelled")]);
      },
    },
    {
      name: "a child that is ended takes what it spawned with it",
      settings: { reply: killed.reply, maxSpawnDepth: 2 },
      async run(sessions) {
        const { caller } = await sessions.create({ agent: "main" });
        const { childSessionKey } = await ask(sessions, "sessions_spawn", { task: "wait", label: "child" }, caller);
        const child = { ...caller, session: childSessionKey, subagentDepth: 1, owner: false };
        await ask(sessions, "sessions_spawn", { task: "wait", label: "grandchild" }, child);
        await ask(sessions, "subagents", { action: "cancel", target: "child" }, caller);
        const { active, recent } = await ask(sessions, "subagents", {}, caller);
        assert.deepEqual(
          [active, recent.map(({ label, status }: Answer) => [label, status])],
          [
            [],
            [
              ["grandchild", "cancelled"],
              ["child", "cancelled"],
            ],
          ],
        );
      },
    },
  ];
}

async function historyOf(sessions: OpenedSessions, sessionKey: string, caller: Caller): Promise<readonly Answer[]> {
  return (await ask(sessions, "sessions_history", { sessionKey }, caller))["messages"];
}
