import { createServer } from "node:http";

/** Reads the request and answers bytes that were made before: what HTTP alone costs. */
export function start({ call, list }) {
  const answers = { "/call": Buffer.from(call), "/list": Buffer.from(list) };
  const server = createServer((request, response) => {
    request.on("data", () => {});
    request.on("end", () => {
      const bytes = answers[request.url];
      response.writeHead(200, { "content-type": "application/json", "content-length": bytes.length });
      response.end(bytes);
    });
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server.address().port)));
}
