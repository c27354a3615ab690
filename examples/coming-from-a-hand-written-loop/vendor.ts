import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A block of a reply, in the form of the Messages API. */
export interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: Record<string, unknown>;
}

export interface Vendor {
  readonly url: string;
  close(): void;
}

/** Stands for a vendor on this machine: says one reply of the script after the other, whole or as a stream. */
export async function startVendor(script: readonly (readonly Block[])[]): Promise<Vendor> {
  const replies = script.values();
  const server = createServer(async (request, response) => {
    const { stream } = JSON.parse(await textOf(request)) as { stream?: boolean };
    const { value: content = [{ type: "text", text: "My script is over." }] } = replies.next();
    const isCall = content.some(({ type }) => type === "tool_use");
    const reply = { id: "msg_1", type: "message", role: "assistant", content, stop_reason: isCall ? "tool_use" : "end_turn", usage };
    response.setHeader("content-type", stream === true ? "text/event-stream" : "application/json");
    response.end(stream === true ? eventsOf(reply).map(toEvent).join("") : JSON.stringify(reply));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

const usage = { input_tokens: 20, output_tokens: 10 };

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request.setEncoding("utf8")) text += piece;
  return text;
}

function eventsOf(reply: { readonly content: readonly Block[]; readonly stop_reason: string }): readonly object[] {
  const blocks = reply.content.flatMap((block, index) => {
    const begun = block.type === "text" ? { ...block, text: "" } : { ...block, input: {} };
    const delta =
      block.type === "text"
        ? { type: "text_delta", text: block.text }
        : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
    return [
      { type: "content_block_start", index, content_block: begun },
      { type: "content_block_delta", index, delta },
      { type: "content_block_stop", index },
    ];
  });
  const { stop_reason } = reply;
  return [
    { type: "message_start", message: { ...reply, content: [], stop_reason: null } },
    ...blocks,
    { type: "message_delta", delta: { stop_reason }, usage },
    { type: "message_stop" },
  ];
}

function toEvent(event: object): string {
  return `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`;
}
