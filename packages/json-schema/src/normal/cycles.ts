/** The nodes that can be reached from themselves, among all that can be reached from `start`. Linear in nodes and edges (Tarjan). */
export function cyclicNodes<Node>(start: Node, edgesOf: (node: Node) => readonly Node[]): Set<Node> {
  const cyclic = new Set<Node>();
  const order = new Map<Node, number>();
  const lowest = new Map<Node, number>();
  const open: Node[] = [];
  const isOpen = new Set<Node>();

  const work: { node: Node; edges: readonly Node[]; next: number }[] = [];
  const enter = (node: Node): void => {
    order.set(node, order.size);
    lowest.set(node, order.get(node)!);
    open.push(node);
    isOpen.add(node);
    work.push({ node, edges: edgesOf(node), next: 0 });
  };

  enter(start);
  while (work.length > 0) {
    const frame = work.at(-1)!;
    const { node, edges } = frame;
    if (frame.next < edges.length) {
      const other = edges[frame.next++]!;
      if (other === node) cyclic.add(node);
      if (!order.has(other)) enter(other);
      else if (isOpen.has(other)) lowest.set(node, Math.min(lowest.get(node)!, order.get(other)!));
      continue;
    }
    work.pop();
    const outer = work.at(-1)?.node;
    if (outer !== undefined) lowest.set(outer, Math.min(lowest.get(outer)!, lowest.get(node)!));
    if (lowest.get(node) !== order.get(node)) continue;
    const group = open.splice(open.lastIndexOf(node));
    for (const member of group) {
      isOpen.delete(member);
      if (group.length > 1) cyclic.add(member);
    }
  }
  return cyclic;
}
