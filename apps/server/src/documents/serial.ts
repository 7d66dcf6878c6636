/** One piece of work after the other, in the order of asking. One that fails does not stop the next. */
export interface Serial {
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function serial(): Serial {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(work) {
      const result = last.then(work, work);
      last = result.catch(() => undefined);
      return result;
    },
  };
}
