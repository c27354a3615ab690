import assert from "node:assert/strict";
import { ask, refusalOf, type SessionsCheck } from "./harness.ts";

const agents = { main: { name: "Main", model: "small" }, helper: { name: "Helper" }, other: {} };

export const statusChecks = (): readonly SessionsCheck[] => [
  {
    name: "sessions_list has a row for each session in sight, filtered, in pages",
    settings: { sight: "agent" },
    async run(sessions) {
      const { caller, key } = await sessions.create({ agent: "main" });
      await sessions.create({ agent: "main", key: "agent:main:telegram:group:12", label: "family" });
      await sessions.create({ agent: "main", key: "agent:main:cron:nightly" });
      await sessions.create({ agent: "helper" });
      const list = (input: object) => ask(sessions, "sessions_list", input, caller);
      const keys = async (input: object): Promise<string[]> =>
        (await list(input))["sessions"].map((row: { key: string }) => row.key).sort();
      assert.deepEqual(await keys({}), ["agent:main:cron:nightly", key, "agent:main:telegram:group:12"]);
      assert.deepEqual(await keys({ kinds: ["group", "cron"] }), ["agent:main:cron:nightly", "agent:main:telegram:group:12"]);
      assert.deepEqual(await keys({ label: "family" }), ["agent:main:telegram:group:12"]);
      assert.deepEqual(await keys({ search: "NIGHT" }), ["agent:main:cron:nightly"]);
      assert.deepEqual(await keys({ agentId: "helper" }), []);
      assert.deepEqual((await keys({ activeMinutes: 5 })).length, 3);
      const first = await list({ limit: 2 });
      assert.deepEqual([first["count"], first["nextOffset"]], [2, 2]);
      const second = await list({ limit: 2, offset: 2 });
      assert.deepEqual([second["count"], second["nextOffset"]], [1, undefined]);
      const { updatedAt, ...row } = (await list({ label: "family" }))["sessions"][0];
      assert.ok(!Number.isNaN(Date.parse(updatedAt)));
      assert.deepEqual([row.kind, row.agent, row.status, row.tokens], ["group", "main", "idle", 0]);
    },
  },
  {
    name: "sessions_list shows the newest messages of each session, if they are asked for",
    async run(sessions) {
      const { caller, key } = await sessions.create({ agent: "main" });
      await sessions.fill(
        key,
        [1, 2, 3].map((number) => ({ role: "user", content: `message ${number}`, from: { kind: "person" } })),
      );
      const [row] = (await ask(sessions, "sessions_list", { messageLimit: 2 }, caller))["sessions"];
      assert.deepEqual(
        row.messages.map(({ text }: { text: string }) => text),
        ["message 2", "message 3"],
      );
      assert.equal((await ask(sessions, "sessions_list", {}, caller))["sessions"][0].messages, undefined);
    },
  },
  {
    name: "the limits of every parameter are held",
    async run(sessions) {
      const { caller } = await sessions.create({ agent: "main" });
      const wrong: readonly (readonly [string, object])[] = [
        ["sessions_list", { limit: 0 }],
        ["sessions_list", { limit: 201 }],
        ["sessions_list", { messageLimit: 21 }],
        ["sessions_list", { activeMinutes: 0 }],
        ["sessions_list", { kinds: ["mine"] }],
        ["sessions_history", {}],
        ["sessions_send", { sessionKey: "a", message: "" }],
        ["sessions_send", { label: "l".repeat(65), message: "hi" }],
        ["sessions_send", { sessionKey: "a", message: "hi", timeoutSeconds: -1 }],
        ["sessions_spawn", {}],
        ["sessions_spawn", { task: "t", mode: "both" }],
        ["sessions_spawn", { task: "t", gatewayUrl: "http://127.0.0.1" }],
        ["subagents", { action: "steer", target: "last", message: "m".repeat(4_001) }],
        ["subagents", { recentMinutes: 1_441 }],
        ["agents_list", { all: true }],
      ];
      for (const [tool, input] of wrong) assert.match(await refusalOf(sessions, tool, input, caller), /^INPUT_INVALID /);
    },
  },
  {
    name: "session_status shows a card of the own session, and of one in sight by key and id",
    settings: { agents },
    async run(sessions) {
      const { caller, key, id } = await sessions.create({ agent: "main", label: "desk" });
      for (const input of [{}, { sessionKey: key }, { sessionKey: id }]) {
        const card = await ask(sessions, "session_status", input, caller);
        assert.deepEqual(
          [card["sessionKey"], card["model"], card["label"], card["queued"], card["runningChildren"], card["changedModel"]],
          [key, "small", "desk", 0, 0, false],
        );
        assert.match(card["card"], /Model: small\nTokens: 0 in, 0 out/);
        assert.ok(!Number.isNaN(Date.parse(card["time"])));
      }
    },
  },
  {
    name: "session_status changes the model, and back to that of the agent",
    settings: { agents },
    async run(sessions) {
      const { caller } = await sessions.create({ agent: "main" });
      const change = async (model: string): Promise<unknown[]> => {
        const card = await ask(sessions, "session_status", { model }, caller);
        return [card["model"], card["changedModel"]];
      };
      assert.deepEqual(await change("large"), ["large", true]);
      assert.deepEqual(await change("large"), ["large", false]);
      assert.deepEqual(await change("default"), ["small", true]);
    },
  },
  {
    name: "a call that belongs to no session has no card, and neither sends nor spawns",
    async run(sessions) {
      const { key } = await sessions.create({ agent: "main" });
      const outside = { agent: "main" };
      assert.match(await refusalOf(sessions, "session_status", {}, outside), /belongs to no session/);
      for (const [tool, input] of [
        ["sessions_send", { sessionKey: key, message: "hi" }],
        ["sessions_spawn", { task: "t" }],
      ] as const)
        assert.equal((await ask(sessions, tool, input, outside))["status"], "forbidden");
      assert.deepEqual(await ask(sessions, "subagents", {}, outside), { active: [], recent: [] });
    },
  },
  {
    name: "agents_list names the agents that may be spawned, the own first",
    settings: { agents: { ...agents, main: { allowAgents: ["helper", "nobody"] }, boss: { allowAgents: ["*"] } } },
    async run(sessions) {
      const main = await sessions.create({ agent: "main" });
      assert.deepEqual(await ask(sessions, "agents_list", {}, main.caller), {
        requester: "main",
        allowAny: false,
        agents: [
          { id: "main", configured: true },
          { id: "helper", name: "Helper", configured: true },
        ],
      });
      const boss = await sessions.create({ agent: "boss" });
      const all = await ask(sessions, "agents_list", {}, boss.caller);
      assert.deepEqual([all["allowAny"], all["agents"].map(({ id }: { id: string }) => id)], [true, ["boss", "helper", "main", "other"]]);
    },
  },
];
