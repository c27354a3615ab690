import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parse } from "yaml";
import { privatePackages } from "../../scripts/house/drawing.mjs";
import { listFolders, root } from "../../scripts/lib/files.mjs";

export const title = "The commands of deploy/container/Dockerfile, outside of a container";

/**
 * Packs the packages, and does in a folder what the Dockerfile does in an image: copy, `npm ci`, start, health check. Then the steps of the
 * guide: the first key, a call with it, a back-up without the master key, and a stop by SIGTERM. Takes as long as npm takes.
 */
export async function run() {
  const folder = mkdtempSync(join(tmpdir(), "toolrack-container-"));
  const rows = [];
  try {
    for await (const [what, note] of steps(folder)) rows.push([what, note, "ok"]);
  } catch (error) {
    rows.push(["the step after it", String(error.message).slice(0, 500), "over"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return [{ caption: "deploy/container", columns: ["what", "note", "verdict"], rows }];
}

async function* steps(folder) {
  const [context, app, data] = ["context", "app", "data"].map((name) => join(folder, name));
  for (const one of [context, app, data]) mkdirSync(one);
  const instructions = readInstructions(readFileSync(join(root, "packages/cli/template/deploy/container/Dockerfile"), "utf8"));
  makeContext(context, data, folder);
  yield ["packed", "the packages of this folder, and a project that uses them"];

  const environment = { ...process.env, TOOLRACK_MASTER_KEY: Buffer.alloc(32, 7).toString("base64") };
  let [entry, command, health] = [[], [], []];
  for (const [name, value] of instructions) {
    if (name === "COPY") for (const one of value.split(" ").slice(0, -1)) cpSync(join(context, one), join(app, one), { recursive: true });
    else if (name === "ENV") Object.assign(environment, readVariables(value, data));
    else if (name === "RUN" && !value.startsWith("apt-get")) {
      // The owner of a folder is the user of this process.
      const text = value.replace(/chown -R \S+ \S+ && /, "").replaceAll("/data", data);
      execFileSync("sh", ["-c", text], { cwd: app, env: environment, stdio: "pipe" });
      yield [`RUN ${text.slice(0, 40)}`, "exit 0"];
    } else if (name === "ENTRYPOINT") entry = JSON.parse(value).map((part) => part.replace("/srv/toolrack", app));
    else if (name === "CMD") command = JSON.parse(value);
    else if (name === "HEALTHCHECK") health = JSON.parse(value.slice(value.indexOf("CMD ") + 4));
  }

  const child = spawn(entry[0], [...entry.slice(1), ...command], { cwd: app, env: environment, stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const toolrack = (...args) =>
    execFileSync(entry[0], args, { cwd: app, env: environment, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  try {
    await untilHealthy(health, environment, child);
    yield ["HEALTHCHECK", "exit 0"];
    const open = await fetch("http://127.0.0.1:7333/api/v1/tools");
    if (open.status !== 401) throw new Error(`A request without a key got ${open.status}.`);
    const key = /trk_\S+/.exec(toolrack("keys", "create", "support"))[0];
    const answer = await fetch("http://127.0.0.1:7333/api/v1/tools/greet/call", {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ input: { name: "Ada" } }),
    });
    const text = await answer.text();
    if (!text.includes("Hello, Ada.")) throw new Error(`The call got ${answer.status}: ${text}`);
    yield ["a call with the first key", "Hello, Ada."];
    toolrack("backup", join(folder, "a.backup"));
    const bytes = execFileSync("gzip", ["-dc", join(folder, "a.backup")], { encoding: "latin1", maxBuffer: 2 ** 28 });
    if (bytes.includes(environment.TOOLRACK_MASTER_KEY)) throw new Error("The master key is in the back-up.");
    yield ["a back-up", "without the master key"];
  } finally {
    child.kill("SIGTERM");
  }
  const code = await ended;
  if (code !== 0) throw new Error(`The server ended with ${code}.`);
  yield ["SIGTERM", "exit 0"];
}

/** A project: its dependencies are packed packages, everything else is of deploy/container. */
function makeContext(context, data, folder) {
  const names = listFolders(join(root, "packages")).filter((name) => !privatePackages.includes(name));
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder, ...names.map((name) => `./packages/${name}`)];
  const packed = JSON.parse(execFileSync("npm", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  const dependencies = Object.fromEntries(
    (Array.isArray(packed) ? packed : Object.values(packed)).map(({ name, filename }) => [
      name,
      `file:${join(folder, basename(filename))}`,
    ]),
  );
  writeFileSync(join(context, "package.json"), JSON.stringify({ name: "my-tools", private: true, type: "module", dependencies }));
  execFileSync("npm", ["install", "--package-lock-only", "--no-audit", "--no-fund"], { cwd: context, stdio: "pipe" });
  const config = readFileSync(join(root, "packages/cli/template/deploy/container/toolrack.config.yaml"), "utf8");
  writeFileSync(join(context, "toolrack.config.yaml"), config.replaceAll("/data", data).replace("0.0.0.0", "127.0.0.1"));
  const [module] = parse(config).tools.modules;
  writeFileSync(
    join(context, module),
    `import { defineTool } from "@toolrack/core";
const inputSchema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
export default defineTool({ name: "greet", description: "Greets.", inputSchema, handler: ({ name }: { name: string }) => \`Hello, \${name}.\` });
`,
  );
}

/** ["RUN", "npm ci …"]: continued lines are one, comments are left out. */
function readInstructions(text) {
  const lines = text
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)]);
}

function readVariables(value, data) {
  return Object.fromEntries(
    value
      .split(" ")
      .map((pair) => pair.split("="))
      .map(([name, one]) => [name, one.replace("/data", data)]),
  );
}

async function untilHealthy([program, ...args], env, child) {
  for (let tries = 0; tries < 60; tries++) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}.`);
    try {
      execFileSync(program, args, { env, stdio: "ignore" });
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
  throw new Error("The health check did not succeed within 30 seconds.");
}
