/** The outcome of a command as its client knows it: accepted, refused, or unknown (the connection broke, or 503). */
export type Outcome = 'ok' | 'fail' | 'unknown';

export interface Entry {
  readonly command: 'create' | 'claim' | 'scan' | 'confirm' | 'complete' | 'exchange' | 'decline';
  readonly sessionId: string;
  readonly outcome: Outcome;
}

/** Every command of a drill with its outcome, in the order of the answers. */
export class Journal {
  readonly entries: Entry[] = [];

  record(entry: Entry): void {
    this.entries.push(entry);
  }

  /** The outcomes of a command on a session. */
  outcomes(sessionId: string, command: Entry['command']): Outcome[] {
    return this.entries.flatMap((entry) => (entry.sessionId === sessionId && entry.command === command ? [entry.outcome] : []));
  }

  acknowledged(sessionId: string, command: Entry['command']): boolean {
    return this.outcomes(sessionId, command).includes('ok');
  }
}
