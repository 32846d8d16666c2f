import { expect, it } from '@jest/globals';

import { newState, verifyState } from './state.js';

it('accepts the state that the login began with', () => {
  const state = newState();
  expect(verifyState(state, state)).toBe(true);
});

it.each([undefined, null, '', 'other', ['a'], 7, {}])('refuses %j', (received) => {
  expect(verifyState('a', received)).toBe(false);
});

it('does not compare with an expected state that was lost', () => {
  expect(() => verifyState('', '')).toThrow('the expected state is empty');
});
