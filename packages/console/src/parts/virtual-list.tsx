import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useImperativeHandle, useRef, useState } from "react";
import "./virtual-list.css";

export interface VirtualListHandle {
  /** Puts the keyboard on the first row. */
  focusFirst(): void;
}

export interface VirtualListProps<Item> {
  readonly items: readonly Item[];
  readonly rowHeight: number;
  readonly label: string;
  readonly keyOf: (item: Item) => string;
  /** One focusable element, usually a link; it gets the tab stop of the list where `isCurrent`. */
  readonly row: (item: Item, isCurrent: boolean) => ReactNode;
  readonly ref?: Ref<VirtualListHandle>;
}

/** Any number of rows of one height: only those in view are on the page. Arrows, Home and End move through all of them. */
export function VirtualList<Item>({ items, rowHeight, label, keyOf, row, ref }: VirtualListProps<Item>): ReactNode {
  const box = useRef<HTMLUListElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const [current, setCurrent] = useState(0);
  const wanted = useRef(false);
  const last = items.length - 1;
  const active = Math.min(current, Math.max(last, 0));

  useEffect(() => {
    const measure = (): void => {
      const { top } = box.current!.getBoundingClientRect();
      setView({ top: Math.max(0, -top), height: window.innerHeight });
    };
    measure();
    window.addEventListener("scroll", measure, { passive: true });
    window.addEventListener("resize", measure);
    return () => {
      window.removeEventListener("scroll", measure);
      window.removeEventListener("resize", measure);
    };
  }, [items.length]);

  /** Whether the row was there to take the keyboard. */
  function focusRow(index: number): boolean {
    const row = box.current?.querySelector<HTMLElement>(`[data-index="${index}"] > *`);
    row?.focus({ preventScroll: true });
    return row !== null && row !== undefined;
  }

  // A row that is far away comes onto the page only after the page has scrolled to it.
  useEffect(() => {
    if (wanted.current && focusRow(active)) wanted.current = false;
  });

  function moveTo(index: number): void {
    const next = Math.max(0, Math.min(last, index));
    setCurrent(next);
    const list = box.current!.getBoundingClientRect().top + window.scrollY;
    const top = list + next * rowHeight;
    const bar = 80;
    if (top < window.scrollY + bar) window.scrollTo({ top: top - bar });
    else if (top + rowHeight > window.scrollY + window.innerHeight) window.scrollTo({ top: top + rowHeight - window.innerHeight + 16 });
    wanted.current = !focusRow(next);
  }

  useImperativeHandle(ref, () => ({ focusFirst: () => moveTo(0) }));

  function onKeyDown(event: KeyboardEvent): void {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      Home: 0,
      End: last,
      PageDown: active + 10,
      PageUp: active - 10,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    moveTo(next);
  }

  const first = Math.max(0, Math.floor(view.top / rowHeight) - overscan);
  const end = Math.min(items.length, Math.ceil((view.top + view.height) / rowHeight) + overscan);
  return (
    <ul ref={box} className="virtual-list" aria-label={label} style={{ height: items.length * rowHeight }} onKeyDown={onKeyDown}>
      {items.slice(first, end).map((item, offset) => {
        const index = first + offset;
        return (
          <li
            key={keyOf(item)}
            data-index={index}
            aria-setsize={items.length}
            aria-posinset={index + 1}
            style={{ height: rowHeight, transform: `translateY(${index * rowHeight}px)` }}
            onFocus={() => setCurrent(index)}
          >
            {row(item, index === active)}
          </li>
        );
      })}
    </ul>
  );
}

const overscan = 8;
