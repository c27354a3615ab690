import { PassThrough } from "node:stream";
import { turns } from "@toolrack/testkit/turns";
import { describe, expect, it } from "vitest";
import { readLines } from "../../src/wire/lines.ts";

async function linesOf(pieces: readonly (string | Buffer)[], maxBytes = 100, end: (input: PassThrough) => void = (input) => input.end()) {
  const input = new PassThrough();
  const seen: unknown[] = [];
  readLines(input, maxBytes, { line: (bytes) => void seen.push(Buffer.from(bytes).toString()), end: (tooLong) => void seen.push(tooLong) });
  for (const piece of pieces) {
    input.emit("data", piece);
    await turns(1);
  }
  end(input);
  await turns(3);
  return { seen, input };
}

describe("lines of standard input", () => {
  it("are told when they are complete, in whatever pieces they come", async () => {
    expect((await linesOf(["one\ntwo\n"])).seen).toEqual(["one", "two", false]);
    expect((await linesOf(["o", "n", Buffer.from("e\nt"), "wo\nrest"])).seen).toEqual(["one", "two", false]);
    const bytes = Buffer.from("é\n");
    expect((await linesOf([bytes.subarray(0, 1), bytes.subarray(1)])).seen).toEqual(["é", false]);
  });

  it("are told no more once the input is over, also within one piece", () => {
    const input = new PassThrough();
    const seen: unknown[] = [];
    readLines(input, 100, {
      line: (bytes) => (seen.push(Buffer.from(bytes).toString()), input.emit("close")),
      end: () => seen.push("end"),
    });
    input.emit("data", "one\ntwo\n");
    expect(seen).toEqual(["one", "end"]);
  });

  it("are passed over where they are blank", async () => {
    expect((await linesOf(["\n \t\r\n\r\nx \n"])).seen).toEqual(["x ", false]);
  });

  it("end the reading where one is too long, and nothing is read after that", async () => {
    expect((await linesOf(["0123456789", "\nnext\n"], 10)).seen).toEqual(["0123456789", "next", false]);
    const { seen, input } = await linesOf(["01234567890", "\nnext\n"], 10);
    expect([seen, input.listenerCount("data")]).toEqual([[true], 0]);
    expect((await linesOf(["ok\n01234567890"], 10)).seen).toEqual(["ok", true]);
    expect((await linesOf(["ok\n01234567890\nnext\n"], 10)).seen).toEqual(["ok", true]);
    expect((await linesOf(["012345", "67890\nnext\n"], 10)).seen).toEqual([true]);
    expect((await linesOf(["012345", "67890"], 10)).seen).toEqual([true]);
    expect((await linesOf(["012345\n", "67890\n"], 6)).seen).toEqual(["012345", "67890", false]);
  });

  it.each(["end", "close", "error"])("are over with the input, told once: %s", async (event) => {
    const { seen } = await linesOf(["x\n"], 10, (input) => {
      input.emit(event, new Error("gone"));
      input.emit("close");
    });
    expect(seen).toEqual(["x", false]);
  });
});
