import { type AnyTool, ToolError } from "@toolrack/core";
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
import type { McpSource, McpSourceOptions } from "./upstream.ts";

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
  const definitions = createDefinitions({ ...options, server, identity, call });

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
      return definitions.read(await listAll(connection, signal), "url" in options && connection.era === "modern");
    } catch (error) {
      throw signal.aborted ? error : toUpstreamError(server, error);
    } finally {
      isListing = false;
    }
  }

  async function listAll(connection: Connection, signal: AbortSignal): Promise<readonly unknown[]> {
    try {
      const tools = await withDeadline(numbers.listTimeoutMs, signal, (deadline) => listPages(connection, deadline));
      manager.note(connection, undefined);
      return tools;
    } catch (thrown) {
      const error = toUpstreamError(server, connection.scrub.error(thrown));
      if (!signal.aborted) manager.note(connection, error);
      throw error;
    }
  }

  async function listPages(connection: Connection, signal: AbortSignal): Promise<readonly unknown[]> {
    const tools: unknown[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page++) {
      const { tools: more, nextCursor } = await observe(connection, { method: "tools/list" }, () =>
        connection.listPage(cursor, { signal, timeoutMs: numbers.listTimeoutMs }),
      );
      tools.push(...more);
      if (tools.length > numbers.maxTools) {
        const fact = `lists more than ${numbers.maxTools} tools. Raise maxTools if they are meant.`;
        throw new ToolError("SOURCE_FAILED", `MCP server "${server}" ${fact}`);
      }
      if (nextCursor === undefined) return tools;
      cursor = nextCursor;
    }
    throw new ToolError("SOURCE_FAILED", `MCP server "${server}" lists its tools on more than ${maxPages} pages.`);
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
