import { createFixture } from "./fixtures/endpoint.mjs";

/** `node server.mjs [port]`: serves the fixture tools on this machine until the process is ended. */
const { endpoint } = createFixture();
const { url } = await endpoint.listen({ port: Number(process.argv[2] ?? 0) });
console.log(url);
