/** One event as a CalDAV server lists it. */
export interface FoundEvent {
  readonly href: string;
  /** Its version. */
  readonly etag: string;
  /** Its iCalendar text. */
  readonly text: string;
}

/** Reads the answer of a CalDAV server to a query. It runs in another thread, so it may use nothing but its parameters. */
export function readMultiStatusProgram(load: (name: string) => unknown, { xml }: { readonly xml: string }): readonly FoundEvent[] {
  interface Element {
    readonly localName: string;
    readonly textContent: string | null;
    readonly children: Iterable<Element>;
  }
  const { DOMParser } = load("linkedom") as {
    DOMParser: new () => { parseFromString(text: string, type: string): { readonly documentElement: Element } };
  };
  const root = new DOMParser().parseFromString(xml, "text/xml").documentElement;
  if (plainName(root) !== "multistatus") throw new Error("no list of events");
  const events: FoundEvent[] = [];
  for (const response of root.children) {
    const href = textIn(response, "href");
    const text = textIn(response, "calendar-data");
    if (href !== "" && text !== "") events.push({ href, etag: textIn(response, "getetag"), text });
  }
  return events;

  /** The text of the first element of this name, whatever its prefix. */
  function textIn(element: Element, name: string): string {
    for (const child of element.children) {
      if (plainName(child) === name) return (child.textContent ?? "").trim();
      const inner = textIn(child, name);
      if (inner !== "") return inner;
    }
    return "";
  }

  function plainName({ localName }: Element): string {
    return localName.replace(/^.*:/, "").toLowerCase();
  }
}
