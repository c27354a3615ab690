import { isToolName } from "../../tool/name.ts";
import type { ToolRule } from "../rule.ts";

export const nameNoVendor: ToolRule = {
  id: "name-no-vendor",
  severity: "warning",
  finds: "Names that some vendors do not take and that therefore have to be mapped, or that no vendor accepts.",
  explainsRefusal: true,
  check({ name }, report) {
    if (name === undefined || /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(name)) return;
    const shown = JSON.stringify(name.length > 140 ? `${name.slice(0, 140)}…` : name);
    if (!isToolName(name)) {
      report("/name", `${shown} cannot name a tool.`, "Use 1 to 64 of the characters A-Z a-z 0-9 _ -, a letter first.", "error");
      return;
    }
    const reasons = [
      name.includes(".") && "OpenAI, Anthropic, Bedrock, Mistral, Groq and DeepSeek take no dot",
      name.length > 64 && "OpenAI, Anthropic and Bedrock take at most 64 characters",
      /^[^a-zA-Z_]/.test(name) && "Gemini wants a letter or _ first",
    ].filter((reason) => reason !== false);
    report(
      "/name",
      `${shown} has to be renamed for some vendors: ${reasons.join("; ")}.`,
      `Name it ${JSON.stringify(portable(name))}, for instance.`,
    );
  },
};

function portable(name: string): string {
  const plain = name.replaceAll(".", "_");
  return (/^[a-zA-Z_]/.test(plain) ? plain : `t_${plain}`).slice(0, 64);
}
