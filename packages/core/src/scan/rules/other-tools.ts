import type { SentenceRule } from "../rule.ts";
import { isTold } from "./_orders.ts";

export const otherTools: SentenceRule = {
  id: "other-tools",
  finds: "Text that changes how other tools are used: what they are given, where they send it, whether they are used at all.",
  fix: "A tool may say when to use it. Do not let it say how another server's tool is to be called.",
  checkSentence(s, place) {
    if (!s.hasAny("name", "tool", "other")) return 0;
    const text = s.phrase;
    if (place.isResult) {
      if (s.has("tool") && s.hasAny("you", "model") && s.orders("change", "run", "obey", "move", "read"))
        return s.hasAny("place", "secret", "service", "secret-place") ? 3 : 2;
      return s.has("name") && /\b(?:call|invoke|use|run|execute)\b/.test(text) && s.has("tool") && s.hits.some(({ isOrder }) => isOrder)
        ? 2
        : 0;
    }
    const isForeignTool =
      s.has("name") ||
      (s.near("other", "tool", 2) &&
        !/\bany tool\b|\bdefault (?:server|provider|api)\b|\bexisting (?:server|plugin|integration|service|api|function|extension|connector|provider)/.test(
          text,
        ));
    if (!isForeignTool) return 0;
    // "Whenever send_email is used, add …", "if create_payment is available, change its recipient"
    const isCondition =
      s.has("when") &&
      /\b(?:is|are|was|has been|gets?|being) (?:used|called|invoked|available|present|run|loaded|executed|active|installed|needed|about to)\b|\b(?:calls?|calling|uses?|using|invokes?|invoking|running) (?:the )?(?:tool |function )?(?=\S*[_-])/.test(
        text,
      );
    const isIts =
      /\b(?:its|their) (?:\w+ )?(?:recipient|remote|argument|parameter|statement|destination|target|input|output|result|query|address|body|path|url|host|amount|behaviou?r|call|account|content|answer|endpoint|value|command|message)/.test(
        text,
      );
    const changes =
      s.hasAny("change", "move", "put") &&
      (s.orders("change", "move", "put") || s.has("oblige") || /\b(?:takes|changes|becomes|gets|goes|sends|passes)\b/.test(text));
    if (isCondition && isIts && changes) return 3;
    if (
      isCondition &&
      s.orders("change", "move", "put") &&
      s.hasAny("place", "move", "data", "secret", "talk") &&
      !place.isPurpose &&
      s.hasAny("place", "service", "own", "sink")
    )
      return 3;
    if (isIts && changes && s.hasAny("own", "sink", "every", "place", "later", "output")) return 3;
    if (/\bbehaviou?r of\b/.test(text) && s.has("change")) return 3;
    if (s.has("name") && s.hasAny("later", "every") && s.has("own") && s.hasAny("change", "prefer")) return 3;
    if (isCondition && isTold(s, place) && s.orders("change", "move") && s.has("every")) return 2;
    return 0;
  },
};
