const maxDepth = 200;

const jsonStart = /\{\s*["}]|\[\s*[[{\]"\dtfn-]/y;

/** Whether what begins here could be an object or a list: most braces in prose and code could not. */
export function mayBeJson(text: string, start: number): boolean {
  jsonStart.lastIndex = start;
  return jsonStart.test(text);
}

/** Where the object or list that begins here ends, by its brackets; undefined if the text is over before that, or the brackets do not match. */
export function endOfJson(text: string, start: number): number | undefined {
  const closers: string[] = [];
  const mark = /["{}[\]]/g;
  mark.lastIndex = start;
  for (let match = mark.exec(text); match !== null; match = mark.exec(text)) {
    const character = match[0];
    if (character === '"') {
      const end = endOfString(text, match.index);
      if (end === undefined) return undefined;
      mark.lastIndex = end;
    } else if (character === "{" || character === "[") {
      if (closers.push(character === "{" ? "}" : "]") > maxDepth) return undefined;
    } else if (closers.pop() !== character) return match.index + 1;
    else if (closers.length === 0) return match.index + 1;
  }
  return undefined;
}

/** The value of a JSON text, wrapped in an object because the value may be null or false; undefined if it is not JSON. */
export function readJson(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function endOfString(text: string, start: number): number | undefined {
  const quote = /[^\\](?:\\\\)*"/g;
  quote.lastIndex = start;
  if (text[start + 1] === '"') return start + 2;
  const match = quote.exec(text);
  return match === null ? undefined : quote.lastIndex;
}
