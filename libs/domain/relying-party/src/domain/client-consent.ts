import { InvalidRequest } from '#kernel';

import type { ConsentCommand } from './client.commands.js';
import { ChangeNotFound } from './client.errors.js';
import type { ClientEvent } from './client.events.js';
import { type ClientTerms, CONSENT_TERMS, type ConsentTerms, PROTECTIONS, type RegisteredClient, type WaitingChange } from './client.js';
import { checkTerms, differences } from './client-terms.js';

type Command<Type extends ConsentCommand['type']> = Extract<ConsentCommand, { type: Type }>;
type ConsentEvent = Extract<ClientEvent, { type: `ClientChange${'Asked' | 'Accepted' | 'Refused' | 'Withdrawn'}` }>;

/** The most changes that may be asked for in a day. Each adds an event that the client's stream keeps for ever. */
const MOST_ASKED = 20;

/** Adds the change to the one that waits. Terms that need no consent change at once; a term that is asked for with its present value no longer waits. */
export const askChange = ({ now, by, changeId, changes }: Command<'AskClientChange'>, client: RegisteredClient): ClientEvent[] => {
  const wanted = { ...client.waiting?.changes, ...changes };
  checkTerms({ ...client.terms, ...wanted });
  const { waiting, atOnce } = parted(differences(client.terms, wanted));
  const changed: ClientEvent[] = isEmpty(atOnce) ? [] : [{ type: 'ClientChanged', data: { at: now, changes: atOnce } }];
  if (isEmpty(waiting)) return [...changed, ...withdrawn(client, now, by)];
  if (client.waiting && JSON.stringify(waiting) === JSON.stringify(parted(client.waiting.changes).waiting)) return changed;
  if (askedBefore(client, now) >= MOST_ASKED)
    throw new InvalidRequest(`A client may ask for at most ${MOST_ASKED} changes a day (UTC) that need consent.`);
  return [...changed, { type: 'ClientChangeAsked', data: { at: now, by, changeId, changes: waiting } }];
};

/** The terms may have changed since the change was asked for, so terms that are equal by now are left out. */
export const acceptChange = ({ now, by, changeId }: Command<'AcceptClientChange'>, client: RegisteredClient): ClientEvent[] => {
  const changes = differences(client.terms, waitingChange(client, changeId).changes);
  checkTerms({ ...client.terms, ...changes });
  const changed: ClientEvent[] = isEmpty(changes) ? [] : [{ type: 'ClientChanged', data: { at: now, changes } }];
  return [...changed, { type: 'ClientChangeAccepted', data: { at: now, by, changeId } }];
};

export const refuseChange = ({ now, by, changeId }: Command<'RefuseClientChange'>, client: RegisteredClient): ClientEvent[] => {
  waitingChange(client, changeId);
  return [{ type: 'ClientChangeRefused', data: { at: now, by, changeId } }];
};

export const withdrawChange = ({ now, by }: Command<'WithdrawClientChange'>, client: RegisteredClient): ClientEvent[] => {
  if (!client.waiting) throw new ChangeNotFound('no change waits');
  return withdrawn(client, now, by);
};

/** The change that waits under this id. Throws {@link ChangeNotFound}, also for a change that was altered since. */
export const waitingChange = ({ waiting }: RegisteredClient, changeId: string): WaitingChange => {
  if (waiting?.changeId !== changeId) throw new ChangeNotFound('no such change waits');
  return waiting;
};

export const evolveConsent = (client: RegisteredClient, { type, data }: ConsentEvent): RegisteredClient => {
  if (type === 'ClientChangeAsked') return { ...client, waiting: data, asked: { day: dayOf(data.at), count: askedBefore(client, data.at) + 1 } };
  const { waiting: _, ...rest } = client;
  if (type === 'ClientChangeWithdrawn') return rest;
  return { ...rest, decided: { changeId: data.changeId, accepted: type === 'ClientChangeAccepted', at: data.at } };
};

/** Days since 1970-01-01, UTC. */
const dayOf = (at: number): number => Math.floor(at / 86_400_000);

/** On the same day. */
const askedBefore = ({ asked }: RegisteredClient, at: number): number => (asked?.day === dayOf(at) ? asked.count : 0);

/** Nothing when no change waits. */
export const withdrawn = ({ waiting }: RegisteredClient, now: number, by: string): ClientEvent[] =>
  waiting ? [{ type: 'ClientChangeWithdrawn', data: { at: now, by, changeId: waiting.changeId } }] : [];

/** What needs an operator's consent, always in the same order, and what does not. */
const parted = (changes: Partial<ClientTerms>): { readonly waiting: Partial<ConsentTerms>; readonly atOnce: Partial<ClientTerms> } => {
  const entries = Object.entries(changes);
  const waiting = CONSENT_TERMS.flatMap((term) => entries.filter(([name, value]) => name === term && needsConsent(name, value)));
  const atOnce = entries.filter((entry) => !waiting.includes(entry));
  return { waiting: Object.fromEntries(waiting), atOnce: Object.fromEntries(atOnce) };
};

/** A protection that is switched on does not wait; one that is switched off does. */
const needsConsent = (term: string, value: unknown): boolean => {
  if (term === 'finishByNumber') return value === true;
  return !(PROTECTIONS as readonly string[]).includes(term) || value === false || value === '';
};

const isEmpty = (changes: object): boolean => Object.keys(changes).length === 0;
