import type { Page } from "playwright-core";

/** What is wrong with the layout of the page as it is shown now, in few words: nothing may be clipped, overlap or overflow. */
export function layoutFaults(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const faults = new Set<string>();
    /** How an element treats what is wider or taller than it; asked for most elements again and again. */
    const overflows = new Map<Element, { readonly x: string; readonly y: string }>();
    const overflow = (element: Element): { readonly x: string; readonly y: string } => {
      const known = overflows.get(element);
      if (known !== undefined) return known;
      const { overflowX, overflowY } = getComputedStyle(element);
      const found = { x: overflowX, y: overflowY };
      overflows.set(element, found);
      return found;
    };
    const name = (element: Element): string => {
      const classes = element.getAttribute("class")?.split(" ").join(".") ?? "";
      const text = (element.textContent ?? "").trim().replaceAll(/\s+/g, " ").slice(0, 40);
      return `${element.tagName.toLowerCase()}${classes === "" ? "" : `.${classes}`} "${text}"`;
    };
    const isShown = (element: Element): boolean => {
      const { width, height } = element.getBoundingClientRect();
      return width > 1 && height > 1 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    };
    /** What scrolls by itself, or is meant only to be heard, may be wider than the page. */
    const scrolls = (element: Element): boolean => /auto|scroll/.test(overflow(element).x);
    const isInside = (element: Element, test: (one: Element) => boolean): boolean => {
      for (let one: Element | null = element; one !== null && one !== document.body; one = one.parentElement) if (test(one)) return true;
      return false;
    };
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) faults.add(`the page is ${root.scrollWidth} wide, the window ${root.clientWidth}`);

    const leftOut = new Set(
      [...document.body.querySelectorAll(".only-read, .signed-in, .skip, .u-wrap, canvas, .cm-editor")].flatMap((element) => [
        element,
        ...element.querySelectorAll("*"),
      ]),
    );
    const all = [...document.body.querySelectorAll<HTMLElement>("*")].filter((element) => !leftOut.has(element) && isShown(element));
    for (const element of all) {
      const style = getComputedStyle(element);
      const box = element.getBoundingClientRect();
      const ownText = textBoxes(element);
      // Text that is cut off, unless an ellipsis says so and a title or the page behind it has the whole.
      if (style.overflowX === "hidden" || style.overflowX === "clip") {
        const isCut = element.scrollWidth > element.clientWidth + 1;
        const isTold = style.textOverflow === "ellipsis";
        if (isCut && !isTold) faults.add(`clipped: ${name(element)}`);
        const hasWhole = isInside(element, (one) => one.matches("a, button, [title]"));
        if (isCut && isTold && !hasWhole && element.querySelector("[title], a") === null)
          faults.add(`shortened without a title: ${name(element)}`);
        if (element.scrollHeight > element.clientHeight + 2 && style.overflowY === "hidden" && ownText.length > 0)
          faults.add(`cut below: ${name(element)}`);
      }
      if (
        style.overflowX === "visible" &&
        style.display !== "inline" &&
        ownText.some(({ right, left, bottom }) => right > box.right + 1 || left < box.left - 1 || bottom > box.bottom + 2)
      )
        faults.add(`text beyond its box: ${name(element)}`);
      if (
        (box.left < -1 || box.right > root.clientWidth + 1) &&
        !isInside(element, (one) => one !== element && (scrolls(one) || overflow(one).x === "hidden"))
      )
        faults.add(`outside of the window: ${name(element)}`);
      // A label of a button is one line.
      const lines = new Set(ownText.map(({ top }) => Math.round(top / 8)));
      if (element.matches("button, .button, nav a, .brand") && lines.size > 1 && box.width < 200) faults.add(`wraps: ${name(element)}`);
    }
    // Two things that can be pressed share no place on the screen.
    const pressable = all.filter((element) => element.matches("a[href], button, input, select, textarea, summary"));
    const boxes = pressable.map((element) => ({ element, box: visiblePart(element) })).filter(({ box }) => box !== undefined);
    for (const [index, { element, box }] of boxes.entries()) {
      for (const other of boxes.slice(index + 1)) {
        if (element.contains(other.element) || other.element.contains(element)) continue;
        const [a, b] = [box!, other.box!];
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const tall = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > 2 && tall > 2 && !isAbove(element, other.element)) faults.add(`overlap: ${name(element)} and ${name(other.element)}`);
      }
    }
    // Nor do the parts of a page.
    const parts = [...document.querySelectorAll("main section, main form, main table, main nav")]
      .filter(isShown)
      .map((part) => ({ part, box: visiblePart(part) }));
    for (const [index, { part, box: a }] of parts.entries()) {
      for (const { part: other, box: b } of parts.slice(index + 1)) {
        if (part.contains(other) || other.contains(part)) continue;
        if (a === undefined || b === undefined) continue;
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const tall = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > 2 && tall > 2) faults.add(`overlap: ${name(part)} and ${name(other)}`);
      }
    }
    return [...faults];

    /** The boxes of the lines of its own text. */
    function textBoxes(element: Element): readonly DOMRect[] {
      return [...element.childNodes]
        .filter((node) => node.nodeType === Node.TEXT_NODE)
        .flatMap((node) => {
          const range = document.createRange();
          range.selectNodeContents(node);
          return [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
        });
    }

    /** The part of its box that the boxes around it let through. */
    function visiblePart(element: Element): { left: number; right: number; top: number; bottom: number } | undefined {
      let { left, right, top, bottom } = element.getBoundingClientRect();
      for (let one = element.parentElement; one !== null && one !== document.body; one = one.parentElement) {
        const { x, y } = overflow(one);
        if (x === "visible" && y === "visible") continue;
        const box = one.getBoundingClientRect();
        if (x !== "visible") [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
        if (y !== "visible") [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
      }
      return right - left > 1 && bottom - top > 1 ? { left, right, top, bottom } : undefined;
    }

    /** The bar at the top, and heads of tables, stay while the page moves under them; a dialog is over the page. */
    function isAbove(a: Element, b: Element): boolean {
      const layer = (element: Element): Element | null => element.closest(".bar, thead, dialog[open]");
      return layer(a) !== layer(b);
    }
  });
}
