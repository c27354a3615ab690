import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { placeFor } from "../lib/peers.mjs";

export const title = "Frameworks: our tools in the hands of the libraries that people use";

const frameworks = [
  { name: "AI SDK", file: "./ai-sdk.mjs", needs: ["ai"] },
  { name: "LangChain", file: "./langchain.mjs", needs: ["@langchain/core"] },
  { name: "OpenAI Agents", file: "./openai-agents.mjs", needs: ["@openai/agents-core"] },
  { name: "Mastra", file: "./mastra.mjs", needs: ["@mastra/core", "ai"] },
];

/** Each framework in a process of its own, under a Node that it accepts. */
export async function run() {
  const rows = [];
  for (const framework of frameworks) rows.push(await toRow(framework));
  return [
    {
      caption: "A scripted model sees two tools and calls them: well, wrongly, and into an error",
      columns: ["framework", "version", "Node", "passed", "failed", "verdict"],
      rows,
    },
  ];
}

async function toRow({ name, file, needs }) {
  const { node, version, notRun } = placeFor(needs);
  if (notRun !== undefined) return [name, "", "", "not run", "", notRun];
  const checks = await checkInChild(node, new URL(file, import.meta.url));
  const failed = checks.filter(({ ok }) => !ok);
  for (const { what, found } of failed) console.error(`${name}: not true that ${what}; found ${found}`);
  const verdict = failed.length === 0 ? "ok" : "over";
  return [name, installedVersion(needs[0]), version, String(checks.length - failed.length), String(failed.length), verdict];
}

/** What the process answers; its failing is a failed check, so that the other frameworks are still checked. */
function checkInChild(execPath, file) {
  return new Promise((resolve) => {
    const fail = (found) => resolve([{ what: "the library runs our tools", ok: false, found }]);
    const child = fork(fileURLToPath(new URL("./child.mjs", import.meta.url)), [file.href], { execPath, execArgv: [], timeout: 60_000 });
    child.on("message", ({ checks, error }) => (error === undefined ? resolve(checks) : fail(error)));
    child.on("error", (error) => fail(error.message));
    child.on("exit", (code, signal) => fail(`the process ended with ${code ?? signal}`));
  });
}

function installedVersion(name) {
  return JSON.parse(readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), "utf8")).version;
}
