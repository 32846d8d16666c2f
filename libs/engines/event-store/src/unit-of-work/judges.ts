import type { StreamName } from '../event-store.js';
import type { StreamLooks } from './streams.js';

/** StreamLooks, within a work, at what its sender may do, and throws where that does not allow it. */
export type Judge = (looks: StreamLooks) => Promise<void>;

/** One judge, until the request itself has changed what the judgement rests on. */
class Judgement {
  readonly #rests = new Set<StreamName>();
  #isOver = false;

  constructor(private readonly judge: Judge) {}

  async execute(looks: StreamLooks): Promise<void> {
    if (this.#isOver) return;
    await this.judge({
      look: (type, stream) => {
        this.#rests.add(stream);
        return looks.look(type, stream);
      },
    });
  }

  /** A person who has left the team, say, still finishes the request by which the person has left. */
  committed(stream: StreamName): void {
    if (this.#rests.has(stream)) this.#isOver = true;
  }
}

/** The judges of one request: every work of it asks them first. */
export class Judges {
  readonly #judgements: Judgement[] = [];

  constructor(judge?: Judge) {
    if (judge) this.add(judge);
  }

  add(judge: Judge): void {
    this.#judgements.push(new Judgement(judge));
  }

  async execute(looks: StreamLooks): Promise<void> {
    for (const judgement of this.#judgements) await judgement.execute(looks);
  }

  committed(streams: readonly StreamName[]): void {
    for (const judgement of this.#judgements) for (const stream of streams) judgement.committed(stream);
  }
}
