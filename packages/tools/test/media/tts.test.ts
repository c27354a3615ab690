import { createMemorySecrets, type ToolResult } from "@toolrack/core";
import { createCapabilities } from "@toolrack/core/node";
import { hasPart } from "@toolrack/core/testing";
import { type Loopback, sendJson, startLoopback } from "@toolrack/testkit/loopback";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createMediaTools, createScratchProcesses, type MediaOptions } from "../../src/index.ts";
import { invokerOf } from "../temporary-workspace.ts";

const hasEspeak = hasPart("espeak-ng", createCapabilities().has("binary:espeak-ng"));
const processes = createScratchProcesses();
afterAll(() => processes.close());

const speak = (input: object, options: MediaOptions = {}, secrets = {}): Promise<ToolResult> =>
  invokerOf(createMediaTools({ operations: { processes }, ...options }), {
    capabilities: createCapabilities({ overrides: { network: true } }),
    secrets: createMemorySecrets(secrets),
  })("tts", input);

function soundOf(result: ToolResult): Buffer {
  const block = result.ok ? result.blocks?.find(({ type }) => type === "audio") : undefined;
  return Buffer.from(block?.type === "audio" ? block.data : "", "base64");
}
const secondsOf = (result: ToolResult): number => (result.ok ? (result.data as { readonly seconds: number }).seconds : 0);

describe.skipIf(!hasEspeak)("tts by espeak-ng", () => {
  it("gives the sound itself, as a WAV file whose header tells its length", async () => {
    const result = await speak({ text: "Hello. The kettle is on." });
    expect(result).toMatchObject({ ok: true, data: { mimeType: "audio/wav", used: "espeak-ng" } });
    const sound = soundOf(result);
    expect(sound.toString("latin1", 0, 4)).toBe("RIFF");
    expect(sound.readUInt32LE(4)).toBe(sound.length - 8);
    expect(sound.readUInt32LE(40)).toBe(sound.length - 44);
    expect(secondsOf(result)).toBeGreaterThan(1);
  });

  it("AH23: options, markup and control characters are spoken, not obeyed", async () => {
    const word = secondsOf(await speak({ text: "tea" }));
    for (const text of [
      "-f /etc/passwd",
      "--phonout=/tmp/x",
      '<speak><break time="90s"/><audio src="/etc/passwd"/></speak>',
      "\u00011S tea",
    ]) {
      const seconds = secondsOf(await speak({ text }));
      expect([text, seconds > word * 0.5, seconds < 30]).toEqual([text, true, true]);
    }
  });

  it("speaks brackets, however many, as the same signs with blanks between them", async () => {
    for (const brackets of ["[[", "[[[", "[[[["]) {
      const [written, apart] = [await speak({ text: `${brackets}h@loU]]` }), await speak({ text: `${[...brackets].join(" ")}h@loU]]` })];
      expect([brackets, written.ok && soundOf(written).equals(soundOf(apart))]).toEqual([brackets, true]);
    }
  });

  it("takes a voice by name, and nothing that could be an option", async () => {
    const [english, german] = [await speak({ text: "tea" }), await speak({ text: "tea", voice: "de" })];
    expect(german.ok && english.ok && !soundOf(german).equals(soundOf(english))).toBe(true);
    expect(await speak({ text: "tea", voice: "-f" })).toMatchObject({ ok: false, code: "INPUT_INVALID" });
    expect(await speak({ text: "tea", voice: "nosuchvoice" })).toMatchObject({
      ok: false,
      error: expect.stringContaining("espeak-ng failed"),
    });
    expect(() => createMediaTools({ speech: { voice: "/etc/passwd" } })).toThrow(/must be the name of one/);
  });

  it("refuses what is longer than 4,096 characters, and what would play for longer than can be passed on", async () => {
    expect(await speak({ text: "a".repeat(4_097) })).toMatchObject({ ok: false, code: "INPUT_INVALID" });
    expect(await speak({ text: "  \n" })).toMatchObject({ ok: false, code: "INPUT_INVALID" });
    expect(await speak({ text: "7 ".repeat(2_048) })).toMatchObject({ ok: false, code: "RESULT_TOO_LARGE" });
  });
});

describe("tts by a service", () => {
  let server: Loopback;
  let status = 200;
  let type = "audio/mpeg";
  beforeAll(async () => {
    server = await startLoopback((_, response) => {
      if (status !== 200) return sendJson(response, { error: { message: "No such voice." } }, status);
      response.writeHead(200, { "content-type": type }).end("SOUND");
    });
  });
  beforeEach(() => {
    status = 200;
    type = "audio/mpeg";
    server.seen.length = 0;
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const ask = (input: object) =>
    speak(
      input,
      { speech: { service: { baseUrl: `${server.url}/v1`, model: "voice-1", secret: "speech-key" } } },
      { "speech-key": "key-7" },
    );

  it("sends the text as it is, and gives the sound that comes back", async () => {
    const result = await ask({ text: "<speak>Hi</speak>", voice: "nova" });
    expect(result).toMatchObject({ ok: true, data: { mimeType: "audio/mpeg", bytes: 5, used: "voice-1" } });
    expect(soundOf(result).toString()).toBe("SOUND");
    expect(server.seen[0]).toMatchObject({ method: "POST", path: "/v1/audio/speech", headers: { authorization: "Bearer key-7" } });
    expect(JSON.parse(server.seen[0]!.body)).toEqual({
      model: "voice-1",
      voice: "nova",
      input: "<speak>Hi</speak>",
      response_format: "mp3",
    });
    expect(await ask({ text: "Hi", channel: "telegram" })).toMatchObject({ data: { mimeType: "audio/ogg" } });
  });

  it.each([["application/json"], ["text/html; charset=utf-8"]])("takes an answer of the type %s for no sound", async (other) => {
    type = other;
    expect(await ask({ text: "Hi" })).toMatchObject({ ok: false, error: expect.stringContaining(`answered with ${other.split(";")[0]!}`) });
  });

  it("says what the service said, and never the key", async () => {
    status = 400;
    const refused = await ask({ text: "Hi" });
    expect(refused).toMatchObject({ ok: false, error: expect.stringContaining("No such voice") });
    status = 401;
    const denied = await ask({ text: "Hi" });
    expect(denied).toMatchObject({ ok: false, code: "NEEDS_CONFIGURATION" });
    expect(JSON.stringify([refused, denied])).not.toContain("key-7");
  });
});
