import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { SourceInfo } from "@toolrack/server";
import type { Connection } from "../connection/connection.ts";
import { CommandError } from "../errors.ts";
import type { CommandInput } from "./command.ts";

/** What a command says about an OpenAPI document: a part of the body of the API. */
export interface GivenDocument {
  readonly openapi: Readonly<Record<string, unknown>>;
  /** The text of a file that the server cannot read itself. */
  readonly document?: string;
}

/** The largest file that is sent, as a server reads bodies by default. */
const maxBytes = 4_000_000;

/** The document that --openapi or an argument names, and the flags about it. */
export function readGiven(named: string, input: CommandInput): GivenDocument {
  const { options, lists } = input;
  const texts = (name: string, key: string): object => (lists(name).length === 0 ? {} : { [key]: lists(name) });
  const secrets = pairs("--secret", lists("secret"), "scheme=name");
  const rename = pairs("--rename", lists("rename"), "operation=name");
  const number = (name: string, flag: string): object => {
    const given = options[name];
    return typeof given === "string" ? { [name]: wholeNumber(flag, given) } : {};
  };
  const openapi = {
    ...texts("include", "include"),
    ...texts("exclude", "exclude"),
    ...texts("allowHost", "allowHosts"),
    ...(Object.keys(secrets).length > 0 && { secrets }),
    ...(Object.keys(rename).length > 0 && { rename }),
    ...(typeof options["baseUrl"] === "string" && { baseUrl: options["baseUrl"] }),
    ...(typeof options["group"] === "string" && { group: options["group"] }),
    ...number("refreshMinutes", "--refresh-minutes"),
    ...number("maxPages", "--max-pages"),
    ...(options["resultFields"] === true && { resultFields: true }),
  };
  if (/^https?:\/\//i.test(named)) return { openapi: { url: named, ...openapi } };
  const file = path.resolve(input.folder, named);
  const inProject = projectFile(file, input);
  if (inProject !== undefined) return { openapi: { file: inProject, ...openapi } };
  return { openapi, document: readText(file, named) };
}

/** The path from the folder of the configuration, if the server or store of this folder is asked, and so can read the file again. */
function projectFile(file: string, { url, environment, folder, config }: CommandInput): string | undefined {
  if ((url ?? environment["TOOLRACK_URL"]) !== undefined || !/\.(?:json|ya?ml)$/i.test(file)) return undefined;
  const project = path.dirname(path.resolve(folder, config ?? "toolrack.config.yaml"));
  const relative = path.relative(project, file);
  return relative.startsWith("..") || path.isAbsolute(relative) ? undefined : relative;
}

function readText(file: string, named: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile() !== true)
    throw new CommandError("usage", `"${named}" is neither a URL that begins with http:// or https://, nor a file that can be read.`);
  if (found.size > maxBytes)
    throw new CommandError(
      "usage",
      `"${named}" has ${found.size} bytes, and at most ${maxBytes} are sent. Put it into the project of the server, or give its URL.`,
    );
  return readFileSync(file, "utf8");
}

function pairs(flag: string, texts: readonly string[], form: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.lastIndexOf("=");
      if (at < 1 || at === text.length - 1) throw new CommandError("usage", `${flag} takes ${form}, and one of yours has another form.`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

function wholeNumber(flag: string, text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new CommandError("usage", `${flag} takes a whole number, not "${text}".`);
}

/**
 * Typing the command counts as approval of the operations that it chooses. Those in whose words something was found wait for a look at each,
 * and are named.
 */
export async function agreeToOperations(connection: Connection, source: SourceInfo): Promise<SourceInfo> {
  const params = { source: `openapi:${source.id}` };
  const { definitions, digest } = await connection.ask("GET /definitions/sources/{source}", { params });
  if (definitions.length === 0) return source;
  await connection.ask("POST /definitions/sources/{source}/approve", { params, body: { digest } });
  return connection.ask("POST /sources/{id}/refresh", { params: { id: source.id } });
}
