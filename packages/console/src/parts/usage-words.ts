/** 0.333 → "33 %"; what is neither none nor all is never shown as such: 0.001 → "<1 %". */
export function showShare(share: number): string {
  const percent = Math.round(share * 100);
  if (percent === 0 && share > 0) return "<1 %";
  return percent === 100 && share < 1 ? ">99 %" : `${percent} %`;
}
