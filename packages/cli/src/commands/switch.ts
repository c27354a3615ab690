import type { Command } from "./command.ts";

const toolArgument = { form: "<tool>", description: "its name" } as const;

export const disable: Command = {
  name: "disable",
  summary: "Switch a tool off, on every server, while conversations run.",
  arguments: [toolArgument],
  options: [{ flags: "--reason <text>", description: "told to whoever calls it" }],
  async run({ arguments: [name = ""], options, terminal, connect }) {
    const connection = await connect();
    const { reason } = options;
    const tool = await connection.ask("POST /tools/{name}/disable", {
      params: { name },
      body: typeof reason === "string" ? { reason } : {},
    });
    terminal.answer(tool, () => `${name} is switched off.`);
  },
};

export const enable: Command = {
  name: "enable",
  summary: "Switch a tool on again.",
  arguments: [toolArgument],
  async run({ arguments: [name = ""], terminal, connect }) {
    const connection = await connect();
    const tool = await connection.ask("POST /tools/{name}/enable", { params: { name } });
    terminal.answer(tool, () => `${name} is switched on.`);
  },
};
