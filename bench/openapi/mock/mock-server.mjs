import { createRequire } from "node:module";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { install, isInstallStale } from "../../../scripts/lib/install.mjs";

const here = dirname(fileURLToPath(import.meta.url));

/** Installs the mock server if it is missing; answers whether it is there. */
export async function hasMockServer() {
  if (isInstallStale(here)) await install(here, ["--ignore-scripts"]);
  return existsSync(join(here, "node_modules", "@stoplight", "prism-http-server"));
}

/** A server on loopback that answers with examples of the document, and with 4xx what the document does not allow. */
export async function openMockServer(document) {
  const load = createRequire(import.meta.url);
  const { createServer } = load("@stoplight/prism-http-server");
  const { getHttpOperationsFromSpec } = load("@stoplight/prism-http");
  const quiet = () => undefined;
  const logger = { info: quiet, warn: quiet, error: quiet, debug: quiet, success: quiet, trace: quiet, fatal: quiet, child: () => logger };
  const checks = { checkSecurity: true, validateRequest: true, validateResponse: true, errors: true };
  const server = createServer(await getHttpOperationsFromSpec(structuredClone(document)), {
    components: { logger },
    cors: false,
    config: { ...checks, mock: { dynamic: false }, isProxy: false },
  });
  const url = await server.listen(0, "127.0.0.1");
  return { url, host: new URL(url).host, close: () => server.close() };
}
