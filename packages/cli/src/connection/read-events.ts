/** Server-sent events out of a byte stream; comments are left out, data is read as JSON. */
export async function* readEvents(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<{ readonly event: string; readonly data: unknown }, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = blocks.pop()!;
    for (const block of blocks) {
      const event = readBlock(block);
      if (event !== undefined) yield event;
    }
  }
}

function readBlock(block: string): { event: string; data: unknown } | undefined {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event: ")) event = line.slice("event: ".length);
    if (line.startsWith("data: ")) data.push(line.slice("data: ".length));
  }
  return data.length === 0 ? undefined : { event, data: JSON.parse(data.join("\n")) };
}
