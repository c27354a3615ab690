import { expect, it } from "vitest";
import { overSending } from "../../src/connection/over-sending.ts";

const answering = (text: string) =>
  overSending({
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

it.each([
  ["lines that end with \\n", "event: progress\ndata: {}\n\n"],
  ["lines that end with \\r\\n", "event: progress\r\ndata: {}\r\n\r\n"],
  ["no space after the colon", "event:progress\ndata:{}\n\n"],
])("a stream is followed with %s", async (_name, text) => {
  const events: unknown[] = [];
  for await (const event of answering(text).follow("GET /events")) events.push(event);
  expect(events).toEqual([{ event: "progress", data: {} }]);
});

it("a stream that the server ends is told with its reason and the problem", async () => {
  const problem = { status: 401, code: "SIGN_IN_ENDED", detail: "The API key was revoked. Sign in again." };
  const events: unknown[] = [];
  const following = (async () => {
    const text = `event: progress\ndata: {}\n\nevent: error\ndata: ${JSON.stringify(problem)}\n\n`;
    for await (const event of answering(text).follow("GET /events")) events.push(event);
  })();
  await expect(following).rejects.toMatchObject({ reason: "refused", message: problem.detail, problem });
  expect(events).toEqual([{ event: "progress", data: {} }]);
});
