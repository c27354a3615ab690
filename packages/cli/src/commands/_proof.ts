import { readFile } from "node:fs/promises";
import path from "node:path";
import type { DefinitionProof, MerkleHead } from "@toolrack/core/trust";
import { checkProof } from "@toolrack/server";
import { CommandError, type ExitReason } from "../errors.ts";
import { safe } from "../print/safe.ts";
import { showTime } from "../print/time.ts";
import { readNumber } from "./_numbers.ts";
import type { CommandInput } from "./command.ts";

/** Prints a proof as JSON, whatever is asked for: it is a file. */
export async function printProof({ arguments: [name], options, folder, terminal, connect }: CommandInput<[name: string]>): Promise<void> {
  const since = await headIn(options["since"], folder);
  const index = readNumber(options["index"], "--index", { least: 0 });
  const connection = await connect();
  const answer = await connection.ask("GET /tools/{name}/proof", {
    params: { name },
    query: { ...(since && { sinceSize: since.size, sinceRoot: since.root }), index },
  });
  terminal.answer(answer, () => JSON.stringify(answer, null, 2));
}

export async function listLog({ options, terminal, connect, nextPage }: CommandInput): Promise<void> {
  const limit = readNumber(options["limit"], "--limit", { most: 1_000 });
  const before = readNumber(options["before"], "--before", { least: 0 });
  const { tool } = options;
  const connection = await connect();
  const answer = await connection.ask("GET /definition-log", { query: { limit, before, ...(typeof tool === "string" && { tool }) } });
  terminal.answer(
    answer,
    () =>
      answer.entries.length === 0
        ? typeof tool === "string"
          ? `Nothing was logged about a tool "${safe(tool)}". List all entries with: toolrack proof log`
          : "Nothing was logged about definitions yet."
        : terminal.table(
            ["INDEX", "WHEN", "WHAT", "BY", "TOOL", "PRINT"],
            answer.entries.map(({ index, at, kind, by, tool: name, print }) => [
              String(index),
              showTime(at),
              safe(kind),
              safe(by),
              safe(name),
              safe(print?.slice(0, 24) ?? "–"),
            ]),
          ),
    nextPage("--before"),
  );
}

export async function verifyFile({
  arguments: [file, earlier],
  options,
  folder,
  terminal,
}: CommandInput<[file: string, earlier?: string]>): Promise<ExitReason> {
  const proof = await readFileAsJson(file, folder);
  const since = await headIn(earlier, folder);
  const { key, definition } = options;
  const check = checkProof(proof, {
    ...(since && { since }),
    ...(typeof key === "string" && { publicKey: key.toLowerCase() }),
    ...(typeof definition === "string" && { definition: await readFileAsJson(definition, folder) }),
  });
  const { style } = terminal;
  terminal.answer(check, () => {
    if (!check.ok) return `${style.bad("The proof does not hold:")} ${safe(check.reason)}`;
    const { entry, head, signature } = check;
    const text = (name: string): string => safe(String(entry[name] ?? "–"));
    return [
      `${style.good("The proof holds:")} ${text("kind")} of ${text("tool")} from ${text("source")}, by ${text("by")}, ${showTime(Number(entry["at"]))}.`,
      `Print of the definition: ${text("print")}`,
      `It is in a log of ${head.size === 1 ? "1 entry" : `${head.size} entries`} with the root ${safe(head.root)}${since === undefined ? "" : ", which begins with the earlier one"}.`,
      signatures[signature],
    ].join("\n");
  });
  return check.ok ? "ok" : "failed";
}

const signatures = {
  valid: "The head is signed with the key that you gave.",
  unchecked: "The head is signed with the key in the file. To know whose key that is, give the one that you kept with --key.",
  absent: "The head is not signed. Compare its root with one that you kept elsewhere.",
} as const;

/** The head of an earlier proof, or of the answer of GET /definition-log/head. */
async function headIn(file: string | boolean | undefined, folder: string): Promise<MerkleHead | undefined> {
  if (typeof file !== "string") return undefined;
  const { head } = ((await readFileAsJson(file, folder)) ?? {}) as Partial<DefinitionProof>;
  if (typeof head?.size === "number" && typeof head.root === "string") return { size: head.size, root: head.root };
  throw new CommandError("usage", `${safe(file)} has no head of a log. Give a file that toolrack proof printed.`);
}

async function readFileAsJson(file: string, folder: string): Promise<unknown> {
  const text = await readFile(path.resolve(folder, file), "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new CommandError("usage", `${safe(file)} cannot be read: ${error.code ?? error.message}.`);
  });
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new CommandError("usage", `${safe(file)} is not JSON: ${safe((error as Error).message)}`);
  }
}
