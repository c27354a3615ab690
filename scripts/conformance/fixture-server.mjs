import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const file = fileURLToPath(new URL("../../packages/mcp/conformance/server.mjs", import.meta.url));

/** Starts the fixture server on the source, as a process of its own: `{ url, stop() }`. */
export function startFixtureServer(node, port = 0) {
  const child = spawn(node, [...sourceArguments, file, String(port)], { stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`The fixture server ended with ${code} before it listened.`)));
    child.stdout.once("data", (line) => {
      const stop = () => new Promise((done) => child.once("exit", done) && child.kill());
      resolve({ url: String(line).trim(), child, stop });
    });
  });
}

/** Runs TypeScript as it is, with the packages of the workspace found in their source. */
export const sourceArguments = ["--conditions=toolrack-source", "--disable-warning=ExperimentalWarning"];
