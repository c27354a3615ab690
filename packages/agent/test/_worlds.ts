import { createAgent, createMemorySessions, type Agent, type Message, type SessionStore, type Settle } from "@toolrack/agent";
import { scriptedModel, type ScriptedParts } from "@toolrack/agent/testing";
import { createRegistry, defineTool, type Registry, type ToolResult } from "@toolrack/core";
import { createFakeClock, type FakeClock } from "@toolrack/core/testing";

/** What outlives a process: the sessions, the log of calls, and what the calls did. */
export interface World {
  readonly clock: FakeClock;
  readonly sessions: SessionStore;
  /** How often each call did its work, by its id. */
  readonly effects: ReadonlyMap<string, number>;
  /** A new process, which is killed at a step; the number of a step that is never reached lets it live. */
  start(killAt?: number, when?: "before" | "after"): Process;
}

export interface Process {
  readonly agent: Agent;
  readonly registry: Registry;
  /** How many steps it took. */
  readonly steps: number;
  /** The same process, after whatever held up its writes is gone. */
  revive(): void;
}

/** Every write of a session and every side of an effect is a step at which a process can be killed; then nothing of it has an effect any more. */
export function createWorld({ hasLog = true }: { readonly hasLog?: boolean } = {}): World {
  const clock = createFakeClock();
  const sessions = createMemorySessions({ clock });
  const effects = new Map<string, number>();
  const log = new Map<string, ToolResult | "begun">();
  const settle: Settle = async (callId) => {
    const entry = log.get(callId);
    return entry === "begun" ? "unknown" : (entry ?? "again");
  };

  function start(killAt = Infinity, when: "before" | "after" = "before"): Process {
    let steps = 0;
    let isDead = false;
    async function step<Value>(work: () => Value | Promise<Value>): Promise<Value> {
      if (isDead) throw new Error("This process was killed.");
      steps += 1;
      isDead = steps === killAt;
      if (isDead && when === "before") throw new Error("This process was killed.");
      const value = await work();
      if (isDead) throw new Error("This process was killed.");
      return value;
    }
    const store: SessionStore = {
      ...sessions,
      append: (...given) => step(() => sessions.append(...given)),
      update: (...given) => step(() => sessions.update(...given)),
      takeInbox: (...given) => step(() => sessions.takeInbox(...given)),
      acquire: (...given) => step(() => sessions.acquire(...given)),
      release: (...given) => step(() => sessions.release(...given)),
    };
    const registry = createRegistry();
    const act = (name: string, annotations: { readonly readOnly?: boolean } = {}): void =>
      void registry.register(
        defineTool({
          name,
          description: `Does ${name}.`,
          inputSchema: { type: "object" },
          metadata: { annotations },
          async handler(_, { callId }) {
            await step(() => log.set(callId, "begun"));
            await step(() => effects.set(callId, (effects.get(callId) ?? 0) + 1));
            await step(() => log.set(callId, { ok: true, content: `${name} done`, meta: { callId, tool: name, durationMs: 0 } }));
            return `${name} done`;
          },
        }),
      );
    act("write");
    act("read", { readOnly: true });
    const model = scriptedModel(
      Array.from(
        { length: 20 },
        () =>
          ({ messages }: { messages: readonly Message[] }) =>
            reply(messages),
      ),
    );
    const agent = createAgent({ name: "worker", instructions: "", model, registry, sessions: store, clock, ...(hasLog && { settle }) });
    return {
      agent,
      registry,
      get steps() {
        return steps;
      },
      revive() {
        isDead = false;
        steps = -Infinity;
      },
    };
  }
  return { clock, sessions, effects, start };
}

/** Two replies with calls, then an answer; what comes next follows from the conversation. */
function reply(messages: readonly Message[]): string | ScriptedParts {
  const said = messages.filter(({ role }) => role === "assistant").length;
  if (said === 0) return { calls: [{ name: "write" }, { name: "read" }, { name: "write" }] };
  return said === 1 ? { calls: [{ name: "read" }, { name: "read" }] } : "All done.";
}
