import { cleanText, hiddenIn } from "@toolrack/core/scan";
import type { Connection } from "../connection/client.ts";
import { isSmall } from "../tools/definitions.ts";
import { toToolName } from "../tools/names.ts";
import type { UpstreamRequest } from "../upstream.ts";
import { readUriTemplate } from "../../wire/uri-template.ts";
import type { UpstreamText, UpstreamTextKind } from "./text.ts";

export interface TextReaderOptions {
  readonly server: string;
  readonly prompts: boolean;
  readonly resources: boolean;
  /** All entries of a list that the server gives page by page. */
  listAll(connection: Connection, method: UpstreamRequest["method"], field: string, signal: AbortSignal): Promise<readonly unknown[]>;
}

/** Reads what a server says beside its tools. A list that fails keeps what was read before, and is told as a problem. */
export interface TextReader {
  read(
    connection: Connection,
    signal: AbortSignal,
  ): Promise<{ readonly texts: readonly UpstreamText[]; readonly problems: readonly string[] }>;
}

interface TextList {
  readonly kind: Exclude<UpstreamTextKind, "instructions">;
  readonly method: UpstreamRequest["method"];
  readonly field: string;
  /** The field that names an entry. */
  readonly key: "name" | "uri" | "uriTemplate";
}

const promptList: TextList = { kind: "prompt", method: "prompts/list", field: "prompts", key: "name" };
const resourceLists: readonly TextList[] = [
  { kind: "resource", method: "resources/list", field: "resources", key: "uri" },
  { kind: "resource-template", method: "resources/templates/list", field: "resourceTemplates", key: "uriTemplate" },
];

export function createTextReader({ server, prompts, resources, listAll }: TextReaderOptions): TextReader {
  const known = new Map<TextList, readonly UpstreamText[]>();

  function readList({ kind, key }: TextList, listed: readonly unknown[], problems: string[]): readonly UpstreamText[] {
    const texts = new Map<string, UpstreamText>();
    for (const raw of listed) {
      const fault = faultOf(raw, kind, key);
      if (fault !== undefined) {
        problems.push(`MCP server "${server}": ${fault}.`);
        continue;
      }
      const definition = raw as UpstreamText["definition"];
      const name = definition[key] as string;
      if (texts.has(name)) problems.push(`MCP server "${server}": it lists the ${words[kind]} ${JSON.stringify(name)} twice.`);
      else texts.set(name, { kind, server, name, shown: toToolName(server, name), definition: Object.freeze(definition) });
    }
    return [...texts.values()];
  }

  return {
    async read(connection, signal) {
      const problems: string[] = [];
      const { instructions, has } = connection;
      const texts: UpstreamText[] = [];
      if (instructions !== undefined && instructions !== "") {
        const text = { kind: "instructions", server, name: "instructions", shown: toToolName(server, "instructions") } as const;
        texts.push({ ...text, definition: Object.freeze({ instructions }) });
      }
      const lists = [...(prompts && has.prompts ? [promptList] : []), ...(resources && has.resources ? resourceLists : [])];
      for (const list of lists) {
        try {
          known.set(list, readList(list, await listAll(connection, list.method, list.field, signal), problems));
        } catch (error) {
          signal.throwIfAborted();
          // Many servers with resources do not know templates.
          if (list.kind === "resource-template" && isUnknownMethod(error)) known.set(list, []);
          else problems.push(`MCP server "${server}": its ${words[list.kind]}s could not be listed: ${(error as Error).message}`);
        }
        texts.push(...(known.get(list) ?? []));
      }
      return { texts, problems };
    },
  };
}

const words: Readonly<Record<TextList["kind"], string>> = {
  prompt: "prompt",
  resource: "resource",
  "resource-template": "resource template",
};

function isUnknownMethod(error: unknown): boolean {
  return String((error as { cause?: unknown }).cause ?? error).includes("-32601") || /method not found/i.test((error as Error).message);
}

const maxNameLength = 2_048;

function faultOf(raw: unknown, kind: TextList["kind"], key: TextList["key"]): string | undefined {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return `an entry of its ${words[kind]}s is none`;
  const name = (raw as Readonly<Record<string, unknown>>)[key];
  if (typeof name !== "string" || name === "" || name.length > maxNameLength) return `a ${words[kind]} has no ${key}, or a very long one`;
  const hidden = hiddenIn(name);
  if (hidden.length > 0)
    return `the ${words[kind]} ${JSON.stringify(cleanText(name))} contains invisible characters (${hidden.join(", ")})`;
  if (kind === "resource-template" && readUriTemplate(name) === undefined)
    return `the resource template ${JSON.stringify(name)} has another form than gaps such as {id}, apart from each other`;
  return isSmall(raw) ? undefined : `the ${words[kind]} ${JSON.stringify(name)} is nested too deeply, or too long`;
}
