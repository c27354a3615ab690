import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { ToolError } from "@toolrack/core";
import { diffLocks, type LockChange, lockText, readLock, type ToolLock } from "@toolrack/core/trust";
import { CommandError, type ExitReason } from "../errors.ts";
import { counted } from "../print/counted.ts";
import { safe } from "../print/safe.ts";
import type { CommandInput } from "./command.ts";

export async function writeOrCheckLock({ options, folder, terminal, connect }: CommandInput): Promise<ExitReason> {
  const file = path.resolve(folder, typeof options["file"] === "string" ? options["file"] : "toolrack.lock");
  const connection = await connect();
  const { lock: now, missing } = await connection.ask("GET /lock", { query: options["all"] === true ? { all: true } : {} });
  if (missing.length > 0)
    throw new CommandError(
      "failed",
      `The tools of some sources are not known, so nothing was written or compared: ${missing.map(({ id, state, error }) => safe(`${id} (${error ?? state})`)).join(", ")}.`,
    );
  /** Prompts, resources and instructions are among them. */
  const tools = Object.values(now.sources).reduce((sum, source) => sum + Object.keys(source.tools).length, 0);
  if (options["check"] !== true) {
    await writeFile(file, lockText(now));
    terminal.answer(
      { file, tools },
      () => `${safe(path.basename(file))} has ${counted(tools, "definition")} of ${counted(Object.keys(now.sources).length, "source")}.`,
    );
    return "ok";
  }
  const changes = diffLocks(await readFrom(file), now);
  terminal.answer({ ok: changes.length === 0, changes }, () =>
    changes.length === 0
      ? terminal.style.good(`${counted(tools, "definition")} ${tools === 1 ? "is" : "are"} as ${safe(path.basename(file))} has them.`)
      : [
          terminal.style.bad(`The definitions are not as ${safe(path.basename(file))} has them:`),
          ...changes.flatMap(linesOf),
          "Look at what changed, then write the file anew: toolrack lock",
        ].join("\n"),
  );
  return changes.length === 0 ? "ok" : "failed";
}

async function readFrom(file: string): Promise<ToolLock> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(
      "usage",
      `${safe(path.basename(file))} cannot be read: ${error.code ?? error.message}. Write it with: toolrack lock`,
    );
  });
  try {
    return readLock(text);
  } catch (error) {
    throw ToolError.is(error) ? new CommandError("usage", safe(error.message)) : error;
  }
}

const signs: Readonly<Record<LockChange["what"], string>> = {
  "source-added": "+ source",
  "source-removed": "- source",
  "source-changed": "~ source",
  "tool-added": "+",
  "tool-removed": "-",
  "tool-changed": "~",
};

function linesOf({ source, tool, what, verdict, changes }: LockChange): readonly string[] {
  const name = tool === undefined ? source : `${source}/${tool}`;
  return [
    `${signs[what]} ${safe(name)}${what === "tool-changed" ? ` (${verdict})` : ""}`,
    ...changes.map(({ path: at, kind, message }) => `    ${kind} ${safe(at)}: ${safe(message)}`),
  ];
}
