import { connect } from "node:net";

/** As little of an HTTP client as these servers need: one connection that stays open, one request after the other. */
export async function openClient(port) {
  const socket = connect(port, "127.0.0.1").setNoDelay(true);
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  let chunks = [];
  let length = 0;
  let onBytes = () => {};
  let fail = () => {};
  socket.on("data", (bytes) => {
    chunks.push(bytes);
    length += bytes.length;
    onBytes();
  });
  socket.on("error", (error) => fail(error));
  socket.on("close", () => fail(new Error("The server closed the connection.")));
  return {
    /** The answer as `{ status, headers, body }`; `bytes` is a request as it goes over the wire. */
    ask(bytes) {
      chunks = [];
      length = 0;
      return new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new Error("The connection is closed."));
        fail = reject;
        let end;
        let head;
        onBytes = () => {
          if (end === undefined) {
            const start = Buffer.concat(chunks).toString("latin1");
            const at = start.indexOf("\r\n\r\n");
            if (at === -1) return;
            head = start.slice(0, at);
            const announced = /content-length: (\d+)/i.exec(head);
            end = announced ? at + 4 + Number(announced[1]) : Number.POSITIVE_INFINITY;
          }
          const isChunked = end === Number.POSITIVE_INFINITY;
          const isOver = isChunked ? chunks.at(-1).toString("latin1").endsWith("0\r\n\r\n") : length >= end;
          if (!isOver) return;
          resolve({
            status: Number(head.slice(9, 12)),
            head,
            body: () =>
              Buffer.concat(chunks)
                .subarray(head.length + 4)
                .toString("utf8"),
          });
        };
        socket.write(bytes);
      });
    },
    close() {
      fail = () => {};
      socket.destroy();
    },
  };
}

export function toBytes(port, path, { headers, body }) {
  const text = JSON.stringify(body);
  const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers, "content-length": Buffer.byteLength(text) });
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join("\r\n")}\r\n\r\n${text}`);
}
