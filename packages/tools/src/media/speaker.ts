/** Turns text into sound. */
export interface Speaker {
  /** What results name as their origin: "espeak-ng". */
  readonly used: string;
  speak(request: SpeechRequest): Promise<Speech>;
}

export interface SpeechRequest {
  readonly text: string;
  /** @default the speaker's own */
  readonly voice?: string | undefined;
  /** Where it will be played: "telegram". */
  readonly channel?: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface Speech {
  readonly bytes: Uint8Array;
  readonly mimeType: string;
  /** How long it plays, if the format tells. */
  readonly seconds?: number;
}

/** A registry passes on no more than this: about six minutes as the program writes them. */
export const maxSpeechBytes: number = 16 * 1024 * 1024;
