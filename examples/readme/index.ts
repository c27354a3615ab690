import assert from "node:assert/strict";
// #region example
import { createRegistry, defineTool } from "@toolrack/core";

const weather = defineTool({
  name: "get_weather",
  description: "Tells today's weather in a city.",
  inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  handler: ({ city }) => ({ city, sky: "clear", celsius: 21 }), // city is a string, from the schema
});
const registry = createRegistry();
registry.register(weather);
const right = await registry.invoke("get_weather", { city: "Oslo" });
const wrong = await registry.invoke("get_weather", { town: "Oslo" });
// #endregion

console.log(right.ok && right.content);
console.log(wrong.ok || wrong.error);
assert(right.ok && right.content === '{"city":"Oslo","sky":"clear","celsius":21}');
assert(!wrong.ok && wrong.code === "INPUT_INVALID");
