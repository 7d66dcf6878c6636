import type { ReactNode } from 'react';
import { commonWords } from '../text/strings/common.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { Skeleton } from './skeleton.tsx';

type Loading<T> = { readonly reload: () => void } & (
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: unknown }
);

export interface LoadStateProps<T> {
  readonly of: Loading<T>;
  /** How many lines will be there, about. */
  readonly lines?: number;
  readonly children: (value: T) => ReactNode;
}

/** What is there when it is there; before, lines in its place; else why not. */
export function LoadState<T>({ of, lines = 3, children }: LoadStateProps<T>) {
  if (of.kind === 'ready') return <>{children(of.value)}</>;
  if (of.kind === 'failed')
    return (
      <Notice
        tone="error"
        action={
          <Button size="small" onClick={of.reload}>
            {commonWords.tryAgain}
          </Button>
        }
      >
        {of.error instanceof Error ? of.error.message : String(of.error)}
      </Notice>
    );
  return (
    <div aria-busy="true" style={{ display: 'grid', gap: 8 }}>
      {Array.from({ length: lines }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <Skeleton key={i} height={40} />
      ))}
    </div>
  );
}
