import type { ToolError } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import type { Channel } from "../../src/messages/channels/channel.ts";

/** What every channel does. `told` are the texts that people would see; `mood` sets what the other side does with the next request. */
export interface OpenedChannel {
  readonly channel: Channel;
  readonly secret: string;
  told(): readonly { readonly target: string; readonly text: string }[];
  mood(mood: "refuse" | "lose"): void;
}

export function channelContract(name: string, target: string, open: () => OpenedChannel): void {
  describe(`the channel ${name}`, () => {
    const send = ({ channel }: OpenedChannel, text: string, signal = new AbortController().signal) =>
      channel.send({ target, text, key: "k".repeat(64), signal });
    const failureOf = (sending: Promise<unknown>): Promise<ToolError> =>
      sending.then(
        () => expect.fail("It was sent."),
        (error: unknown) => error as ToolError,
      );

    it("sends the text to one recipient, as it was written", async () => {
      const opened = open();
      const { messageId } = await send(opened, "Tea at five.\nBring milk.");
      expect(opened.told()).toEqual([{ target, text: "Tea at five.\nBring milk." }]);
      expect(typeof messageId).toBe("string");
    });

    it("says what was refused, and that is certain", async () => {
      const opened = open();
      opened.mood("refuse");
      const error = await failureOf(send(opened, "Hello"));
      expect(error).toMatchObject({ code: "TOOL_FAILED", retryable: false });
      expect(opened.told()).toEqual([]);
      expect(error.message).not.toContain(opened.secret);
    });

    it("AH19: tells that nobody knows, where the other side is gone in the middle", async () => {
      const opened = open();
      opened.mood("lose");
      const error = await failureOf(send(opened, "Hello"));
      expect(error).toMatchObject({ code: "OUTCOME_UNKNOWN", retryable: false, message: expect.stringContaining("may have been sent") });
      expect(error.message).not.toContain(opened.secret);
    });

    it("sends nothing for a call that was cancelled before", async () => {
      const opened = open();
      await failureOf(send(opened, "Hello", AbortSignal.abort()));
      expect(opened.told()).toEqual([]);
    });

    it("changes, marks, reads and deletes what it sent, where it can", async () => {
      const opened = open();
      const { channel } = opened;
      const { messageId = "" } = await send(opened, "first");
      const place = { target, messageId, signal: new AbortController().signal };
      await channel.edit?.(place, "second");
      if (channel.edit) expect(opened.told()).toEqual([{ target, text: "second" }]);
      await channel.react?.(place, "🍵");
      const read = await channel.read?.({ target, limit: 5, signal: place.signal });
      if (read) expect(read).toMatchObject([{ messageId, text: "second" }]);
      await channel.remove?.(place);
      if (channel.remove) expect(opened.told()).toEqual([]);
    });
  });
}
