import { PassThrough } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { run } from "./_run.ts";

export interface McpHere {
  readonly transport: Transport;
  /** What the command has printed to standard error so far. */
  readonly errors: () => string;
}

/** `toolrack mcp` in this process, for a client: what the command reads and writes are the lines that the client writes and reads. */
export function mcpHere(
  words: readonly string[],
  { folder, environment }: { readonly folder: string; readonly environment: Readonly<Record<string, string>> },
): McpHere {
  const input = new PassThrough();
  let [errors, rest] = ["", ""];
  let ended: Promise<unknown> | undefined;
  const transport: Transport = {
    start: async () => {
      const onOutput = (text: string): void => {
        const lines = (rest + text).split("\n");
        rest = lines.pop()!;
        for (const line of lines) transport.onmessage?.(JSON.parse(line) as JSONRPCMessage);
      };
      ended = run(words, { folder, environment, input, onOutput, onErrors: (text) => void (errors += text) });
      void ended.then(() => transport.onclose?.());
    },
    send: async (message) => void input.write(`${JSON.stringify(message)}\n`),
    close: async () => {
      input.end();
      await ended;
    },
  };
  return { transport, errors: () => errors };
}
