import { el, svgEl } from '#web-page/browser';

import { columnsOf, type FunnelColumn, type FunnelRow, reasonsOf, stepsOf } from './funnel-words.js';
import { bodyOf, part, type Dependencies } from './parts.js';
import { listOf } from './portal-api.js';

/** How far the logins of a relying party came, as a chart of the days and in tables. `path`: of the relying party. */
export const funnelPart = (dependencies: Dependencies, path: string): HTMLElement => {
  const { texts, api } = dependencies;
  const shown = el('div', { 'data-testid': 'funnel' });
  const load = async (): Promise<void> => {
    const funnel = bodyOf(await api.get(`${path}/login-funnel`), dependencies);
    if (!funnel) return;
    const days = listOf(funnel, 'days');
    const columns = columnsOf(days);
    const reasons = reasonsOf(texts, days);
    if (columns.every(({ created, exchanged }) => created + exchanged === 0)) {
      shown.replaceChildren(el('p', { class: 'soft' }, texts.funnelNone));
      return;
    }
    shown.replaceChildren(
      ...chart(dependencies, columns),
      barTable(dependencies, texts.funnelStep, stepsOf(texts, days)),
      ...(reasons.length > 0 ? [barTable(dependencies, texts.funnelWhy, reasons)] : []),
      dayTable(dependencies, columns),
    );
  };
  void load();
  return part(texts.funnelTitle, el('p', { class: 'soft' }, texts.funnelText), shown);
};

/** Hidden from screen readers, which read the table of the days. One unit of width is a day; one unit of height is the most logins of a day. */
const chart = ({ texts }: Dependencies, columns: readonly FunnelColumn[]): readonly HTMLElement[] => {
  const bars = columns.flatMap(({ began, done }, day) => [column('began', day, began), column('done', day, done)]);
  const picture = svgEl('svg', { class: 'chart', viewBox: `0 0 ${columns.length} 1`, preserveAspectRatio: 'none', 'aria-hidden': 'true' }, ...bars);
  const legend = (kind: string, text: string): HTMLElement =>
    el('span', {}, el('span', { class: `swatch ${kind}`, 'aria-hidden': 'true' }), ` ${text}`);
  return [el('div', {}, picture), el('p', { class: 'legend' }, legend('began', texts.funnelCreated), legend('done', texts.funnelExchanged))];
};

const column = (kind: string, day: number, height: number): SVGElement =>
  svgEl('rect', { class: kind, x: day + 0.1, y: 1 - height, width: 0.8, height });

const barTable = ({ texts }: Dependencies, title: string, rows: readonly FunnelRow[]): HTMLElement =>
  el(
    'table',
    {},
    el('thead', {}, el('tr', {}, heading('col', title), heading('col', texts.funnelCount))),
    el('tbody', {}, ...rows.map(({ label, count, share }) => el('tr', {}, labelled(label, share), el('td', {}, String(count))))),
  );

/** The label of a row with its bar. */
const labelled = (label: string, share: number): HTMLElement => {
  const cell = heading('row', label);
  const bar = svgEl('rect', { class: 'done', width: share, height: 1 });
  cell.append(svgEl('svg', { class: 'bar', viewBox: '0 0 1 1', preserveAspectRatio: 'none', 'aria-hidden': 'true' }, bar));
  return cell;
};

const dayTable = ({ texts, day }: Dependencies, columns: readonly FunnelColumn[]): HTMLElement => {
  const head = el('tr', {}, ...[texts.funnelDay, texts.funnelCreated, texts.funnelExchanged].map((text) => heading('col', text)));
  const rows = columns.map((each) =>
    el('tr', {}, heading('row', day(each.day)), el('td', {}, String(each.created)), el('td', {}, String(each.exchanged))),
  );
  return el(
    'details',
    {},
    el('summary', { 'data-testid': 'funnel-days' }, texts.funnelDays),
    // Long words of some languages make it wider than a phone: it scrolls, by keyboard too.
    el(
      'div',
      { class: 'wide', tabindex: 0, role: 'region', 'aria-label': texts.funnelDays },
      el('table', {}, el('thead', {}, head), el('tbody', {}, ...rows)),
    ),
  );
};

const heading = (scope: 'col' | 'row', text: string): HTMLElement => el('th', { scope }, text);
