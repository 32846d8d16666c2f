import { send } from './cluster-messages.js';
import type { Log } from './log.js';
import type { Outcome, ProposedEvent, Writes } from './log-entries.js';

const TIMEOUT = 10_000;

/** A write that a node hands on to the leader. */
export interface Forwarded {
  readonly write: keyof Writes;
  readonly stream: string;
  readonly expected: bigint;
  readonly events: readonly ProposedEvent[];
}

/** Whether the node may write to its own log, and to which node it hands writes on otherwise. */
interface Lead {
  readonly writesItself: boolean;
  readonly leader: number | undefined;
}

/** The writes of a node in a cluster: the leader's log takes them. */
export class ClusterWrites implements Writes {
  constructor(
    private readonly log: Log,
    private readonly lead: Lead,
  ) {}

  append(stream: string, expected: bigint, events: readonly ProposedEvent[], answer: (outcome: Outcome) => void): void {
    if (this.lead.writesItself) this.log.append(stream, expected, events, answer);
    else this.#forward({ write: 'append', stream, expected, events }, answer);
  }

  delete(stream: string, expected: bigint, answer: (outcome: Outcome) => void): void {
    if (this.lead.writesItself) this.log.delete(stream, expected, answer);
    else this.#forward({ write: 'delete', stream, expected, events: [] }, answer);
  }

  tombstone(stream: string, expected: bigint, answer: (outcome: Outcome) => void): void {
    if (this.lead.writesItself) this.log.tombstone(stream, expected, answer);
    else this.#forward({ write: 'tombstone', stream, expected, events: [] }, answer);
  }

  /** Takes a write that another node has handed on. */
  take({ write, stream, expected, events }: Forwarded): Promise<Outcome> {
    if (!this.lead.writesItself) return Promise.resolve({ result: 'not-leader' });
    return new Promise((resolve) => {
      if (write === 'append') this.log.append(stream, expected, events, resolve);
      else this.log[write](stream, expected, resolve);
    });
  }

  #forward(write: Forwarded, answer: (outcome: Outcome) => void): void {
    if (this.lead.leader === undefined) return answer({ result: 'not-leader' });
    send<Outcome>(this.lead.leader, '/cluster/forward', write, TIMEOUT).then(answer, () => answer({ result: 'not-leader' }));
  }
}
