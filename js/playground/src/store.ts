/** A value that components watch. */

import { useEffect, useState } from "preact/hooks";

export class Store<T> {
  #value: T;
  readonly #watchers = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get(): T {
    return this.#value;
  }

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const watcher of [...this.#watchers]) watcher();
  }

  /** Calls a function after each change, until the returned function is called. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }
}

/** Returns the value of a store, and renders the component again when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [, render] = useState({});
  const value = store.get();
  useEffect(() => {
    if (!Object.is(store.get(), value)) render({}); // it changed while the component was drawn, before anything watched it
    return store.watch(() => render({}));
  }, [store]);
  return value;
}
