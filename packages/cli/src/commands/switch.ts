import type { Command, CommandInput } from "./command.ts";

const toolArgument = { form: "<tool>", description: "name of the tool" } as const;

export const disable: Command = {
  name: "disable",
  summary: "Disable a tool on every server, without a restart.",
  arguments: [toolArgument],
  options: [{ flags: "--reason <text>", description: "shown to callers of the tool" }],
  examples: ['toolrack disable book_table --reason "being repaired"'],
  async run({ arguments: [name], options, terminal, connect }: CommandInput<[name: string]>) {
    const connection = await connect();
    const { reason } = options;
    const tool = await connection.ask("POST /tools/{name}/disable", {
      params: { name },
      body: typeof reason === "string" ? { reason } : {},
    });
    terminal.answer(tool, () => `${name} is disabled.`);
  },
};

export const enable: Command = {
  name: "enable",
  summary: "Enable a disabled tool.",
  arguments: [toolArgument],
  examples: ["toolrack enable book_table"],
  async run({ arguments: [name], terminal, connect }: CommandInput<[name: string]>) {
    const connection = await connect();
    const tool = await connection.ask("POST /tools/{name}/enable", { params: { name } });
    terminal.answer(tool, () => `${name} is enabled.`);
  },
};
