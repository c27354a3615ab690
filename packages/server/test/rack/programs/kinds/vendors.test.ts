import { exportTools, readCalls } from "@toolrack/core/vendors";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { expect, it } from "vitest";

it("a stored program is offered to a vendor's own programs beside, and is run when one of them calls it", async () => {
  const rack = await openTestRack({ config: { store: { memory: true } } });
  await rack.store.put({
    schema_name: "tool.definition.v1",
    title: "to_fahrenheit",
    tags: [],
    context: {
      name: "to_fahrenheit",
      description: "Converts degrees Celsius to degrees Fahrenheit.",
      inputSchema: { type: "object", properties: { celsius: { type: "number" } }, required: ["celsius"] },
      implementation: { kind: "code", source: "return { fahrenheit: input.celsius * 1.8 + 32 };" },
    },
  });
  await until(() => rack.registry.has("to_fahrenheit"));
  const tool = rack.registry.get("to_fahrenheit")!;
  const anthropic = exportTools([tool], "anthropic", { allowedCallers: ["code_execution_20260120"] });
  expect(anthropic.tools).toMatchObject([{ name: "to_fahrenheit", allowed_callers: ["code_execution_20260120"] }]);
  expect(exportTools([tool], "openai", { allowedCallers: ["programmatic"] }).tools).toMatchObject([{ allowed_callers: ["programmatic"] }]);
  const reply = {
    role: "assistant",
    content: [
      {
        type: "tool_use",
        id: "toolu_1",
        name: "to_fahrenheit",
        input: { celsius: 20 },
        caller: { type: "code_execution_20260120", tool_id: "srvtoolu_1" },
      },
    ],
  };
  const [call] = readCalls(reply, anthropic);
  const { result } = rack.call(call!.name, call!.input, { caller: { agent: "local", owner: true } });
  expect(await result).toMatchObject({ ok: true, data: { fahrenheit: 68 } });
});
