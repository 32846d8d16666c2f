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
  readonly #bySession = new Map<string, Entry[]>();

  record(entry: Entry): void {
    this.entries.push(entry);
    const known = this.#bySession.get(entry.sessionId);
    if (known) known.push(entry);
    else this.#bySession.set(entry.sessionId, [entry]);
  }

  /** The outcomes of a command on a session. */
  outcomes(sessionId: string, command: Entry['command']): Outcome[] {
    const entries = this.#bySession.get(sessionId) ?? [];
    return entries.flatMap((entry) => (entry.command === command ? [entry.outcome] : []));
  }

  acknowledged(sessionId: string, command: Entry['command']): boolean {
    return this.outcomes(sessionId, command).includes('ok');
  }
}
