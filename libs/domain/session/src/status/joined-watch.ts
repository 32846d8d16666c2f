import type { Watch } from '#kernel';

import type { StatusWatch } from './status-changes.js';

/** A watch whose wake-ups arrive as long as its source says so. */
export class JoinedWatch implements StatusWatch {
  constructor(
    private readonly watch: Watch,
    private readonly source: { readonly isLive: () => boolean; readonly closed?: () => void },
  ) {}

  get isLive(): boolean {
    return this.source.isLive();
  }

  next(...limits: Parameters<Watch['next']>): ReturnType<Watch['next']> {
    return this.watch.next(...limits);
  }

  close(): void {
    this.watch.close();
    this.source.closed?.();
  }
}
