import type { Messages } from './messages/messages.js';
import { type Json, objectOf, textOf } from './portal-api.js';

/** A row of the chart. `share`: of the logins that began, 0 to 1. */
export interface FunnelRow {
  readonly label: string;
  readonly count: number;
  readonly share: number;
}

/** One day. `began`, `done`: 0 to 1, of the most logins that began or ended well on one day. */
export interface FunnelColumn {
  readonly day: string;
  readonly created: number;
  readonly exchanged: number;
  readonly began: number;
  readonly done: number;
}

const STEPS = [
  ['created', 'funnelCreated'],
  ['scanned', 'funnelScanned'],
  ['confirmed', 'funnelConfirmed'],
  ['exchanged', 'funnelExchanged'],
] as const satisfies readonly (readonly [string, keyof Messages])[];

const REASONS = [
  ['expired', 'whyExpired'],
  ['declined', 'whyDeclined'],
  ['left', 'whyLeft'],
  ['wrongCode', 'whyWrongCode'],
  ['pinLocked', 'whyPinLocked'],
  ['withdrawn', 'whyWithdrawn'],
  ['erased', 'whyErased'],
] as const satisfies readonly (readonly [string, keyof Messages])[];

const numberOf = (json: Json, name: string): number => {
  const value = Number(json[name]);
  return Number.isFinite(value) && value > 0 ? value : 0;
};

const sum = (days: readonly Json[], name: string): number => days.reduce((total, day) => total + numberOf(day, name), 0);

/** At most 1: logins that ended on a day may have begun on the day before. */
const shareOf = (count: number, began: number): number => (began === 0 ? 0 : Math.min(1, count / began));

/** How many logins of these days came to each step. */
export const stepsOf = (texts: Messages, days: readonly Json[]): readonly FunnelRow[] => {
  const began = sum(days, 'created');
  return STEPS.map(([name, key]) => ({ label: texts[key], count: sum(days, name), share: shareOf(sum(days, name), began) }));
};

/** Why logins of these days ended, without the reasons that none has. */
export const reasonsOf = (texts: Messages, days: readonly Json[]): readonly FunnelRow[] => {
  const began = sum(days, 'created');
  const ends = days.map((day) => objectOf(day, 'ended') ?? {});
  return REASONS.map(([name, key]) => ({ label: texts[key], count: sum(ends, name), share: shareOf(sum(ends, name), began) })).filter(
    ({ count }) => count > 0,
  );
};

/** The days as columns of one height scale. */
export const columnsOf = (days: readonly Json[]): readonly FunnelColumn[] => {
  const counted = days.map((day) => ({ day: textOf(day, 'day'), created: numberOf(day, 'created'), exchanged: numberOf(day, 'exchanged') }));
  const most = Math.max(1, ...counted.flatMap(({ created, exchanged }) => [created, exchanged]));
  return counted.map((day) => ({ ...day, began: day.created / most, done: day.exchanged / most }));
};
