import { createRegistry } from "@toolrack/core";
import { createMemorySessionsHost, createSessionsTools, type MemorySessionsOptions } from "../../src/index.ts";
import type { OpenedSessions, SessionsSettings } from "../../src/testing/testing.ts";

/** Sessions in memory, with the seven tools in a registry. */
export function openMemorySessions(
  settings: SessionsSettings & Partial<Pick<MemorySessionsOptions, "run" | "clock" | "models" | "maxRunning">>,
): OpenedSessions & { readonly registry: ReturnType<typeof createRegistry> } {
  const registry = createRegistry();
  const { reply = (text: string) => text } = settings;
  const sessions = createMemorySessionsHost({
    toolsOf: (caller) => registry.view(caller).tools,
    run: (run) => reply(run.messages().at(-1)!.message.content!, run.signal),
    ...settings,
  });
  for (const tool of createSessionsTools({ open: sessions.open, ...(settings.clock && { now: () => settings.clock!.now() }) }))
    registry.register(tool);
  return {
    registry,
    create: async (session) => sessions.create(session),
    fill: async (key, messages) => sessions.restore(key, messages),
    call: (tool, input, caller) => registry.invoke(tool, input, { caller }),
    close: async () => sessions.close(),
  };
}
