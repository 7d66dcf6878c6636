import { type ReactNode, useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { BAR_SLOTS } from './top-bar.tsx';

export interface BarSlotProps {
  readonly place: keyof typeof BAR_SLOTS;
  readonly children: ReactNode;
}

/** Puts something of a view into the top bar, as long as the view is there. */
export function BarSlot({ place, children }: BarSlotProps) {
  const [target, setTarget] = useState<HTMLElement | null>(null);
  useLayoutEffect(() => setTarget(document.getElementById(BAR_SLOTS[place])), [place]);
  return target && createPortal(children, target);
}
