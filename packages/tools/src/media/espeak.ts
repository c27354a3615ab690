import type { ProcessOperations } from "../operations/processes.ts";
import { runFilter } from "./_run-filter.ts";
import { maxSpeechBytes, type Speaker } from "./speaker.ts";

/** Speech by the program espeak-ng, on this machine. */
export function createEspeakSpeaker(processes: ProcessOperations, usualVoice = "en"): Speaker {
  return {
    used: "espeak-ng",
    async speak({ text, voice = usualVoice, signal, timeoutMs }) {
      const sound = await runFilter(processes, {
        program: "espeak-ng",
        args: ["--stdin", "--stdout", "-b", "1", "-v", voice],
        input: new TextEncoder().encode(toSpeak(text)),
        maxBytes: maxSpeechBytes,
        timeoutMs,
        signal,
      });
      return { bytes: withLengths(sound), mimeType: "audio/wav", seconds: secondsOf(sound) };
    },
  };
}

/** Control characters and "[[" are commands to the program; what somebody wrote is only ever spoken. */
function toSpeak(text: string): string {
  return text.replace(/[^\P{C}\n\t]/gu, " ").replace(/\[(?=\[)/g, "[ ");
}

const headerBytes = 44;

/** A program that writes to a pipe cannot know the length when it writes the header. */
function withLengths(sound: Uint8Array): Uint8Array {
  if (sound.length < headerBytes) return sound;
  const whole = Buffer.from(sound);
  whole.writeUInt32LE(whole.length - 8, 4);
  whole.writeUInt32LE(whole.length - headerBytes, 40);
  return whole;
}

function secondsOf(sound: Uint8Array): number {
  if (sound.length < headerBytes) return 0;
  const bytesPerSecond = Buffer.from(sound.buffer, sound.byteOffset, headerBytes).readUInt32LE(28);
  return bytesPerSecond === 0 ? 0 : Math.round(((sound.length - headerBytes) / bytesPerSecond) * 100) / 100;
}
