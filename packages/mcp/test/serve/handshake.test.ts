import { describe, expect, it } from "vitest";
import { answerInitialize, readClientInfo } from "../../src/serve/handshake.ts";
import { readPromptInput } from "../../src/serve/library/prompts.ts";
import { legacyVersions, protocolVersions } from "../../src/wire/protocol.ts";

const info = { name: "rack", version: "1" };

describe("the handshake of the legacy era", () => {
  it("keeps the version that is asked for where it is known, and offers the newest where not", () => {
    for (const protocolVersion of legacyVersions)
      expect(answerInitialize({ protocolVersion }, info, undefined, true)).toMatchObject({ protocolVersion, serverInfo: info });
    for (const protocolVersion of ["2031-01-01", "2026-07-28", ""])
      expect(answerInitialize({ protocolVersion }, info, undefined, true).protocolVersion).toBe(legacyVersions[0]);
    expect(() => answerInitialize({}, info, undefined, true)).toThrow("protocolVersion must be a text.");
  });

  it("is one of all versions that can be spoken, newest first", () => {
    expect(protocolVersions).toEqual(["2026-07-28", "2025-11-25", "2025-06-18"]);
  });

  it("offers without a session neither a log nor resources to listen to", () => {
    const [protocolVersion] = legacyVersions;
    expect(answerInitialize({ protocolVersion }, info, "Be kind.", true)).toEqual({
      protocolVersion,
      serverInfo: info,
      instructions: "Be kind.",
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        completions: {},
        logging: {},
      },
    });
    expect(answerInitialize({ protocolVersion }, info, undefined, false)).toEqual({
      protocolVersion,
      serverInfo: info,
      capabilities: { tools: { listChanged: true }, prompts: { listChanged: true }, resources: { listChanged: true }, completions: {} },
    });
  });

  it.each<[given: unknown, read: unknown]>([
    [
      { name: "editor", version: "2" },
      { name: "editor", version: "2" },
    ],
    [{ name: "editor" }, { name: "editor", version: "" }],
    [
      { name: "editor", version: 2 },
      { name: "editor", version: "" },
    ],
    [{ version: "2" }, undefined],
    ["editor", undefined],
    [undefined, undefined],
  ])("reads who the client is: %j", (given, read) => expect(readClientInfo(given)).toEqual(read));
});

describe("the arguments of a prompt", () => {
  const prompt = { name: "greet", arguments: [{ name: "who", required: true }, { name: "tone" }], get: () => [] };

  it("are texts, the required ones among them", () => {
    expect({ ...readPromptInput(prompt, { who: "Ada", other: "x" }) }).toEqual({ who: "Ada", other: "x" });
    expect({ ...readPromptInput({ name: "plain", get: () => [] }, {}) }).toEqual({});
    expect(() => readPromptInput(prompt, { who: 5 })).toThrow(
      expect.objectContaining({ code: "INPUT_INVALID", message: 'The argument "who" of prompt "greet" must be a text.' }),
    );
    expect(() => readPromptInput(prompt, { tone: "kind" })).toThrow(
      expect.objectContaining({ code: "INPUT_INVALID", message: 'The prompt "greet" needs the argument "who".' }),
    );
    expect(() => readPromptInput({ ...prompt, arguments: [{ name: "toString", required: true }] }, {})).toThrow('"toString"');
  });
});
