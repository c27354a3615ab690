// One registry, several vendors: each gets the tools in its own format, and its calls are converted back.
import assert from "node:assert/strict";
// #region imports
import { createRegistry, defineTool } from "@toolrack/core";
import { readPolicyConfig } from "@toolrack/core/policy";
import { exportTools, readCalls, writeChoice, writeResults } from "@toolrack/core/vendors";
import { mockTool } from "@toolrack/core/testing";
// #endregion

// #region tools
const findTrains = defineTool({
  name: "travel.find_trains",
  description: "Finds trains between two cities.",
  inputSchema: {
    type: "object",
    properties: { from: { type: "string" }, to: { type: "string", minLength: 2 }, seats: { type: "integer", default: 1 } },
    required: ["from", "to"],
  },
  handler: ({ from, to, seats }) => ({ train: `${from} 08:15 - ${to} 14:58`, seats }),
});
const registry = createRegistry({ policy: readPolicyConfig({ agents: { guide: { tools: { deny: ["pay"] } } } }) });
registry.register(findTrains);
registry.register(mockTool("pay"));
// #endregion

// #region export
const caller = { agent: "guide" };
const claude = exportTools(registry.view(caller).tools, "anthropic");
const gemini = exportTools(registry.view(caller).tools, "gemini");
console.dir(claude.tools, { depth: null }); // what goes into the request
console.dir(gemini.tools, { depth: null });
// #endregion
assert.equal(claude.tools.length, 1); // pay is hidden from this agent
assert.equal(gemini.names["travel.find_trains"], "travel.find_trains");
assert.equal(claude.text, JSON.stringify(claude.tools));

// #region losses
for (const { severity, code, message } of claude.diagnostics) console.log(`${severity} ${code}: ${message}`);
for (const { tool, path, keyword, note } of gemini.losses) console.log(`${tool} loses ${keyword} at ${path}: ${note}`);
// #endregion
assert.deepEqual(
  gemini.losses.map(({ keyword }) => keyword),
  ["minLength", "default"],
);

// #region round
const wireName = Object.keys(claude.names)[0]!; // the name that the vendor knows
// A reply as the vendor sends it; the second call breaks a rule that the model may have overlooked.
const reply = {
  content: [
    { type: "text", text: "I will look." },
    { type: "tool_use", id: "toolu_1", name: wireName, input: { from: "Oslo", to: "Bergen" } },
    { type: "tool_use", id: "toolu_2", name: wireName, input: { from: "Oslo", to: "B" } },
  ],
};
const calls = readCalls(reply, claude);
const results = await registry.callAll(calls, { caller });
const messages = writeResults(calls, results, claude); // append these to the conversation
// #endregion
assert.equal(claude.names[wireName], "travel.find_trains");
console.dir(messages, { depth: null });
assert.deepEqual(
  results.map(({ ok }) => ok),
  [true, false],
);

// #region wrong
const body: unknown = reply; // as response.json() gives it
try {
  readCalls(body, "openai-chat");
} catch (error) {
  console.log((error as Error).message);
}
// #endregion
assert.throws(() => readCalls(undefined as unknown, claude), { code: "REPLY_INVALID" });

// #region choice
console.log(writeChoice({ tool: "travel.find_trains" }, claude, { parallel: false }));
// #endregion

// #region broken
const chat = exportTools(registry.view(caller).tools, "openai-chat");
const cut = { choices: [{ message: { tool_calls: [{ id: "call_1", function: { name: wireName, arguments: '{"from": "Osl' } }] } }] };
const [broken] = readCalls(cut, chat);
console.log(broken?.error?.code, writeResults([broken!], [], chat));
// #endregion
assert.equal(broken?.error?.code, "INPUT_INVALID");
