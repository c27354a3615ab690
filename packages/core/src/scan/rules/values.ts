import type { TextRule } from "../rule.ts";

export const values: TextRule = {
  id: "values",
  finds: "Orders, commands and addresses in defaults, enums, constants and examples.",
  fix: "A value is a value. Put explanations into the description, and let the caller give addresses and commands.",
  checkText({ parts: [main], role, path, key, raw }, report) {
    if (role !== "value" || main === undefined) return;
    const isFixed = key === "default" || key === "const";
    const parameter = parameterOf(path)
      .toLowerCase()
      .replaceAll(/[^a-z]/g, "");
    if (isFixed && /\b(?:https?|wss?|ftp):\/\/|\S@\S+\.[a-z]/i.test(raw) && receivers.test(parameter)) {
      report("warning", "A parameter that says where something is sent has an address as its default.", 0, raw.length);
    }
    if (
      isFixed &&
      /(?:\||;|&&|`|\$\()\s*(?:nc|ncat|curl|wget|bash|sh|python3?|powershell)\b|\b(?:bash|sh|zsh|cmd|powershell)\s+(?:-c|\/c|-enc)\b/i.test(
        raw,
      )
    ) {
      report("danger", "A default holds a command line that starts a shell or sends data.", 0, raw.length);
    }
    const words = main.sentences.reduce((count, sentence) => count + sentence.words.length, 0);
    const isOrder = main.sentences.some(
      (sentence) =>
        sentence.hasAny("model", "override") && sentence.hasAny("oblige", "prior", "obey", "move", "put", "tool", "task", "user", "data"),
    );
    if (words > 4 && isOrder && key !== "examples" && key !== "example") report("warning", "A value holds an order.", 0, raw.length);
    if (key === "enum" && words > 12 && main.sentences.some((sentence) => sentence.hasAny("move", "secret-place", "user", "model", "talk")))
      report("warning", "An enum's item is a sentence about more than a choice.", 0, raw.length);
    if (/\n\s*(?:system|assistant|user)\s*:/i.test(raw)) report("danger", "A value holds a turn of a conversation.", 0, raw.length);
  },
};

const receivers =
  /webhook|callback|notify|forward|bcc|^cc$|replyto|reportto|upload|mirror|sendto|recipient|relay|telemetry|logurl|collector|postto|copyto|destination|endpointurl|reporturl|sink/;

/** "/inputSchema/properties/webhook/default" → "webhook" */
function parameterOf(path: string): string {
  const parts = path.split("/");
  const at = parts.lastIndexOf("properties");
  return at < 0 ? "" : (parts[at + 1] ?? "");
}
