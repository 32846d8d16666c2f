import { type IdentityId, KeyedQueue } from '#kernel';

import type { ErasureLine, ErasureLines } from './erasure-lines.js';
import { ErasureList, type ListedErasures } from './erasure-list.js';
import type { ErasureMacs } from './erasure-macs.js';
import { judgeLines, type JudgedLines } from './judge-lines.js';

/**
 * The list with a MAC in each line, which names the line before it where lines have an order. A line that is not the service's own counts for nothing. A person whom this process knows as
 * listed stays so: a line that is gone is written again.
 */
export class AuthenticatedErasureList extends ErasureList {
  readonly #queue = new KeyedQueue();
  /** Genuine lines that this process has read or written. */
  readonly #known = new Map<IdentityId, ErasureLine>();
  /** The line that the next one names, where lines have an order; undefined before the first reading. */
  #last: { readonly mac: string | undefined } | undefined;

  constructor(
    private readonly lines: ErasureLines,
    private readonly macs: ErasureMacs,
  ) {
    super();
  }

  override add(identityId: IdentityId, erasedAt: number): Promise<void> {
    return this.#inTurn(async () => {
      if (this.lines.inOrder && !this.#last) await this.#judge();
      await this.#append(identityId, erasedAt);
    });
  }

  override read(): Promise<ListedErasures> {
    return this.#inTurn(async () => {
      const known = [...this.#known.values()];
      const { genuine, faults } = await this.#judge();
      const lost = known.filter(({ identityId }) => !genuine.has(identityId));
      for (const { identityId, erasedAt } of lost) await this.#append(identityId, erasedAt);
      const listed = [...lost, ...genuine.values()].map(({ identityId, erasedAt }) => [identityId, erasedAt] as const);
      const missing = lost.map(({ identityId, erasedAt }) => ({ reason: 'missing', identityId, erasedAt, place: 'known to this process' }) as const);
      return { entries: new Map(listed), faults: [...faults, ...missing] };
    });
  }

  override async close(): Promise<void> {
    await this.#queue.idle();
    await this.lines.close();
  }

  /** One after another where lines have an order: each names the one before it. */
  #inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    return this.lines.inOrder ? this.#queue.run('list', work) : work();
  }

  async #judge(): Promise<JudgedLines> {
    const lines = await this.lines.all();
    const refusalOf = (line: ErasureLine) => (isSame(this.#known.get(line.identityId), line) ? undefined : this.macs.refusal(line));
    let judged = await judgeLines(lines, refusalOf);
    if (judged.faults.some(({ reason }) => reason === 'key')) {
      await this.macs.rereadKeys();
      judged = await judgeLines(lines, refusalOf);
    }
    for (const [identityId, line] of judged.genuine) this.#known.set(identityId, line);
    this.#last = { mac: judged.last?.mac };
    return judged;
  }

  async #append(identityId: IdentityId, erasedAt: number): Promise<void> {
    const line = this.macs.signed(identityId, erasedAt, this.lines.inOrder ? this.#last?.mac : undefined);
    await this.lines.append(line);
    this.#known.set(identityId, line);
    this.#last = line;
  }
}

const isSame = (one: ErasureLine | undefined, { erasedAt, after, mac }: ErasureLine): boolean =>
  one !== undefined && one.mac !== undefined && one.mac === mac && one.erasedAt === erasedAt && one.after === after;
