import { connect } from "node:net";

/** Makes `count` requests over `connections` sockets that stay open; answers how long each took, in milliseconds. */
export async function load(port, { path, body, count, connections = 32 }) {
  const text = JSON.stringify(body);
  const request = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
  const latencies = [];
  let left = count;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = await openClient(port);
      while (left-- > 0) {
        const started = performance.now();
        const status = await client.ask(request);
        if (status !== 200) throw new Error(`A request was answered with ${status}.`);
        latencies.push(performance.now() - started);
      }
      client.close();
    }),
  );
  return latencies;
}

/** Opens event streams, reads their beginning and goes away without a word, so many at a time. */
export async function abandonStreams(port, count, atOnce = 50) {
  let left = count;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) {
        const client = await openClient(port);
        await client.begin(`GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: text/event-stream\r\n\r\n`, "event: ready");
        client.close();
      }
    }),
  );
}

/** As little of an HTTP client as these servers need, so that it costs little beside them. */
async function openClient(port) {
  const socket = connect(port, "127.0.0.1");
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  socket.setNoDelay(true);
  let text = "";
  let onText = () => {};
  let fail = () => {};
  socket.on("data", (bytes) => {
    text += bytes.toString("latin1");
    onText();
  });
  socket.on("error", (error) => fail(error));
  socket.on("close", () => fail(new Error("The server closed the connection.")));
  const until = (isThere) =>
    new Promise((resolve, reject) => {
      fail = reject;
      onText = () => isThere() && resolve();
    });
  return {
    async ask(request) {
      text = "";
      let end = -1;
      socket.write(request);
      await until(() => {
        const head = text.indexOf("\r\n\r\n");
        if (head === -1) return false;
        end = head + 4 + Number(/content-length: (\d+)/i.exec(text)[1]);
        return text.length >= end;
      });
      return Number(text.slice(9, 12));
    },
    async begin(request, wanted) {
      socket.write(request);
      await until(() => text.includes(wanted));
    },
    close() {
      fail = () => {};
      socket.destroy();
    },
  };
}
