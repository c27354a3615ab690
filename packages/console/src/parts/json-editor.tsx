import { autocompletion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { json, jsonParseLinter } from "@codemirror/lang-json";
import { linter } from "@codemirror/lint";
import { EditorView, basicSetup } from "codemirror";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { JsonSchema } from "../api/types.ts";
import { offersAt } from "./complete.ts";

interface JsonEditorProps {
  readonly label: string;
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** JSON with the schema's names and values offered as one types. It lives in a shadow tree, where its styles need no inline tag. */
export default function JsonEditor({ label, schema, value, onChange }: JsonEditorProps): ReactNode {
  const host = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState("");
  const tell = useRef(onChange);
  tell.current = onChange;
  useEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: "open" });
    const place = document.createElement("div");
    root.replaceChildren(place);
    const view = new EditorView({
      doc: JSON.stringify(value, null, 2),
      parent: place,
      root,
      extensions: [
        basicSetup,
        json(),
        linter(jsonParseLinter()),
        autocompletion({ override: [(context) => complete(context, schema)] }),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": label }),
        EditorView.theme({
          "&": { fontSize: "0.85rem", minHeight: "12rem", border: "1px solid var(--line-strong)", borderRadius: "0.5rem" },
          ".cm-gutters": { background: "var(--sunken)", color: "var(--ink-soft)" },
          ".cm-activeLine, .cm-activeLineGutter": { background: "transparent" },
          ".cm-cursor": { borderLeftColor: "var(--ink)" },
        }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (!docChanged) return;
          try {
            tell.current(JSON.parse(state.doc.toString()));
            setProblem("");
          } catch (error) {
            setProblem((error as Error).message);
          }
        }),
      ],
    });
    return () => view.destroy();
    // The text is the editor's own from here on: a value that comes back would move the cursor.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [schema, label]);
  return (
    <div>
      <div ref={host} />
      <p className="field-errors" role="status">
        {problem}
      </p>
    </div>
  );
}

/** The names and values that the schema has at the cursor, on asking or inside quotes. */
function complete(context: CompletionContext, schema: JsonSchema): CompletionResult | null {
  const word = context.matchBefore(/"?[\w-]*/);
  if (word === null || (!context.explicit && !word.text.startsWith('"'))) return null;
  const offers = offersAt(context.state.sliceDoc(0, word.from), schema);
  if (offers.length === 0) return null;
  // The offers hold for the whole word. Asked anew after each key, the editor would ignore a click until the answer came.
  return { from: word.from, options: offers.map((offer) => ({ ...offer })), validFor: /^"?[\w-]*$/ };
}
