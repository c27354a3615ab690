import { ToolError } from "@toolrack/core";
import { isObject } from "@toolrack/core/internal";
import { toBlocks } from "../calls/results.ts";
import type { Connection } from "../connection/client.ts";
import type { ConnectionManager } from "../connection/connection-manager.ts";
import { toUpstreamError } from "../connection/failures.ts";
import type { ObserveRequest } from "../connection/observe.ts";
import type { UpstreamRequest } from "../upstream.ts";
import type { TextContext, UseTexts } from "./text.ts";

export interface UseTextsOptions {
  readonly server: string;
  readonly manager: ConnectionManager;
  readonly timeoutMs: number;
  readonly observe: ObserveRequest;
}

export function createUseTexts({ server, manager, timeoutMs, observe }: UseTextsOptions): UseTexts {
  async function ask(
    method: UpstreamRequest["method"],
    params: Readonly<Record<string, unknown>>,
    { signal, callId }: TextContext,
  ): Promise<Readonly<Record<string, unknown>>> {
    const connection: Connection = await manager.get(signal);
    try {
      const result = await observe(connection, { method, callId }, () => connection.request(method, params, { signal, timeoutMs }));
      manager.note(connection, undefined);
      if (result["resultType"] === "input_required")
        throw new ToolError("TOOL_FAILED", `MCP server "${server}" asked for input before it answered, which is passed on for tools only.`);
      return result;
    } catch (thrown) {
      const error = toUpstreamError(server, connection.scrub.error(thrown));
      if (signal.aborted) throw signal.reason;
      manager.note(connection, error);
      throw error;
    }
  }

  return {
    async getPrompt(name, input, context) {
      const { messages } = await ask("prompts/get", { name, arguments: input }, context);
      if (!Array.isArray(messages)) throw new ToolError("TOOL_FAILED", `MCP server "${server}" answered without messages.`);
      const read = messages.filter(isObject);
      const blocks = toBlocks(read.map(({ content }) => content));
      return { ok: true, content: textOf(blocks), blocks, data: { roles: read.map(({ role }) => (role === "assistant" ? role : "user")) } };
    },
    async readResource(uri, context) {
      const { contents } = await ask("resources/read", { uri }, context);
      if (!Array.isArray(contents)) throw new ToolError("TOOL_FAILED", `MCP server "${server}" answered without contents.`);
      const read = contents.filter(isObject);
      const blocks = toBlocks(read.flatMap(({ text }) => (typeof text === "string" ? [{ type: "text", text }] : [])));
      const parts = read.map(({ mimeType, blob, text }) => ({
        ...(typeof mimeType === "string" && { mimeType }),
        ...(typeof text !== "string" && typeof blob === "string" && { blob }),
      }));
      return { ok: true, content: textOf(blocks), blocks, data: { parts } };
    },
  };
}

function textOf(blocks: ReturnType<typeof toBlocks>): string {
  return blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}
