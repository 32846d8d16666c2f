/** Between heartbeats, in milliseconds. */
export const LONGEST_WAIT = 3_000;

/** How long a handler may run without a heartbeat, in milliseconds. */
const MAX_SILENCE = 20_000;

class HandlerSilent extends Error {
  override readonly name = 'HandlerSilent';
}

/** Rejects when the work neither ends nor calls `alive` for too long. Its outcome then does not count. Until then `heartbeat` is called for it. */
export const withinSilence = (work: (stop: () => AbortSignal, alive: () => void) => Promise<void>, heartbeat: () => Promise<void>): Promise<void> =>
  new Promise((resolve, reject) => {
    // Most handlers end soon and ask for no signal: the controller is made for the others.
    let controller: AbortController | undefined;
    let silent: HandlerSilent | undefined;
    const stop = (): AbortSignal => {
      controller ??= new AbortController();
      if (silent) controller.abort(silent);
      return controller.signal;
    };
    const timer = setTimeout(() => {
      silent = new HandlerSilent();
      controller?.abort(silent);
      end(() => reject(silent as HandlerSilent));
    }, MAX_SILENCE);
    const beating = setInterval(() => void heartbeat().catch(() => undefined), LONGEST_WAIT); // a failure aborts the arrival
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      clearInterval(beating);
      settle();
    };
    const working = async (): Promise<void> => work(stop, () => void timer.refresh());
    working().then(
      () => end(resolve),
      (error: unknown) => end(() => reject(error as Error)),
    );
  });
