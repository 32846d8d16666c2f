import { el, foreignName, foreignText } from '#web-page/browser';

import { bodyOf, button, part, type Dependencies } from './parts.js';
import { type Json, listOf, textOf } from './portal-api.js';

/** Counts of waiting events end here (specification/admin.md#health). */
const MOST_COUNTED = 1_000;

/** What works behind the APIs: webhooks, topics, read models and trust services. The page reads it when the person asks for it. */
export const healthPart = (dependencies: Dependencies, open: (clientId: string) => void): HTMLElement => {
  const { texts, api } = dependencies;
  const place = el('div', { class: 'health', 'data-testid': 'health-report' });
  const load = async (): Promise<void> => {
    const report = bodyOf(await api.get('/admin/v1/health'), dependencies);
    if (!report) return;
    place.replaceChildren(
      ...section(texts.failingEndpoints, rowsOf(report, 'webhookEndpoints')?.map(endpointRow(dependencies, open)), texts.noFailingEndpoint, texts),
      ...section(texts.deadLetters, rowsOf(report, 'deadLetters')?.filter(isWaiting).map(groupRow(dependencies)), texts.noDeadLetter, texts),
      ...section(texts.readModels, rowsOf(report, 'projections')?.map(projectionRow(dependencies)), texts.none, texts),
      ...section(texts.trustServices, rowsOf(report, 'trustServices')?.map(serviceRow(dependencies)), texts.none, texts),
    );
  };
  const show = el('div', { class: 'actions' }, button(texts.healthShow, 'health', load, 'quiet'));
  return part(texts.health, el('p', { class: 'soft' }, texts.healthText), show, place);
};

/** Undefined where the service could not read the part. */
const rowsOf = (report: Json, name: string): readonly Json[] | undefined => (report[name] === undefined ? undefined : listOf(report, name));

const section = (
  title: string,
  rows: readonly HTMLElement[] | undefined,
  none: string,
  { healthUnknown }: Pick<Dependencies['texts'], 'healthUnknown'>,
): readonly HTMLElement[] => [
  el('h3', {}, title),
  rows === undefined
    ? el('p', { class: 'notice' }, healthUnknown)
    : rows.length === 0
      ? el('p', { class: 'soft' }, none)
      : el('ul', { class: 'rows' }, ...rows),
];

const isWaiting = ({ waiting }: Json): boolean => waiting !== 0;

const row = (id: string, name: Node | string, state: string, action?: HTMLElement): HTMLElement =>
  el('li', { class: 'row', 'data-testid': id }, el('span', {}, name, el('span', { class: 'soft state' }, state)), action);

const endpointRow =
  ({ texts, time }: Dependencies, open: (clientId: string) => void) =>
  (endpoint: Json): HTMLElement => {
    const because: Readonly<Record<string, string>> = { GONE: texts.healthGone, FAILING: texts.healthSwitchedOff };
    const state = because[textOf(endpoint, 'disabledBecause')] ?? `${texts.failingSince} ${time(endpoint['failingSince'])}`;
    const name = el('span', {}, foreignName(textOf(endpoint, 'clientName')), ' ', el('code', {}, foreignText(textOf(endpoint, 'url'))));
    return row(
      'failing-endpoint',
      name,
      state,
      button(texts.open, 'open-failing', async () => open(textOf(endpoint, 'clientId')), 'quiet'),
    );
  };

const groupRow =
  ({ texts, time }: Dependencies) =>
  (group: Json): HTMLElement =>
    row('dead-letters', textOf(group, 'group'), `${String(group['waiting'])} · ${texts.newestAt} ${time(group['newestAt'])}`);

const projectionRow =
  ({ texts }: Dependencies) =>
  ({ name, complete, waiting }: Json): HTMLElement => {
    const behind = typeof waiting === 'number' && waiting > 0;
    const count = waiting === MOST_COUNTED ? `≥ ${MOST_COUNTED}` : String(waiting);
    return row('read-model', String(name), complete !== true ? texts.beingBuilt : behind ? `${texts.eventsWait} ${count}` : texts.upToDate);
  };

const serviceRow =
  ({ texts, time }: Dependencies) =>
  ({ service, lastSuccessAt, lastFailureAt }: Json): HTMLElement => {
    const names: Readonly<Record<string, string>> = { CA: texts.serviceCa, TSA: texts.serviceTsa, OCSP: texts.serviceOcsp };
    const times = [
      ...(lastSuccessAt === undefined ? [] : [`${texts.lastSuccess} ${time(lastSuccessAt)}`]),
      ...(lastFailureAt === undefined ? [] : [`${texts.lastFailure} ${time(lastFailureAt)}`]),
    ];
    return row('trust-service', names[String(service)] ?? String(service), times.length === 0 ? texts.notUsed : times.join(' · '));
  };
