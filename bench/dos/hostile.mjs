import http from "node:http";
import { parentPort, workerData } from "node:worker_threads";

// A thread of its own: what it takes to write the requests does not delay the other caller's.
const { url, key, requests } = workerData;
const agent = new http.Agent({ keepAlive: true, maxSockets: 100 });

const outcomes = await Promise.all(requests.map(send));
parentPort.postMessage(outcomes);

function send({ method, path, body }) {
  return new Promise((resolve) => {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
    };
    const request = http.request(`${url}${path}`, { method, headers, agent, timeout: 60_000 }, (response) => {
      let bytes = 0;
      response.on("data", (chunk) => (bytes += chunk.length));
      response.on("end", () => resolve({ status: String(response.statusCode), bytes }));
      response.on("error", () => resolve({ status: "broke off", bytes }));
    });
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve({ status: "no answer", bytes: 0 }));
    request.end(body);
  });
}
