// #region registry
import { createRegistry, defineTool, type InvokeOptions } from "@toolrack/core";

const weather = defineTool({
  name: "weather.today",
  description: "Tells today's weather in a city.",
  inputSchema: { type: "object", properties: { city: { type: "string", minLength: 1 } }, required: ["city"] },
  handler: ({ city }) => ({ city, sky: "clear" }),
});

export const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";

const camera = defineTool({
  name: "camera",
  description: "Takes a picture of the street.",
  inputSchema: { type: "object", properties: {} },
  handler: () => [
    { type: "text", text: "The street, now." },
    { type: "image", data: png, mimeType: "image/png" },
  ],
});

export const registry = createRegistry();
registry.register(weather);
registry.register(camera);

const caller = { agent: "guide" };
export const { tools } = registry.view(caller);
export const call = (name: string, input: unknown, options: InvokeOptions) => registry.invoke(name, input, { ...options, caller });
// #endregion
