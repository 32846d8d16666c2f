import { CallbackRefused } from './errors.js';
import { verifyState } from './state.js';

/** `code` and `state` of the callback's query. A repeated parameter counts as missing. */
export type CallbackQuery = URLSearchParams | Readonly<Record<string, unknown>>;

/** The code of a callback that carries the expected state. Throws {@link CallbackRefused}. */
export const readCallback = (expectedState: string, query: CallbackQuery): string => {
  const state = parameterOf(query, 'state');
  if (state === undefined) throw new CallbackRefused('STATE_MISSING');
  if (!verifyState(expectedState, state)) throw new CallbackRefused('STATE_DIFFERENT');
  const code = parameterOf(query, 'code');
  if (code === undefined) throw new CallbackRefused('CODE_MISSING');
  return code;
};

const parameterOf = (query: CallbackQuery, name: string): string | undefined => {
  const value: unknown = query instanceof URLSearchParams ? onlyOne(query.getAll(name)) : query[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

const onlyOne = (values: readonly string[]): string | undefined => (values.length === 1 ? values[0] : undefined);
