import type { OverlayInfo, ToolOverlay } from "@toolrack/server";
import { CommandError } from "../errors.ts";
import { safe } from "../print/safe.ts";
import type { CommandInput } from "./command.ts";

export async function listOverlays({ terminal, connect }: CommandInput): Promise<void> {
  const connection = await connect();
  const answer = await connection.ask("GET /overlays");
  const { style } = terminal;
  const paint = { applied: style.good, stale: style.warn, unfit: style.bad, unused: style.dim };
  terminal.answer(answer, () =>
    answer.overlays.length === 0
      ? "There are no overlays: every tool is as its source has it."
      : terminal.table(
          ["TOOL", "AT ITS SOURCE", "CHANGES", "STATE", "FROM"],
          answer.overlays.map((info) => [
            safe(info.shownAs),
            safe(`${info.sourceId}/${info.tool}`),
            safe(changesOf(info)),
            paint[info.state](safe([info.state, ...info.stale, ...(info.unconfirmed === true ? ["unconfirmed name"] : [])].join(" "))) +
              (info.loosens.length === 0 ? "" : style.warn(safe(` loosens ${info.loosens.join(" ")}`))),
            safe([info.origin, ...(info.over === undefined ? [] : [`over ${info.over}`])].join(" ")),
          ]),
        ),
  );
}

export async function setOverlay(input: CommandInput<[name: string, overlay?: string]>): Promise<void> {
  const {
    arguments: [name, json],
    options,
    terminal,
    connect,
  } = input;
  const overlay = json === undefined ? fromOptions(input) : parse(json, "The overlay");
  const { reason } = options;
  const connection = await connect();
  const info = await connection.ask("PUT /tools/{name}/overlay", {
    params: { name },
    body: { overlay, ...(typeof reason === "string" && { reason }) },
  });
  terminal.answer(
    info,
    () =>
      `${safe(`${info.sourceId}/${info.tool}`)} is shown as ${safe(info.shownAs)} now: ${safe(changesOf(info))}.${loosened(info, "It allows what the configuration does not")}`,
  );
}

export async function confirmOverlay({ arguments: [name], terminal, connect }: CommandInput<[name: string]>): Promise<void> {
  const connection = await connect();
  const info = await connection.ask("POST /tools/{name}/overlay/confirmation", { params: { name } });
  terminal.answer(info, () => `The overlay of ${safe(info.shownAs)} is confirmed for the tool as it is now.`);
}

export async function removeOverlay({ arguments: [name], terminal, connect }: CommandInput<[name: string]>): Promise<void> {
  const connection = await connect();
  const info = await connection.ask("DELETE /tools/{name}/overlay", { params: { name } });
  terminal.answer(
    info,
    () => `The overlay of ${safe(`${info.sourceId}/${info.tool}`)} was removed.${loosened(info, "What it restricted is allowed again")}`,
  );
}

/** " It allows what the configuration does not: /parameters/path/value." */
function loosened({ loosens }: OverlayInfo, fact: string): string {
  return loosens.length === 0 ? "" : ` ${fact}: ${safe(loosens.join(", "))}.`;
}

/** "name, description, pinned owner" */
function changesOf({ overlay }: OverlayInfo): string {
  const { parameters = {}, ...rest } = overlay;
  const parts = Object.entries(parameters).map(([name, { hidden, ...change }]) =>
    "value" in change ? `pinned ${name}` : hidden === true ? `without ${name}` : `${name}: ${Object.keys(change).join(", ")}`,
  );
  return [...Object.keys(rest), ...parts].join(", ");
}

function fromOptions({ options, lists }: CommandInput): ToolOverlay {
  const text = (name: string): string | undefined => (typeof options[name] === "string" ? options[name] : undefined);
  const parameters: Record<string, unknown> = {};
  const add = (name: string, change: object): void => {
    parameters[name] = { ...(Object.hasOwn(parameters, name) ? (parameters[name] as object) : {}), ...change };
  };
  for (const word of lists("param")) add(...split(word, (value) => ({ description: value })));
  for (const name of lists("hideParam")) add(name, { hidden: true });
  for (const word of lists("pin")) add(...split(word, (value) => ({ value: valueOf(value) })));
  for (const word of lists("values")) add(...split(word, (value) => ({ enum: parse(value, "The list of values") })));
  const [tags, groups] = [lists("tag"), lists("group")];
  const [name, title, description] = [text("name"), text("title"), text("description")];
  return {
    ...(name !== undefined && { name }),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(options["hide"] === true && { hidden: true as const }),
    ...(Object.keys(parameters).length > 0 && { parameters: parameters as NonNullable<ToolOverlay["parameters"]> }),
    ...(tags.length > 0 && { tags }),
    ...(groups.length > 0 && { groups }),
  };
}

function split(word: string, change: (value: string) => object): [string, object] {
  const at = word.indexOf("=");
  if (at <= 0) throw new CommandError("usage", `"${safe(word)}" is not name=value.`);
  return [word.slice(0, at), change(word.slice(at + 1))];
}

/** "5" → 5, "true" → true; anything else is text. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function parse(text: string, what: string): ToolOverlay {
  try {
    return JSON.parse(text) as ToolOverlay;
  } catch {
    throw new CommandError("usage", `${what} is not JSON: ${safe(text.slice(0, 80))}`);
  }
}
