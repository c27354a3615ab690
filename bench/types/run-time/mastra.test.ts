import { expect, it } from "vitest";
import { createAgent } from "../mastra.ts";
import { png } from "../registry.ts";
import { createScriptedModel, outputsIn } from "./scripted-model.ts";

it("an Agent with toMastra shows the model our data, our images and our failures", async () => {
  const calls = [
    { name: "weather_today_e5abcfe6", input: { city: "Oslo" } },
    { name: "camera", input: {} },
    { name: "weather_today_e5abcfe6", input: {} },
  ];
  const { model, seen } = createScriptedModel(calls);
  const { text } = await createAgent(model as never).generate("How is the street?", { maxSteps: 3 });
  expect(text).toBe("Done.");
  expect(outputsIn(seen)).toMatchObject([
    { type: "json", value: { city: "Oslo", sky: "clear" } },
    {
      type: "content",
      value: [
        { type: "text", text: "The street, now." },
        { type: "file", data: { type: "data", data: png }, mediaType: "image/png" },
      ],
    },
    { type: expect.stringMatching(/^error/) },
  ]);
});
