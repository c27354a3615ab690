// Requests on behalf of a model: only to the public internet, unless the configuration allows a host.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSafeFetch, FetchError } from "@toolrack/fetch";

const server = createServer((request, response) => {
  if (request.url === "/away") response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data" }).end();
  else response.end("hello");
}).listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const { port } = server.address() as AddressInfo;

// #region refused
const fetch = createSafeFetch();
const attempt = (url: string): Promise<string> =>
  fetch(url).then(
    ({ status }) => String(status),
    (error: FetchError) => error.code,
  );
for (const url of [`http://127.0.0.1:${port}/`, "http://[::ffff:10.0.0.1]/", "http://2130706433/", "file:///etc/passwd"]) {
  console.log(url.replace(String(port), "8080"), await attempt(url));
}
// #endregion
assert.equal(await attempt("http://localhost/"), "ADDRESS_REFUSED");

// #region allowed
const local = createSafeFetch({ allowHosts: [`127.0.0.1:${port}`], timeoutMs: 5_000, maxBytes: 100_000 });
console.log((await local(`http://127.0.0.1:${port}/`)).text());
await local(`http://127.0.0.1:${port}/away`).catch((error: unknown) => console.log(FetchError.is(error) && error.message));
// #endregion
await assert.rejects(local(`http://127.0.0.1:${port}/away`), { code: "ADDRESS_REFUSED" });
await Promise.all([fetch.close(), local.close()]);
server.close();
