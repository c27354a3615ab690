import http from "node:http";
import { parentPort, workerData } from "node:worker_threads";
import { worstRequests } from "./worst-requests.mjs";

// A thread of its own: making and writing the requests does not delay the other caller's.
const { url, key, name, count, withinMs } = workerData;
const { make } = worstRequests.find((one) => one.name === name);
const requests = Array.from({ length: count }, (_, number) => make(number));
const agent = new http.Agent({ keepAlive: true, maxSockets: 100 });

parentPort.postMessage("ready");
parentPort.once("message", async () => {
  parentPort.postMessage(await Promise.all(requests.map(send)));
  agent.destroy();
});

function send({ method, path, body }) {
  return new Promise((resolve) => {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
    };
    let bytes = 0;
    const request = http.request(`${url}${path}`, { method, headers, agent }, (response) => {
      response.on("data", (chunk) => (bytes += chunk.length));
      response.on("end", () => settle(String(response.statusCode)));
      response.on("error", () => settle("broke off"));
    });
    const timer = setTimeout(() => {
      settle(`none in ${withinMs / 1_000} s`);
      request.destroy();
    }, withinMs);
    const settle = (status) => {
      clearTimeout(timer);
      resolve({ status, bytes });
    };
    request.on("error", () => settle("no answer"));
    request.end(body);
  });
}
