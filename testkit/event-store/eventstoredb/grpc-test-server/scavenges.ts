import type { Log } from './log.js';
import { ANY, type Writes } from './log-entries.js';

/** The scavenges of one node, one at a time. Each tells of its start and its end in the stream `$scavenges-<id>`. */
export class Scavenges {
  #current: string | undefined;

  constructor(
    private readonly log: Log,
    /** In a cluster, a scavenge concerns this node alone, while the events about it are stored by all. */
    private readonly writes: Writes,
    private readonly nodeEndpoint: () => string,
  ) {}

  get current(): string | undefined {
    return this.#current;
  }

  /** Answers the new scavenge's id; nothing while another runs. */
  start(): string | undefined {
    if (this.#current !== undefined) return undefined;
    const scavengeId = crypto.randomUUID();
    this.#current = scavengeId;
    void this.#run(scavengeId);
    return scavengeId;
  }

  async #run(scavengeId: string): Promise<void> {
    await this.#note(scavengeId, '$scavengeStarted', {});
    let outcome: { result: 'Success' | 'Errored'; error: string | null; spaceSaved: number };
    try {
      outcome = { result: 'Success', error: null, spaceSaved: this.log.scavenge() };
    } catch (error) {
      outcome = { result: 'Errored', error: String(error), spaceSaved: 0 };
    }
    await this.#note(scavengeId, '$scavengeCompleted', outcome);
    this.#current = undefined;
  }

  #note(scavengeId: string, type: string, data: object): Promise<void> {
    const text = JSON.stringify({ scavengeId, nodeEndpoint: this.nodeEndpoint(), ...data });
    const event = { id: crypto.randomUUID(), type, isJson: true, data: Buffer.from(text), customMetadata: Buffer.alloc(0) };
    return new Promise((resolve) => this.writes.append(`$scavenges-${scavengeId}`, ANY, [event], () => resolve()));
  }
}
