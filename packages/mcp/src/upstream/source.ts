import path from "node:path";
import { type AnyTool, ToolError } from "@toolrack/core";
import type { PathPlace } from "@toolrack/core/internal";
import { createCallUpstream } from "./calls/call.ts";
import type { Connection } from "./connection/client.ts";
import { withDeadline } from "./connection/deadline.ts";
import { createDefinitions, leftOut } from "./tools/definitions.ts";
import { toUpstreamError } from "./connection/failures.ts";
import { upstreamIdentity } from "./tools/fingerprint.ts";
import { createGrace } from "./connection/grace.ts";
import { createConnectionManager } from "./connection/connection-manager.ts";
import { checkOptions } from "./options.ts";
import { createObserveRequest } from "./connection/observe.ts";
import { createThrottle } from "./connection/throttle.ts";
import { createQuestions } from "./calls/questions.ts";
import { createTextReader } from "./texts/read-texts.ts";
import type { UpstreamText } from "./texts/text.ts";
import { createUseTexts } from "./texts/use-texts.ts";
import type { McpSource, McpSourceOptions, UpstreamRequest } from "./upstream.ts";

/**
 * The tools of one MCP server, as a source. Nothing is started before the first `list`. A server that goes away keeps its tools for a
 * while, is retried with growing delays, and delays no caller: its calls fail at once until it is back.
 */
export function mcpSource(options: McpSourceOptions): McpSource {
  const numbers = checkOptions(options);
  const { name: server } = options;
  const watchers = new Set<() => void>();
  const tell = (): void => {
    for (const watcher of watchers) watcher();
  };
  const throttle = createThrottle(tell);
  const questions = createQuestions(server);
  const grace = createGrace(numbers.graceMs, tell);
  let era: "legacy" | undefined;
  let refresh: NodeJS.Timeout | undefined;
  let isListing = false;

  const manager = createConnectionManager({
    ...numbers,
    server,
    async connect(signal, onLost) {
      const { connectTimeoutMs: timeoutMs, maxMessageBytes } = numbers;
      const events = { onListChanged: throttle.ask, onClosed: onLost, onQuestion: questions.answerAny };
      if ("command" in options) await options.beforeStart?.();
      const { connect } = await import("./connection/client.ts"); // not before a server is wanted
      const connection = await questions.outside(() =>
        withDeadline(timeoutMs, signal, (deadline) => connect(options, { timeoutMs, maxMessageBytes, era, events, signal: deadline })),
      );
      // A program that is started again is the same program; what answers at an address may be another one.
      if ("command" in options && connection.era === "legacy") era = "legacy";
      return connection;
    },
    onConnected() {
      grace.end();
      if (!isListing) tell(); // a connection that was made for a listing reports nothing new
    },
    onLost() {
      clearTimeout(refresh);
      grace.begin();
      tell();
    },
  });
  const observe = createObserveRequest(options);
  const call = createCallUpstream({ server, manager, questions, timeoutMs: numbers.callTimeoutMs, observe });
  const identity = upstreamIdentity(options);
  const definitions = createDefinitions({ ...options, server, identity, call, place: placeOf(options) });
  const textReader = createTextReader({ server, prompts: options.prompts === true, resources: options.resources === true, listAll });
  const useTexts = createUseTexts({ server, manager, timeoutMs: numbers.callTimeoutMs, observe });
  let texts: readonly UpstreamText[] = [];

  async function list({ signal }: { readonly signal: AbortSignal }): Promise<readonly AnyTool[]> {
    if (grace.takeExpiry()) {
      queueMicrotask(tell); // the list after this one fails, and shows why
      return [leftOut(`MCP server "${server}" has been away for more than ${numbers.graceMs} ms, so its tools were removed.`)];
    }
    isListing = true;
    try {
      const connection = await manager.get(signal);
      clearTimeout(refresh);
      if (!connection.tellsChanges || "url" in options) refresh = setTimeout(tell, numbers.refreshMs).unref();
      const tools = definitions.read(
        await listAll(connection, "tools/list", "tools", signal),
        "url" in options && connection.era === "modern",
      );
      const read = await textReader.read(connection, signal);
      texts = read.texts;
      return read.problems.length === 0 ? tools : [...tools, ...read.problems.map(leftOut)];
    } catch (error) {
      throw signal.aborted ? error : toUpstreamError(server, error);
    } finally {
      isListing = false;
    }
  }

  async function listAll(
    connection: Connection,
    method: UpstreamRequest["method"],
    field: string,
    signal: AbortSignal,
  ): Promise<readonly unknown[]> {
    try {
      const items = await withDeadline(numbers.listTimeoutMs, signal, (deadline) => listPages(connection, method, field, deadline));
      manager.note(connection, undefined);
      return items;
    } catch (thrown) {
      const error = toUpstreamError(server, connection.scrub.error(thrown));
      if (!signal.aborted) manager.note(connection, error);
      throw error;
    }
  }

  async function listPages(
    connection: Connection,
    method: UpstreamRequest["method"],
    field: string,
    signal: AbortSignal,
  ): Promise<readonly unknown[]> {
    const items: unknown[] = [];
    const what = field === "resourceTemplates" ? "resource templates" : field;
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page++) {
      const { items: more, nextCursor } = await observe(connection, { method }, () =>
        connection.listPage({ method, field, cursor }, { signal, timeoutMs: numbers.listTimeoutMs }),
      );
      items.push(...more);
      if (items.length > numbers.maxTools) {
        const fact = `lists more than ${numbers.maxTools} ${what}. Raise maxTools if they are meant.`;
        throw new ToolError("SOURCE_FAILED", `MCP server "${server}" ${fact}`);
      }
      if (nextCursor === undefined) return items;
      cursor = nextCursor;
    }
    throw new ToolError("SOURCE_FAILED", `MCP server "${server}" lists its ${what} on more than ${maxPages} pages.`);
  }

  return {
    id: `mcp:${server}`,
    identity,
    list,
    watch(onChange) {
      const watcher = (): void => onChange();
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    texts: () => texts,
    ...useTexts,
    status: () => manager.status(),
    async close() {
      watchers.clear();
      clearTimeout(refresh);
      throttle.end();
      grace.end();
      await manager.close();
    },
  };
}

const maxPages = 100;

/** A program's relative paths start in its working folder; an address is another machine. */
function placeOf(options: McpSourceOptions): PathPlace {
  const { paths } = options;
  return {
    isElsewhere: true,
    ...(!("url" in options) && { start: path.resolve(options.cwd ?? ".") }),
    ...(paths && { folders: [paths.folder], parameters: paths.parameters ?? ["path"] }),
  };
}
