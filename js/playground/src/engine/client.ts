/** A worker as the page sees it: calls are answered in order. */

import type { Calls, Reply, Request } from "./protocol.js";

type Result<C extends keyof Calls> = Awaited<ReturnType<Calls[C]>>;

/** The source of the worker, which the build puts in: a page from the file system cannot load a worker from a file. */
declare const WORKER_SOURCE: string;

let address: string | undefined;

export class EngineWorker {
  readonly #worker: Worker;
  readonly #waiting: { resolve: (value: unknown) => void; reject: (error: Error) => void }[] = [];

  constructor() {
    address ??= URL.createObjectURL(new Blob([WORKER_SOURCE], { type: "text/javascript" }));
    this.#worker = new Worker(address);
    this.#worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      const call = this.#waiting.shift();
      if ("error" in data) call?.reject(new Error(data.error));
      else call?.resolve(data.value);
    };
    this.#worker.onerror = (event) => this.#fail(event.message || "the worker has stopped");
  }

  call<C extends keyof Calls>(call: C, ...args: Parameters<Calls[C]>): Promise<Result<C>> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve: resolve as (value: unknown) => void, reject });
      const request: Request = { call, args };
      this.#worker.postMessage(request);
    });
  }

  /** Stops the worker at once, whatever it is doing. Calls under way are rejected. */
  stop(): void {
    this.#worker.terminate();
    this.#fail("stopped");
  }

  #fail(message: string): void {
    for (const { reject } of this.#waiting.splice(0)) reject(new Error(message));
  }
}
