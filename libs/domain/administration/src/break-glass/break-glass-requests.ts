import type { FindLivingPerson } from '#domain/identity';
import { CommandHandler, NewerEventStored, type UnitOfWork } from '#engines/event-store';
import type { Clock, IdentityId, Randomness } from '#kernel';

import {
  type BreakGlass,
  type BreakGlassCommand,
  breakGlassDecider,
  type BreakGlassId,
  BreakGlassRefused,
  type StopRequest,
} from '../domain/break-glass.js';
import { type SecurityParts, securityPersons } from '../repositories/security-persons.js';
import { BREAK_GLASS } from '../streams.js';

const STREAM = BREAK_GLASS.of('all');

export interface BreakGlassParts extends SecurityParts {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly living: Pick<FindLivingPerson, 'isLiving'>;
}

/** The way back when no person with `security` can act any more (specification/admin.md#break-glass). */
export class BreakGlassRequests {
  readonly #handler;

  constructor(private readonly parts: BreakGlassParts) {
    this.#handler = new CommandHandler(parts.unitOfWork, { category: BREAK_GLASS.category, decider: breakGlassDecider });
  }

  /** Throws NewerEventStored. */
  async find(): Promise<BreakGlass> {
    const { state, newer } = await this.#handler.load(STREAM);
    if (newer) throw new NewerEventStored(newer);
    return state;
  }

  /** Whether a living person with `security` has a phone that may act in the portal, or may after its waiting time. */
  async isSecurityReachable(): Promise<boolean> {
    return (await securityPersons(this.parts)).some(({ isReachable }) => isReachable);
  }

  /** For the person who is to have `security`. Throws {@link BreakGlassRefused}. */
  async ask(identityId: IdentityId): Promise<void> {
    await this.#requireUnreachable(identityId);
    await this.#handle({ type: 'AskBreakGlass', requestId: this.parts.randomness.uuid<BreakGlassId>(), identityId });
  }

  /** The waiting time begins with the first call. */
  notice(): Promise<void> {
    return this.#handle({ type: 'NoticeBreakGlass', now: this.#now });
  }

  told(told: readonly StopRequest[]): Promise<void> {
    return this.#handle({ type: 'TellBreakGlass', now: this.#now, told });
  }

  /** `by`: a member of the staff. Throws {@link BreakGlassRefused}. */
  stop(by: string): Promise<void> {
    return this.#handle({ type: 'StopBreakGlass', now: this.#now, by });
  }

  /** Does nothing when the request that a service has seen is no longer under way. `by`: a member of the staff, or `service`. */
  stopSeen(requestId: BreakGlassId, by: string): Promise<void> {
    return this.#handle({ type: 'StopSeenBreakGlass', now: this.#now, requestId, by });
  }

  /** Does nothing before the waiting time is over. `wait`: milliseconds. */
  open(wait: number): Promise<void> {
    return this.#handle({ type: 'OpenBreakGlass', now: this.#now, wait });
  }

  /** Uses it up, once. Throws {@link BreakGlassRefused}. */
  async use(identityId: IdentityId): Promise<void> {
    await this.#requireUnreachable(identityId);
    await this.#handle({ type: 'UseBreakGlass', identityId });
  }

  async #requireUnreachable(identityId: IdentityId): Promise<void> {
    if (!(await this.parts.living.isLiving(identityId))) throw new BreakGlassRefused('no such person is registered');
    if (await this.isSecurityReachable()) throw new BreakGlassRefused('a living person with `security` has a usable phone');
  }

  get #now(): number {
    return this.parts.clock.now();
  }

  async #handle(command: BreakGlassCommand): Promise<void> {
    await this.#handler.handle(STREAM, () => command);
  }
}
