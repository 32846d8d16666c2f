/** A message as a dead letter shows it. */
interface ShownMessage {
  readonly subject: string;
  readonly esrevision: number;
}

export interface GroupLetters {
  readonly group: string;
  readonly letters: readonly {
    /** Epoch milliseconds. */
    readonly at: number;
    readonly reason: string;
    readonly origin: string;
    readonly message?: ShownMessage & { readonly type: string };
    readonly source?: ShownMessage;
    readonly redriven?: true;
  }[];
}

export interface GroupRedriven {
  readonly group: string;
  readonly redriven: number;
  readonly unreadable: number;
}
