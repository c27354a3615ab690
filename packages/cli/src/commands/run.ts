import type { Command, CommandInput } from "./command.ts";

export const run: Command = {
  name: "run",
  summary: "Give an agent something to do, and watch: what it says, which tools it calls, what it asks you.",
  arguments: [
    { form: "<agent>", description: "an agent that the configuration has instructions for" },
    { form: "<input...>", description: "what it is to do; - reads it from standard input" },
  ],
  options: [{ flags: "--session <name>", description: "go on with this session: its id, its key, or a name of your own" }],
  examples: ['toolrack run demo "What can you do?"', 'toolrack run demo "And now?" --session notes'],
  run: async (input: CommandInput<[id: string]>) => (await import("./_run-agent.ts")).runAgent(input),
};
