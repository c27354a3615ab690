import { path } from "../connection/connection.ts";
import { recordIdOf } from "./_definition.ts";
import type { Command } from "./command.ts";

export const restore: Command = {
  name: "restore",
  summary: "Make an old revision of a stored tool or record the newest one.",
  usesTools: false,
  arguments: [
    { form: "<name>", description: "a tool, or the id of a record" },
    { form: "<version>", description: "the revision to bring back" },
  ],
  async run({ arguments: [name = "", version = ""], terminal, connect }) {
    const connection = await connect();
    const record = (await connection.ask("POST", path`/breadcrumbs/${recordIdOf(name)}/restore`, {
      body: { version: Number(version) },
    })) as {
      readonly version: number;
    };
    terminal.answer(record, () => `${name} is as it was in version ${version}; that is version ${record.version} now.`);
  },
};
