import { measureWithPeers } from "../lib/peers.mjs";
import { toTable } from "../lib/table.mjs";
import { measureRegistering } from "./registering.mjs";

export const title = "Calls: look-up, permission, validation, timing and result, beside other libraries";

const at = (file) => new URL(file, import.meta.url);
const unit = { name: "ajv check + bare handler", file: at("./unit.mjs"), needs: ["ajv"] };
const peers = [
  { name: "AI SDK (Zod)", file: at("./ai-sdk.mjs"), needs: ["ai", "zod"] },
  { name: "Mastra (Zod)", file: at("./mastra.mjs"), needs: ["@mastra/core", "zod"] },
  { name: "OpenAI Agents", file: at("./openai-agents.mjs"), needs: ["@openai/agents-core"] },
  { name: "LangChain (Zod)", file: at("./langchain.mjs"), needs: ["@langchain/core", "zod"] },
];

const absent = [
  { name: "Genkit", notRun: "not among the packages of bench: it brings 310 MB" },
  { name: "pi", notRun: "cannot be installed: a package it needs is not in the registry" },
];

export async function run() {
  const toolrack = { name: "Toolrack invoke", file: at("./toolrack.mjs") };
  const valid = await measureWithPeers({ unit, subjects: [{ ...toolrack, target: 2.5 }, ...peers], setting: { input: "valid" } });
  const bounded = { ...toolrack, name: "Toolrack invoke, deadline + signal", target: 5 };
  const deadline = await measureWithPeers({ unit, subjects: [bounded], setting: { input: "valid", deadline: true } });
  const read = { name: "Toolrack, every sentence read", file: at("./toolrack-read.mjs") };
  const refused = await measureWithPeers({ unit, subjects: [{ ...toolrack, target: 5 }, read, ...peers], setting: { input: "invalid" } });
  return [
    toTable("A valid call", [...valid, ...absent]),
    toTable("A valid call with a deadline and the caller's signal", deadline),
    toTable("A refusal that lists every fault", [...refused, ...absent]),
    await measureRegistering(),
  ];
}
