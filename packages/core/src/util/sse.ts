/** One server-sent event. */
export interface ServerSentEvent {
  readonly id?: string | undefined;
  /** "message" where the stream does not name it. */
  readonly event: string;
  readonly data: string;
}

/** "3", "call-end", "{}" → "id: 3\nevent: call-end\ndata: {}\n\n". Throws for an id or a name of several lines: the rest would be read as fields. */
export function toEventText({ id, event, data }: ServerSentEvent): string {
  const named = `event: ${oneLine("name", event)}\n`;
  const lines = /[\r\n]/.test(data) ? data.replaceAll(/\r\n|\n|\r/g, "\ndata: ") : data;
  return `${id === undefined ? "" : `id: ${oneLine("id", id)}\n`}${named}data: ${lines}\n\n`;
}

/** The given field of an event, which is one line. */
export function oneLine(field: string, text: string): string {
  if (!/[\r\n\0]/.test(text)) return text;
  throw new TypeError(
    `The ${field} of an event must be one line without a null character, but it is ${JSON.stringify(text.slice(0, 100))}.`,
  );
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
