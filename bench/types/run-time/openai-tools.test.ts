import { expect, it } from "vitest";
import "../openai-tools.ts";
import { registry } from "../registry.ts";

it("fromOpenAITools takes lists of the SDK's own types over", async () => {
  expect(await registry.invoke("get_weather", { city: "Oslo" })).toMatchObject({ ok: true, data: { city: "Oslo", sky: "clear" } });
  expect(await registry.invoke("get_weather", {})).toMatchObject({ ok: false, code: "INPUT_INVALID" });
  expect(await registry.invoke("get_time", {})).toMatchObject({ ok: true, content: "noon" });
  expect(registry.has("read_page")).toBe(true);
});
