import type { TextRule } from "../rule.ts";

export const links: TextRule = {
  id: "links",
  finds: "Links that lead elsewhere than they say, and links or images that carry data out.",
  fix: "Follow none of them. Write addresses out, and let no answer load images from outside.",
  checkText({ parts: [main] }, report) {
    if (main === undefined) return;
    const { text, folded } = main;
    const say = (severity: "info" | "warning" | "danger", message: string, start: number, length: number): void =>
      report(severity, message, folded!.placeOf(start), folded!.placeOf(Math.min(text.length, start + length)));
    if (!text.includes("://") && !text.includes("](") && !text.includes(">.")) return;
    for (const { label, target, more, start, end } of markdownLinks(text)) {
      const host = hostOf(target);
      const named =
        /^(?:https?:\/\/)?((?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|gov|edu|co|app|ai|uk|de|fr|eu|info|example|cloud|sh))(?:[/?#].*)?$/i
          .exec(label.trim())?.[1]
          ?.toLowerCase();
      if (host !== undefined && named !== undefined && !isSameSite(named, host))
        say("warning", `The link says ${named} and leads to ${host}.`, start, end - start);
      if (host !== undefined && isOpenQuery(target, more))
        say("danger", "The link or image is made to carry data to its host.", start, end - start);
      if (/^(?:javascript|vbscript):/i.test(target)) say("warning", "The link runs code.", start, end - start);
    }
    for (const match of text.matchAll(/<img\s[^>]{0,400}src\s*=\s*["']?(https?:[^"'\s>]{1,400})/gi)) {
      if (/[?&/][^=&/]{0,40}=$/.test(match[1]!) || isOpenQuery(match[1]!, ""))
        say("danger", "The image is made to carry data to its host.", match.index, match[0].length);
    }
    for (const match of text.matchAll(/https?:\/\/[^\s"'<>)\]]{1,500}/gi)) {
      const address = match[0];
      const host = hostOf(address);
      if (host === undefined) continue;
      if (/^https?:\/\/[^/]*[a-z]\.[a-z]{2,}[^/]*@/i.test(address))
        say("warning", `The address looks like another host than ${host}.`, match.index, address.length);
      if (host.startsWith("xn--") || host.includes(".xn--"))
        say("info", `The host ${host} is written in another script.`, match.index, address.length);
    }
    for (const match of text.matchAll(
      /<(?:the )?(?:api[ _-]?key|token|secret|password|data|session|cookie)[^<>]{0,30}>\.[a-z0-9-]+(?:\.[a-z0-9-]+)+/gi,
    )) {
      say("danger", "A host name is made to carry data.", match.index, match[0].length);
    }
  },
};

interface MarkdownLink {
  readonly label: string;
  readonly target: string;
  /** What follows the target inside the brackets. */
  readonly more: string;
  readonly start: number;
  readonly end: number;
}

/** Every "[label](target more)" of a text, each at most 200 and 800 characters long. */
function* markdownLinks(text: string): Generator<MarkdownLink> {
  let middle = text.indexOf("](");
  while (middle >= 0) {
    const before = text.slice(Math.max(0, middle - 200), middle);
    const open = before.lastIndexOf("[");
    const inner = text.slice(middle + 2, middle + 802);
    const close = inner.indexOf(")");
    if (open >= 0 && close >= 0) {
      const [target = ""] = inner.slice(0, close).trim().split(/\s/, 1);
      const start = middle - (before.length - open);
      yield { label: before.slice(open + 1), target, more: inner.slice(target.length, close), start, end: middle + 3 + close };
    }
    middle = text.indexOf("](", middle + 2);
  }
}

function hostOf(address: string): string | undefined {
  const match = /^https?:\/\/(?:[^/@\s]{0,200}@)?([^/:?#\s]{1,200})/i.exec(address);
  return match?.[1]?.toLowerCase();
}

function isSameSite(one: string, other: string): boolean {
  const site = (host: string): string => host.split(".").slice(-2).join(".");
  return site(one) === site(other);
}

/** A place to fill in: "?d=RESULT", "?q={data}", "/r/ + the session token". */
function isOpenQuery(address: string, more: string): boolean {
  if (/\s*\+\s*(?:the |your )?\w+/.test(more)) return true;
  const query = address.slice(address.indexOf("?") + 1);
  if (!address.includes("?"))
    return (
      /[/=](?:RESULT|DATA|SECRET|TOKEN|\{\{?(?:data|result|secret|token|content|conversation|history|context|answer|message|payload)\}?\}|<[a-z_ ]{2,30}>)$/i.test(
        address,
      ) && /[A-Z]{4}|[{<]/.test(address)
    );
  return query.split("&").some((pair) => {
    const value = pair.slice(pair.indexOf("=") + 1);
    return (
      pair.includes("=") &&
      (/^(?:RESULT|DATA|SECRETS?|TOKEN|CONTENT|OUTPUT|ANSWER|HISTORY|CONVERSATION|CONTEXT|PAYLOAD|BASE64|[A-Z]+_HERE)$/.test(value) ||
        /^(?:\{\{?|<|\[|%7b|\$\{)\s*(?:data|result|secret|token|content|conversation|history|context|answer|message|payload|output|summary|base64|encoded|user|chat|api|key|password)/i.test(
          value,
        ))
    );
  });
}
