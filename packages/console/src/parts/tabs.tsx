import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import "./tabs.css";

export interface Tab {
  readonly id: string;
  readonly name: string;
  readonly content: () => ReactNode;
}

/** One of several panels at a time; arrows move between the tabs. */
export function Tabs({
  label,
  tabs,
  current,
  onChange,
}: {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly current: string;
  readonly onChange: (id: string) => void;
}): ReactNode {
  const prefix = useId();
  const list = useRef<HTMLDivElement>(null);
  const index = Math.max(
    0,
    tabs.findIndex(({ id }) => id === current),
  );
  const active = tabs[index]!;

  function onKeyDown(event: KeyboardEvent): void {
    const steps: Readonly<Record<string, number>> = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const wrapped = (next + tabs.length) % tabs.length;
    onChange(tabs[wrapped]!.id);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[wrapped]?.focus();
  }

  return (
    <>
      <div ref={list} className="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${prefix}-${id}`}
            aria-selected={id === active.id}
            aria-controls={`${prefix}-panel`}
            tabIndex={id === active.id ? 0 : -1}
            onClick={() => onChange(id)}
          >
            {name}
          </button>
        ))}
      </div>
      <div className="tab-panel" role="tabpanel" id={`${prefix}-panel`} aria-labelledby={`${prefix}-${active.id}`}>
        {active.content()}
      </div>
    </>
  );
}
