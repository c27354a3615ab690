/** Where a text stops being JSON: the offset of the first character that cannot stand there, or the length of the text where it ends too early. */
export function placeInJson(text: string): number {
  const open: ("}" | "]")[] = [];
  let at = 0;
  /** What may come next. */
  let state: "value" | "first item" | "first key" | "key" | "colon" | "after" = "value";
  for (;;) {
    while (at < text.length && " \t\n\r".includes(text[at] as string)) at++;
    const next = text[at];
    if (next === undefined) return at;
    if (state === "after") {
      const close = open.at(-1);
      if (close === undefined) return at;
      if (next === close) open.pop();
      else if (next === ",") state = close === "}" ? "key" : "value";
      else return at;
      at++;
    } else if (state === "colon") {
      if (next !== ":") return at;
      at++;
      state = "value";
    } else if (state === "key" || state === "first key") {
      if (next === "}" && state === "first key") {
        open.pop();
        at++;
        state = "after";
        continue;
      }
      const end = next === '"' ? endOfText(text, at) : { at, ok: false };
      if (!end.ok) return end.at;
      at = end.at;
      state = "colon";
    } else if (next === "{" || next === "[") {
      open.push(next === "{" ? "}" : "]");
      at++;
      state = next === "{" ? "first key" : "first item";
    } else if (next === "]" && state === "first item") {
      open.pop();
      at++;
      state = "after";
    } else {
      const end = next === '"' ? endOfText(text, at) : endOfWord(text, at);
      if (!end.ok) return end.at;
      at = end.at;
      state = "after";
    }
  }
}

interface End {
  readonly at: number;
  readonly ok: boolean;
}

function endOfText(text: string, start: number): End {
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at] as string;
    if (character === '"') return { at: at + 1, ok: true };
    if (character < " ") return { at, ok: false };
    if (character !== "\\") continue;
    at++;
    if (text[at] === "u") {
      for (let digit = 1; digit <= 4; digit++) if (!/^[0-9a-fA-F]$/.test(text[at + digit] ?? "")) return { at: at + digit, ok: false };
      at += 4;
    } else if (!'"\\/bfnrt'.includes(text[at] ?? "?")) return { at, ok: false };
  }
  return { at: text.length, ok: false };
}

function endOfWord(text: string, start: number): End {
  for (const word of ["true", "false", "null"]) {
    if (text[start] !== word[0]) continue;
    for (let at = 0; at < word.length; at++) if (text[start + at] !== word[at]) return { at: start + at, ok: false };
    return { at: start + word.length, ok: true };
  }
  let at = start;
  const digits = (): boolean => {
    const first = at;
    while (at < text.length && /^\d$/.test(text[at] as string)) at++;
    return at > first;
  };
  if (text[at] === "-") at++;
  if (text[at] === "0") at++;
  else if (!digits()) return { at, ok: false };
  if (text[at] === ".") {
    at++;
    if (!digits()) return { at, ok: false };
  }
  if (text[at] === "e" || text[at] === "E") {
    at++;
    if (text[at] === "+" || text[at] === "-") at++;
    if (!digits()) return { at, ok: false };
  }
  return { at, ok: true };
}
