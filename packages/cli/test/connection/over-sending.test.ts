import { expect, it } from "vitest";
import { overSending } from "../../src/connection/over-sending.ts";

it.each([
  ["lines that end with \\n", "event: progress\ndata: {}\n\n"],
  ["lines that end with \\r\\n", "event: progress\r\ndata: {}\r\n\r\n"],
  ["no space after the colon", "event:progress\ndata:{}\n\n"],
])("a stream is followed with %s", async (_name, text) => {
  const connection = overSending({
    where: "here",
    isServer: true,
    send: () =>
      Promise.resolve({
        status: 200,
        contentType: "text/event-stream",
        isToolrack: true,
        header: () => undefined,
        text: () => Promise.resolve(text),
        stream: () => new Response(text).body ?? undefined,
      }),
  });
  const events: unknown[] = [];
  for await (const event of connection.follow("GET /events")) events.push(event);
  expect(events).toEqual([{ event: "progress", data: {} }]);
});
