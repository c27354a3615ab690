import { describe, it } from "vitest";
import { providerFor, providerTargets } from "../../src/providers/providers.ts";
import { providerContract, type ProviderReply } from "../../src/testing/provider-contract.ts";
import { replyFixtures } from "./wire/replies.ts";

const calls = [
  { name: "weather", input: { city: "Berlin" } },
  { name: "files_read", input: { path: "a" } },
];

/** The replies that a vendor's own typings describe, or those of the vendor whose format it shares. */
function repliesOf(target: string): readonly ProviderReply[] {
  const sharing: Readonly<Record<string, string>> = {
    "anthropic-strict": "anthropic",
    "openai-strict": "openai-responses",
    openai: "openai-responses",
    "gemini-openapi": "gemini",
  };
  const own = replyFixtures.filter((fixture) => fixture.target === target);
  const shared = replyFixtures.filter((fixture) => fixture.target === (sharing[target] ?? "openai-chat"));
  return (own.length > 0 ? own : shared).flatMap(({ whole, streamed }) => [
    { reply: whole, calls },
    ...(streamed === undefined ? [] : [{ reply: streamed, calls }]),
  ]);
}

describe.each(providerTargets)("%s", (target) => {
  for (const check of providerContract(providerFor(target), { replies: repliesOf(target) })) it(check.name, check.run);
});
