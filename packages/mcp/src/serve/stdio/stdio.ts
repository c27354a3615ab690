import type { Readable, Writable } from "node:stream";
import type { Caller } from "@toolrack/core";
import { McpError } from "../../errors.ts";
import { readMessage, UnreadableRequest } from "../../wire/message.ts";
import { errorMessage } from "../../wire/reply.ts";
import { toMcpError } from "../methods.ts";
import { principalOf } from "../principal.ts";
import { createConnection, type StdioParts } from "./connection.ts";
import { readLines } from "../../wire/lines.ts";

export interface StdioStreams {
  /** @default process.stdin */
  readonly input?: Readable;
  /** @default process.stdout */
  readonly output?: Writable;
  /** Whose client this is. @default a caller of whom nothing is known */
  readonly caller?: Caller;
}

/** Speaks MCP over one pair of streams, a message on each line, until the input ends. */
export function serveStdio(parts: StdioParts, streams: StdioStreams, closing: AbortSignal): Promise<void> {
  const { input = process.stdin, output = process.stdout, caller = {} } = streams;
  // If the client does not read, stop reading from it.
  const send = (message: string): void => {
    if (output.destroyed || output.write(`${message}\n`)) return;
    input.pause();
    output.once("drain", () => input.resume());
  };
  const connection = createConnection(parts, { caller, principal: principalOf(caller), isAnonymous: streams.caller === undefined, send });

  return new Promise((resolve) => {
    const end = (): void => {
      closing.removeEventListener("abort", end);
      connection.close();
      input.pause();
      resolve();
    };
    closing.addEventListener("abort", end);
    output.on("error", end);
    readLines(input, maxLineBytes, {
      line(bytes) {
        try {
          connection.take(readMessage(bytes));
        } catch (error) {
          send(errorMessage(error instanceof UnreadableRequest ? error.id : undefined, toMcpError(error)));
        }
      },
      end(tooLong) {
        if (tooLong) send(errorMessage(undefined, new McpError("parse", `A message is longer than ${maxLineBytes} bytes.`)));
        end();
      },
    });
  });
}

const maxLineBytes = 10 * 1024 * 1024;
