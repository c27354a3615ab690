import type { CommandInput } from "./command.ts";

/** Whether a change may be made: --yes says so, or the person at the terminal. Where nobody can answer, it may not. */
export async function mayGoOn({ options, terminal }: Pick<CommandInput, "options" | "terminal">, question: string): Promise<boolean> {
  if (options["yes"] === true) return true;
  if (terminal.isJson || terminal.input.isTTY !== true || terminal.output.isTTY !== true) return false;
  const { confirm } = await import("@clack/prompts");
  return (await confirm({ message: question })) === true;
}
