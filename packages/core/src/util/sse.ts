/** One server-sent event. */
export interface ServerSentEvent {
  readonly id?: string | undefined;
  /** "message" where the stream does not name it. */
  readonly event: string;
  readonly data: string;
}

/** "3", "call-end", "{}" → "id: 3\nevent: call-end\ndata: {}\n\n" */
export function toEventText({ id, event, data }: ServerSentEvent): string {
  const named = id === undefined ? `event: ${event}\n` : `id: ${id}\nevent: ${event}\n`;
  return `${named}data: ${data.includes("\n") ? data.replaceAll("\n", "\ndata: ") : data}\n\n`;
}

/**
 * Takes the text of a stream piece by piece, cut anywhere, and returns the events that each piece completes. Follows the HTML standard: lines
 * end with "\n", "\r\n" or "\r", the space after a colon is optional, and comments and events without data are left out. Uses nothing that
 * browsers do not have.
 */
export function createEventReader(): (piece: string) => readonly ServerSentEvent[] {
  let line = "";
  let id: string | undefined;
  let event = "";
  let data: string[] = [];
  let isFirst = true;
  let endedWithReturn = false;

  function take(text: string): void {
    const colon = text.indexOf(":");
    const field = colon === -1 ? text : text.slice(0, colon);
    const value = colon === -1 ? "" : text.slice(text[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "data") data.push(value);
    else if (field === "event") event = value;
    else if (field === "id") id = value;
  }

  function complete(): ServerSentEvent | undefined {
    const made = data.length === 0 ? undefined : { ...(id !== undefined && { id }), event: event || "message", data: data.join("\n") };
    id = undefined;
    event = "";
    data = [];
    return made;
  }

  return (piece) => {
    if (piece === "") return [];
    const text = (isFirst && piece.startsWith("\uFEFF")) || (endedWithReturn && piece.startsWith("\n")) ? piece.slice(1) : piece;
    isFirst = false;
    endedWithReturn = piece.endsWith("\r");
    const [rest = "", ...lines] = text.split(/\r\n|\n|\r/);
    const events: ServerSentEvent[] = [];
    line += rest;
    for (const next of lines) {
      if (line !== "") take(line);
      else {
        const made = complete();
        if (made !== undefined) events.push(made);
      }
      line = next;
    }
    return events;
  };
}
