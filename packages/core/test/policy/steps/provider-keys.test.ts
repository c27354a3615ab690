import { describe, expect, it } from "vitest";
import { providerKeys } from "../../../src/policy/steps/provider-keys.ts";

describe("the keys of a provider", () => {
  it.each([
    [{ provider: "OpenAI", model: " GPT-X " }, ["openai/gpt-x", "openai"]],
    [{ provider: "openai" }, ["openai"]],
    [{ provider: "openrouter", model: "anthropic/claude" }, ["openrouter/anthropic/claude", "openrouter"]],
    [{ provider: "openai", model: "openai/gpt-x" }, ["openai/gpt-x", "openai"]],
    [{ model: "openai/gpt-x" }, ["openai/gpt-x", "openai"]],
    [{ model: "gpt-x" }, []],
    [{}, []],
    [{ provider: 5 as unknown as string }, []],
  ])("of %j are %j", (caller, keys) => {
    expect(providerKeys(caller)).toEqual(keys);
  });
});
