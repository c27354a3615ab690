import { type AnyTool, type CallContext, defineTool, type ToolAnnotations, type ToolDefinition, ToolError } from "@toolrack/core";
import { type PathPlace, viewCapability, withPathPlace } from "@toolrack/core/internal";
import { cleanText, hiddenIn } from "@toolrack/core/scan";
import type { CallUpstream } from "../calls/call.ts";
import { fingerprint } from "./fingerprint.ts";
import { headerFault } from "./header-params.ts";
import { toToolName } from "./names.ts";
import { isForViewsOnly } from "./views-only.ts";
import { noteOrigin, type UpstreamOptions } from "../upstream.ts";

export interface DefinitionsOptions extends Pick<UpstreamOptions, "approved" | "callTimeoutMs"> {
  readonly server: string;
  readonly identity: string;
  readonly call: CallUpstream;
  /** Where its tools find files. */
  readonly place: PathPlace;
}

/** Turns what a server lists into tools; a definition that did not change is the same tool again. */
export interface Definitions {
  /** `sendsHeaders`: whether parameters may be sent as headers on this connection. */
  read(listed: readonly unknown[], sendsHeaders: boolean): readonly AnyTool[];
}

export function createDefinitions(options: DefinitionsOptions): Definitions {
  const { server, identity, approved, call, callTimeoutMs, place } = options;
  let known: ReadonlyMap<string, AnyTool> = new Map();

  function readOne(raw: unknown, sendsHeaders: boolean): Listed {
    if (typeof raw !== "object" || raw === null || Array.isArray(raw)) throw wrong("an entry of its list is no tool");
    const definition = raw as Listed["definition"];
    const { name } = definition;
    if (typeof name !== "string" || name === "" || name.length > 512) throw wrong("a tool has no name, or a very long one");
    const shown = JSON.stringify(name);
    const hidden = hiddenIn(name);
    if (hidden.length > 0) throw wrong(`the name ${JSON.stringify(cleanText(name))} contains invisible characters (${hidden.join(", ")})`);
    if (!isSmall(definition)) throw wrong(`the definition of ${shown} is nested too deeply, or longer than ${maxLength} characters`);
    const fault = sendsHeaders ? headerFault(definition["inputSchema"]) : undefined;
    if (fault !== undefined) throw wrong(`the definition of ${shown} cannot be followed: ${fault}`);
    const print = fingerprint({ identity, definition });
    if (approved !== undefined && !(Object.hasOwn(approved, name) && approved[name] === print)) {
      const fact = Object.hasOwn(approved, name) ? "was changed after it was approved" : "was not approved yet";
      throw wrong(`its tool ${shown} ${fact}. Look at the definition, then approve the fingerprint ${print}`);
    }
    return { name, definition, print };
  }

  function define({ name, definition, print }: Listed): ToolDefinition {
    const { title, description, inputSchema, outputSchema, annotations } = definition;
    const hints = readAnnotations(annotations);
    const shownTitle = textOf(title) ?? textOf((annotations as { title?: unknown } | undefined)?.title);
    const target = { name, inputSchema: inputSchema as object };
    const draft = {
      name: toToolName(server, name),
      description: textOf(description) ?? "",
      inputSchema: inputSchema as object,
      ...(shownTitle !== undefined && { title: shownTitle }),
      ...(outputSchema !== undefined && { outputSchema: outputSchema as Record<string, unknown> }),
      metadata: {
        tags: ["mcp", server],
        ...(hints !== undefined && { annotations: hints }),
        // What is only for views is listed with this reason, and neither shown to models nor called.
        ...(isForViewsOnly(definition) && { requiresCapabilities: [viewCapability] }),
        ...(callTimeoutMs !== undefined && { limits: { timeoutMs: callTimeoutMs } }),
      },
      handler: (input: unknown, context: CallContext) => call(target, input as Record<string, unknown>, context),
    };
    const tool: ToolDefinition = defineTool(withPathPlace(draft, place));
    noteOrigin(tool, { server, name, fingerprint: print, definition: Object.freeze(definition) });
    return tool;
  }

  function wrong(fact: string): ToolError {
    return new ToolError("DEFINITION_INVALID", `MCP server "${server}": ${fact}.`);
  }

  return {
    read(listed, sendsHeaders) {
      const next = new Map<string, AnyTool>();
      const names = new Set<string>();
      const tools = listed.map((raw) => {
        let key: string;
        let tool: AnyTool;
        try {
          const one = readOne(raw, sendsHeaders);
          key = one.print;
          tool = known.get(key) ?? define(one);
          if (names.has(tool.name)) throw wrong(`it lists the name ${JSON.stringify(one.name)} twice, or another that is written like it`);
          names.add(tool.name);
        } catch (error) {
          key = (error as Error).message;
          tool = known.get(key) ?? leftOut(key);
        }
        next.set(key, tool);
        return tool;
      });
      known = next;
      return tools;
    },
  };
}

/** An entry that a registry leaves out alone, and shows with this reason among the problems of the source. */
export function leftOut(reason: string): AnyTool {
  return {
    get handler(): never {
      throw new ToolError("SOURCE_FAILED", reason);
    },
  } as unknown as AnyTool;
}

interface Listed {
  readonly name: string;
  readonly definition: Readonly<Record<string, unknown>>;
  readonly print: string;
}

const maxLength = 256 * 1024;

/** More levels than people write, and few enough for every recursive function over a definition, however little of the stack is left. */
const maxDepth = 256;

/** Whether a definition is no longer, and nested no deeper, than any that people write. */
export function isSmall(definition: object): boolean {
  return isWithin(definition, maxDepth) && JSON.stringify(definition).length <= maxLength;
}

function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isWithin(inner, levels - 1));
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Hints of the server about its own tool: shown, and never a reason to trust it. */
function readAnnotations(raw: unknown): ToolAnnotations | undefined {
  if (typeof raw !== "object" || raw === null) return undefined;
  const hints = raw as Readonly<Record<string, unknown>>;
  const read = Object.entries({
    readOnly: hints["readOnlyHint"],
    destructive: hints["destructiveHint"],
    idempotent: hints["idempotentHint"],
    openWorld: hints["openWorldHint"],
  }).filter(([, hint]) => typeof hint === "boolean");
  return read.length === 0 ? undefined : (Object.fromEntries(read) as ToolAnnotations);
}
