import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openBrowser } from "../../packages/console/test/_browser.mjs";
import { run } from "../../scripts/lib/run.mjs";

/** Answers what the program found in Node, Bun or Deno, which load it and the packages as they are. */
export async function runInProcess(project, runtime, args = []) {
  const env = { ...process.env, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1", DENO_DIR: join(project, ".deno") };
  const { code, output } = await run(runtime, [...args, "process.js"], { cwd: project, env });
  if (code !== 0) throw new Error(`${runtime} ended with ${code}: ${output}`);
  return JSON.parse(output);
}

/** Answers what the bundled page found in a real browser. The page may not make code from text, as a strict site would have it. */
export async function runInBrowser(project, files) {
  const server = createServer((request, response) => {
    const name = request.url.slice(1);
    response.setHeader("content-security-policy", "default-src 'self'");
    response.setHeader("content-type", name === "" ? "text/html" : "text/javascript");
    if (name === "") return response.end('<!doctype html><title>page</title><script type="module" src="/page.js"></script>');
    if (!files.includes(name)) return response.writeHead(404).end();
    return response.end(readFileSync(join(project, "browser", name)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    const faults = [];
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    // A module that cannot be loaded leaves no answers.
    await page.waitForLoadState("load");
    const answers = await page.evaluate(() => globalThis.answers);
    if (answers === undefined) throw new Error(`The page did not run: ${faults.join("; ")}`);
    return answers;
  } finally {
    await browser.close();
    server.close();
  }
}

/** Starts the bundled worker in workerd, as of this compatibility date and with these flags; `use` gets a function that sends it a request. */
export async function withWorker(project, workerd, { date, flags = [] }, use) {
  const config = join(project, "workerd", `${date}.capnp`);
  writeFileSync(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker.js", esModule = embed "all-requests.js")],
    compatibilityDate = "${date}",
    compatibilityFlags = ${JSON.stringify(flags)},
  ))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`,
  );
  const child = spawn(workerd, ["serve", config, "--control-fd=3"], { stdio: ["ignore", "pipe", "pipe", "pipe"] });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => said.push(chunk));
  try {
    const port = await portOf(child, said);
    return await use(async (path, body) => {
      const post = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(20_000), ...post });
      if (!response.ok) throw new Error(`workerd answered ${response.status}: ${Buffer.concat(said)}`);
      return response.json();
    });
  } finally {
    child.kill();
  }
}

/** Read from the control pipe: { "event": "listen", "socket": "http", "port": 40123 }. */
function portOf(child, said) {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdio[3].on("data", (chunk) => {
      text += chunk;
      const port = /"port":\s*(\d+)/.exec(text)?.[1];
      if (port !== undefined) resolve(port);
    });
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`workerd ended with ${code}: ${Buffer.concat(said)}`)));
  });
}
