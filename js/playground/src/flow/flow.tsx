/** A `FlowView` as a component. */

import { useEffect, useRef } from "preact/hooks";
import { type FlowContent, type FlowEvents, FlowView } from "./flowView.js";

interface Props extends FlowEvents {
  label: string;
  content: FlowContent | undefined;
  /** Gets the view when it is made. */
  onView?: (view: FlowView | undefined) => void;
}

export function Flow({ label, content, onView, ...events }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const view = useRef<FlowView>(undefined);
  const latest = useRef(events);
  latest.current = events;
  useEffect(() => {
    const made = new FlowView(element.current as HTMLElement, label, {
      onPoint: (...point) => latest.current.onPoint(...point),
      onChoose: (item) => latest.current.onChoose(item),
    });
    view.current = made;
    onView?.(made);
    return () => {
      made.remove();
      onView?.(undefined);
    };
  }, []);
  useEffect(() => element.current?.setAttribute("aria-label", label), [label]);
  useEffect(() => {
    if (content) view.current?.show(content);
  }, [content]);
  return <div class="flow" ref={element} />;
}
