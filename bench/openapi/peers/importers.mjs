import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire, register } from "node:module";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { install, isInstallStale } from "../../../scripts/lib/install.mjs";

const here = dirname(fileURLToPath(import.meta.url));

/**
 * Other importers: each opens to a function from the path of a document to its tools, `[{ name, inputSchema }]`, or throws with why it is not run. `close`
 * ends what was started, `name` is more exact than that of the list.
 */
export const importers = [
  { name: "openapi-mcp-generator 4.0.1", open: openGenerator },
  { name: "@ivotoby/openapi-mcp-server 1.16.1", open: openIvotoby },
  { name: "@cloudflare/codemode 0.5.6, outside of its runtime", open: openCodemode },
  { name: "FastMCP (Python)", open: openFastMcp },
  { name: "AWS Labs openapi-mcp-server, fastapi_mcp (Python)", open: notRun("not in the index of Python packages that was reachable") },
  { name: "fastmcp-ts createOpenAPIServer", open: notRun("not published on npm; fastmcp 4.20.16 there has no OpenAPI") },
  { name: "Executor, Speakeasy, Kubb", open: notRun("programs and code generators: no list of tools to score") },
];

function notRun(reason) {
  return () => Promise.reject(new Error(reason));
}

async function load(name) {
  // Peer dependencies contradict each other; no script of a package is run.
  if (isInstallStale(here)) {
    const { code } = await install(here, ["--ignore-scripts", "--legacy-peer-deps"]);
    if (code !== 0) throw new Error("npm could not install it");
  }
  return import(pathToFileURL(createRequire(join(here, "package.json")).resolve(name)).href);
}

async function openGenerator() {
  const { getToolsFromOpenApi } = await load("openapi-mcp-generator/dist/api.js");
  return { importTools: (path) => getToolsFromOpenApi(path) };
}

async function openIvotoby() {
  const { OpenAPISpecLoader } = await load("@ivotoby/openapi-mcp-server");
  return { importTools: (path) => [...new OpenAPISpecLoader({}).parseOpenAPISpec(JSON.parse(readFileSync(path, "utf8"))).values()] };
}

/** It is made for workers of its vendor: the two classes that it takes from there are empty here. */
async function openCodemode() {
  const classes = "export class DurableObject {} export class RpcTarget {} export class WorkerEntrypoint {}";
  const hook = `export const resolve = (name, context, next) => name === "cloudflare:workers"
    ? { url: "data:text/javascript,${encodeURIComponent(classes)}", shortCircuit: true } : next(name, context);`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
  const { OpenApiConnector } = await load("@cloudflare/codemode");
  return {
    async importTools(path) {
      const document = JSON.parse(readFileSync(path, "utf8"));
      const connector = new (class extends OpenApiConnector {
        name = () => "api";
        spec = () => document;
        request = () => undefined;
      })({}, {});
      const { request: _, ...tools } = await connector.tools();
      return Object.entries(tools).map(([name, { inputSchema }]) => ({ name, inputSchema }));
    },
  };
}

/** TOOLRACK_PYTHON names a Python that has it: `pip install fastmcp`. */
async function openFastMcp() {
  const python = process.env.TOOLRACK_PYTHON ?? "python3";
  const program = spawn(python, [join(here, "fastmcp_tools.py")], { stdio: ["pipe", "pipe", "ignore"] });
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  program.stdin.on("error", () => undefined);
  const version = await new Promise((resolve) => {
    program.once("error", () => resolve(undefined));
    void lines.next().then(({ value }) => resolve(value));
  });
  if (version === undefined) throw new Error("no Python with fastmcp; TOOLRACK_PYTHON names one");
  return {
    async importTools(path) {
      program.stdin.write(`${path}\n`);
      const { tools, error } = JSON.parse((await lines.next()).value);
      if (tools === undefined) throw new Error(error);
      return tools;
    },
    name: `FastMCP ${version} (Python)`,
    close: () => void program.kill(),
  };
}
