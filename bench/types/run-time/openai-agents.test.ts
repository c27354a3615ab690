import { type Model, type ModelRequest, Usage } from "@openai/agents";
import { expect, it } from "vitest";
import { answer } from "../openai-agents.ts";
import { png } from "../registry.ts";

it("an Agent with toOpenAIAgents shows the model our data, our images and our failures", async () => {
  const requests: ModelRequest[] = [];
  const call = (callId: string, name: string, input: object) =>
    ({ type: "function_call", callId, name, arguments: JSON.stringify(input), status: "completed" }) as const;
  const calls = [call("1", "weather_today_e5abcfe6", { city: "Oslo" }), call("2", "camera", {}), call("3", "weather_today_e5abcfe6", {})];
  const done = { type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text: "Done." }] } as const;
  const model: Model = {
    async getResponse(request) {
      requests.push(request);
      return { usage: new Usage(), output: requests.length === 1 ? [...calls] : [{ ...done, content: [...done.content] }] };
    },
    getStreamedResponse() {
      throw new Error("Nobody streams here.");
    },
  };
  const { finalOutput } = await answer(model, "How is the street?");
  expect(finalOutput).toBe("Done.");
  const results = (requests[1]!.input as { type?: string; output?: unknown }[]).filter(({ type }) => type === "function_call_result");
  expect(results.map(({ output }) => output)).toMatchObject([
    { type: "text", text: '{"city":"Oslo","sky":"clear"}' },
    [
      { type: "input_text", text: "The street, now." },
      { type: "input_image", image: `data:image/png;base64,${png}` },
    ],
    { type: "text", text: expect.stringMatching(/^Error: The input of "weather.today" is not valid/) },
  ]);
});
