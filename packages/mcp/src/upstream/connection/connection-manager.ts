import { type ErrorCode, ToolError } from "@toolrack/core";
import { untilAborted } from "@toolrack/core/internal";
import type { Connection } from "./client.ts";
import { toUpstreamError } from "./failures.ts";
import type { UpstreamStatus } from "../upstream.ts";

export interface ConnectionManagerOptions {
  readonly server: string;
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
  readonly maxFailures: number;
  connect(signal: AbortSignal, onLost: () => void): Promise<Connection>;
  /** A connection is there that was not there before. */
  onConnected(): void;
  onLost(): void;
}

/** Manages one connection: opens it when it is needed, and reopens it when it was lost, with growing delays while it does not last. */
export interface ConnectionManager {
  /** The connection, opened if needed. Rejects at once while the server rests after failures. */
  get(signal: AbortSignal): Promise<Connection>;
  /** Reports how a request ended; undefined: with success. Too many unanswered requests in a row let the server rest. */
  note(connection: Connection, fault: ToolError | undefined): void;
  /** Closes a connection whose session the server no longer knows. */
  drop(connection: Connection, reason: ToolError): void;
  status(): UpstreamStatus;
  close(): Promise<void>;
}

/** A connection that lasted this long counts as stable. */
const stableMs = 30_000;

/** A server that refuses its credentials is connected to anew as well, since they may have been replaced. */
const faultsOfServer: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["TIMEOUT", "SOURCE_FAILED", "NEEDS_CONFIGURATION"]);

export function createConnectionManager(options: ConnectionManagerOptions): ConnectionManager {
  const { server, backoffMs, maxBackoffMs, maxFailures } = options;
  const closing = new AbortController();
  /** Connections that are still closing. */
  const endings = new Set<Promise<void>>();
  let connection: Connection | undefined;
  let connectedAt = 0;
  let connecting: Promise<Connection> | undefined;
  let failures = 0;
  let unanswered = 0;
  let restsUntil = 0;
  let lastError: string | undefined;
  let retry: NodeJS.Timeout | undefined;

  function get(signal: AbortSignal): Promise<Connection> {
    if (closing.signal.aborted) return Promise.reject(new ToolError("SOURCE_FAILED", `MCP server "${server}" is closed.`));
    if (connection !== undefined) return Promise.resolve(connection);
    if (connecting === undefined && Date.now() < restsUntil) return Promise.reject(resting());
    return untilAborted((connecting ??= connectNow()), signal);
  }

  async function connectNow(): Promise<Connection> {
    clearTimeout(retry);
    let made: Connection | undefined;
    let isLost = false;
    const onLost = (): void => {
      isLost = true;
      if (made !== undefined) lose(made, "The connection was closed.");
    };
    try {
      made = await options.connect(closing.signal, onLost);
      if (isLost) throw new Error("The connection was closed as soon as it was made.");
      if (closing.signal.aborted) {
        end(made);
        throw new ToolError("SOURCE_FAILED", `MCP server "${server}" is closed.`);
      }
      connection = made;
      connectedAt = Date.now();
      unanswered = 0;
      queueMicrotask(options.onConnected);
      return made;
    } catch (thrown) {
      const error = toUpstreamError(server, thrown);
      rest(error.message);
      throw error;
    } finally {
      connecting = undefined;
    }
  }

  function lose(lost: Connection, reason: string): void {
    if (connection !== lost) return;
    connection = undefined;
    if (Date.now() - connectedAt >= stableMs) failures = 0;
    end(lost);
    rest(reason);
    if (!closing.signal.aborted) options.onLost();
  }

  /** The next attempt is automatic; a random delay spreads the attempts at servers that went down together. */
  function rest(reason: string): void {
    lastError = reason;
    failures += 1;
    const waitMs = Math.min(maxBackoffMs, backoffMs * 2 ** Math.min(failures - 1, 20)) * (0.75 + Math.random() / 4);
    restsUntil = Date.now() + waitMs;
    clearTimeout(retry);
    if (closing.signal.aborted) return;
    retry = setTimeout(() => {
      if (connection === undefined && connecting === undefined) void (connecting = connectNow()).catch(() => undefined);
    }, waitMs);
    retry.unref();
  }

  function end(ended: Connection): void {
    const ending: Promise<void> = ended
      .close()
      .catch(() => undefined)
      .finally(() => endings.delete(ending));
    endings.add(ending);
  }

  function resting(): ToolError {
    const retryAfterMs = Math.max(1, Math.ceil(restsUntil - Date.now()));
    return new ToolError(
      "CIRCUIT_OPEN",
      `MCP server "${server}" is not connected and is tried again in ${retryAfterMs} ms. ${lastError ?? ""}`.trimEnd(),
      { retryAfterMs },
    );
  }

  return {
    get,
    note(used, fault) {
      if (used !== connection) return;
      if (fault === undefined || !faultsOfServer.has(fault.code)) unanswered = 0;
      else if (++unanswered >= maxFailures) lose(used, `${unanswered} requests in a row failed. The last: ${fault.message}`);
    },
    drop: (dropped, reason) => {
      lose(dropped, reason.message);
      restsUntil = 0;
    },
    status: () => ({
      state: closing.signal.aborted ? "closed" : connection ? "connected" : connecting ? "connecting" : lastError ? "resting" : "idle",
      ...(connection && { era: connection.era, ...(connection.server && { server: connection.server }) }),
      ...(lastError !== undefined && { error: lastError }),
      failures,
      ...(connection === undefined && restsUntil > Date.now() && { retryAt: restsUntil }),
    }),
    async close() {
      closing.abort();
      clearTimeout(retry);
      await connecting?.catch(() => undefined);
      if (connection !== undefined) {
        end(connection);
        connection = undefined;
      }
      await Promise.all(endings);
    },
  };
}
