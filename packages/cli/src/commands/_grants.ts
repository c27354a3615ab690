import { shellWord } from "@toolrack/core/internal/shell-word";
import type { GrantInfo, WaitingGrant } from "@toolrack/server";
import { CommandError } from "../errors.ts";
import { safe } from "../print/safe.ts";
import type { Terminal } from "../print/terminal.ts";
import { showTime } from "../print/time.ts";
import { readNumber } from "./_numbers.ts";
import type { CommandInput } from "./command.ts";

export async function listGrants({ terminal, connect }: CommandInput): Promise<void> {
  const connection = await connect();
  const answer = await connection.ask("GET /grants");
  const { style } = terminal;
  terminal.answer(answer, () => {
    const waiting = answer.waiting.map(({ tool, sourceId, asks, isChanged }) => [
      safe(tool),
      safe(sourceId),
      safe(asksText(asks)),
      style.warn(isChanged ? "waits: its definition changed" : "waits"),
      "",
      "",
    ]);
    const granted = answer.grants.map(({ tool, sourceId, asks, state, by, at, until, reason }) => [
      safe(tool),
      safe(sourceId),
      safe(asksText(asks)),
      state === "in-force" ? style.good(state) : style.dim(state),
      safe(`${by}, ${showTime(at)}${until === undefined ? "" : ` until ${showTime(until)}`}`),
      safe(reason),
    ]);
    const rows = [...waiting, ...granted];
    return rows.length === 0
      ? "No tool of others asks for more than its input."
      : terminal.table(["TOOL", "SOURCE", "ASKS FOR", "STATE", "GRANTED BY", "REASON"], rows);
  });
}

export async function addGrant({ arguments: [name], options, terminal, connect }: CommandInput<[name: string]>): Promise<void> {
  const { reason, print } = options;
  if (typeof reason !== "string") throw new CommandError("usage", 'Say why the tool may do this: --reason "Releases need it."');
  const days = readNumber(options["days"], "--days", { isWhole: false, least: 0.001, most: 36_500 });
  const connection = await connect();
  const { waiting } = await connection.ask("GET /grants");
  const found = waiting.find(({ tool, shownAs, sourceId }) => [tool, shownAs, `${sourceId}/${tool}`].includes(name));
  if (found === undefined)
    throw new CommandError("notFound", `No tool "${safe(name)}" waits for a grant. See what does: toolrack grants list`);
  const grant = await connection.ask("POST /grants", {
    body: {
      tool: `${found.sourceId}/${found.tool}`,
      print: typeof print === "string" ? print : found.print,
      reason,
      ...(days !== undefined && { days }),
    },
  });
  terminal.answer(grant, () => `${safe(grant.tool)} of ${safe(grant.sourceId)} may now use ${safe(asksText(grant.asks))}.`);
}

export async function revokeGrant({ arguments: [given], terminal, connect }: CommandInput<[given: string]>): Promise<void> {
  const connection = await connect();
  const { grants } = await connection.ask("GET /grants");
  const found = grants.filter(({ id, tool, sourceId }) => [id, tool, `${sourceId}/${tool}`].includes(given));
  if (found.length === 0) throw new CommandError("notFound", `There is no grant for "${safe(given)}". See: toolrack grants list`);
  if (found.length > 1)
    throw new CommandError("usage", `Several sources have a grant for "${safe(given)}". Name one: ${found.map(({ id }) => id).join(", ")}`);
  const revoked = await connection.ask("DELETE /grants/{id}", { params: { id: found[0]!.id } });
  terminal.answer(revoked, () => `The grant for ${safe(revoked.tool)} of ${safe(revoked.sourceId)} was revoked.`);
}

/** Everything a person needs to decide about a grant. */
export function showWaitingGrant({ id, tool, sourceId, shownAs, asks, print, isChanged }: WaitingGrant, { style }: Terminal): string {
  return [
    `${style.strong(safe(shownAs))} asks for ${safe(asksText(asks))}, and is not served until somebody grants it that.`,
    ...(isChanged ? [style.warn("It had a grant for an earlier definition.")] : []),
    "",
    `  ${style.dim("source")}  ${safe(sourceId)}, where it is called ${safe(tool)}`,
    `  ${style.dim("id    ")}  ${id}`,
    `  ${style.dim("print ")}  ${print}`,
    "",
    `Grant exactly this with: toolrack grants add ${shellWord(safe(`${sourceId}/${tool}`))} --print ${shellWord(print)} --reason "why"`,
  ].join("\n");
}

/** "programs make; secrets DEPLOY_KEY" */
export function asksText(asks: GrantInfo["asks"]): string {
  return Object.entries(asks)
    .map(([kind, names]) => `${words[kind as keyof typeof words]} ${(names as readonly string[]).join(", ")}`)
    .join("; ");
}

const words = {
  programs: "programs",
  hosts: "hosts",
  readsFiles: "reading",
  writesFiles: "writing",
  permissions: "permissions",
  secrets: "secrets",
} as const;
