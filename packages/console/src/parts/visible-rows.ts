import { type RefObject, useLayoutEffect, useState } from "react";

/** Which rows of one height are in view in a box that scrolls, with some around them: only these need to be on the page. */
export function useVisibleRows(
  box: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
): { readonly first: number; readonly end: number } {
  const [view, setView] = useState({ top: 0, height: 800 });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const measure = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    measure();
    element.addEventListener("scroll", measure, { passive: true });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      element.removeEventListener("scroll", measure);
      observer.disconnect();
    };
  }, [box, count]);
  const first = Math.max(0, Math.min(Math.floor(view.top / rowHeight), count) - around);
  return { first, end: Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + around) };
}

const around = 10;
