import { expect } from '@jest/globals';

import type { Decider, DomainEvent, Stored } from '#kernel';
import type { DomainError } from '#kernel';

/**
 * given these events, when this command: then these events, or this refusal, or nothing.
 * The given events get the ids `event-0`, `event-1`, …
 */
export const deciderSpec =
  <State, Command, Event extends DomainEvent>(decider: Decider<State, Command, Event>) =>
  (...given: readonly Event[]) => {
    const state = given.reduce<State>(
      (folded, event, index) => decider.evolve(folded, { ...event, id: `event-${index}` } as Stored<Event>),
      decider.initial,
    );
    return {
      state,
      when: (command: Command) => ({
        then: (...events: readonly Event[]): void => {
          // Strictly: an event has no member without a value.
          expect(decider.decide(command, state)).toStrictEqual(events);
        },
        nothing: (): void => {
          expect(decider.decide(command, state)).toEqual([]);
        },
        /** A refusal is asserted twice: the public code and the private reason. */
        refuses: (code: string, reason: string): void => {
          expect(refusalOf(() => decider.decide(command, state))).toMatchObject({ code, reason });
        },
      }),
    };
  };

const refusalOf = (decide: () => unknown): DomainError => {
  try {
    decide();
  } catch (refusal) {
    return refusal as DomainError;
  }
  throw new Error('the command was not refused');
};
