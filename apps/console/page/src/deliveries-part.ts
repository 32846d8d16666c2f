import { el } from '#web-page/browser';

import { outcomeText, stateText } from './delivery-words.js';
import { bodyOf, button, field, part, type Dependencies } from './parts.js';
import { type Json, listOf, textOf } from './portal-api.js';

const HOUR = 3_600;

/** The deliveries of an endpoint, newest first, and what can be sent to it. `own`: the path of the endpoint. */
export const deliveriesPart = (dependencies: Dependencies, own: string): HTMLElement => {
  const { texts, api, tell } = dependencies;
  const list = el('ul', { class: 'rows' });
  const more = el('div', { class: 'actions' });
  const load = async (after?: string): Promise<void> => {
    const page = bodyOf(await api.get(`${own}/deliveries${after === undefined ? '' : `?after=${encodeURIComponent(after)}`}`), dependencies);
    if (!page) return;
    const rows = listOf(page, 'deliveries').map((delivery) => deliveryRow(dependencies, delivery, retry));
    if (after === undefined) replaceRows(list, rows);
    else list.append(...rows);
    if (list.childElementCount === 0) list.append(el('li', { class: 'soft' }, texts.none));
    const next = textOf(page, 'next');
    more.replaceChildren(...(next === '' ? [] : [button(texts.more, 'more-deliveries', () => load(next), 'quiet')]));
  };
  const sent = async (text: string, deliveryId?: string): Promise<void> => {
    tell(text, true);
    await load();
    list.querySelector<HTMLElement>(`[data-id="${CSS.escape(deliveryId ?? '')}"] > summary`)?.focus();
  };
  const retry = async (deliveryId: string): Promise<void> => {
    if (bodyOf(await api.post(`${own}/deliveries/${deliveryId}/retry`), dependencies)) await sent(texts.onItsWay, deliveryId);
  };
  const ping = async (): Promise<void> => {
    if (bodyOf(await api.post(`${own}/ping`), dependencies)) await sent(texts.onItsWay);
  };
  void load();
  const actions = [button(texts.refresh, 'refresh', () => load(), 'quiet'), button(texts.ping, 'ping', ping, 'quiet')];
  return part(texts.deliveries, el('div', { class: 'actions' }, ...actions), list, more, recovery(dependencies, own, sent));
};

/** Replaces the rows, and keeps those open that were open. */
const replaceRows = (list: HTMLElement, rows: readonly HTMLElement[]): void => {
  const detailsIn = (element: HTMLElement): readonly HTMLDetailsElement[] => [...element.querySelectorAll('details')];
  const opened = new Set(detailsIn(list).flatMap(({ open, dataset }) => (open ? [dataset['id']] : [])));
  list.replaceChildren(...rows);
  for (const details of detailsIn(list)) details.open = opened.has(details.dataset['id']);
};

/** Sends again what did not arrive within the chosen time. */
const recovery = (dependencies: Dependencies, own: string, sent: (text: string) => Promise<void>): HTMLElement => {
  const { texts, api } = dependencies;
  const spans = [
    [texts.lastHour, HOUR],
    [texts.lastDay, 24 * HOUR],
    [texts.lastWeek, 7 * 24 * HOUR],
  ] as const;
  const span = el('select', { 'data-testid': 'recover-span' }, ...spans.map(([text, seconds]) => el('option', { value: seconds }, text)));
  const recover = button(
    texts.recover,
    'recover',
    async () => {
      const since = Math.floor(Date.now() / 1000) - Number(span.value);
      const body = bodyOf(await api.post(`${own}/recover`, { since }), dependencies);
      if (body) await sent(`${texts.recovered} ${Number(body['recovered'])}`);
    },
    'quiet',
  );
  return el('div', { class: 'actions' }, field(texts.notArrived, span), recover);
};

const deliveryRow = ({ texts, time }: Dependencies, delivery: Json, retry: (deliveryId: string) => Promise<void>): HTMLElement => {
  const state = textOf(delivery, 'state');
  const attempts = listOf(delivery, 'attempts').map((attempt) => el('li', {}, `${time(attempt['at'])} · ${outcomeText(texts, attempt)}`));
  const deliveryId = textOf(delivery, 'deliveryId');
  const last = listOf(delivery, 'attempts').at(-1)?.['at'];
  const next = delivery['nextAttemptAt'];
  const again = button(texts.sendAgain, 'retry', () => retry(deliveryId), 'quiet');
  return el(
    'li',
    {},
    el(
      'details',
      { 'data-testid': 'delivery', 'data-id': deliveryId, 'data-state': state },
      el('summary', {}, el('code', {}, textOf(delivery, 'type')), ` ${stateText(texts, delivery)} `, el('span', { class: 'soft' }, time(last))),
      el('ul', { class: 'attempts' }, ...attempts),
      next !== undefined && el('p', {}, `${texts.nextAttempt} ${time(next)}`),
      el('pre', { tabindex: 0, 'data-testid': 'payload' }, textOf(delivery, 'payload')),
      state !== 'pending' && again,
    ),
  );
};
