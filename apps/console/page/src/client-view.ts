import { el } from '#web-page/browser';

import type { ClientContext } from './client-context.js';
import { funnelPart } from './funnel-part.js';
import { logoPart } from './logo-part.js';
import { migrationsPart } from './migrations-part.js';
import { openIdPart } from './openid-part.js';
import { part, type Dependencies } from './parts.js';
import { type Json, textOf } from './portal-api.js';
import { secretPart } from './secret-part.js';
import { sessionPart } from './session-part.js';
import { settingsPart } from './settings-part.js';
import { statePart } from './state-part.js';
import { teamPart } from './team-part.js';
import { waitingPart } from './waiting-part.js';
import { webhooksPart } from './webhooks-part.js';

/** One relying party: its state, its settings, its logo, its secret, its first call, its logins, its webhooks and its members. */
export const clientView = (dependencies: Dependencies, client: Json, context: ClientContext): readonly HTMLElement[] => {
  const { texts } = dependencies;
  const { baseUrl, openEndpoint, newSecret } = context;
  const clientId = textOf(client, 'clientId');
  const path = `/admin/v1/clients/${clientId}`;
  const inPart = { ...context, path };
  const team = teamPart(dependencies, { path, title: texts.members, withRoles: false, mayInvite: true });
  return [
    ...statePart(dependencies, client, inPart),
    ...waitingPart(dependencies, client, inPart),
    settingsPart(dependencies, client, inPart),
    logoPart(dependencies, inPart),
    secretPart(dependencies, path, newSecret),
    quickStart(dependencies, clientId, baseUrl),
    openIdPart(dependencies, client, inPart),
    funnelPart(dependencies, path),
    webhooksPart(dependencies, path, openEndpoint),
    sessionPart(dependencies, path),
    migrationsPart(dependencies, path),
    team,
  ];
};

const quickStart = ({ texts }: Dependencies, clientId: string, baseUrl: string): HTMLElement => {
  const code = `import { loginPageUrl, RelyingPartyClient } from '@countersign/relying-party';

const countersign = new RelyingPartyClient({
  baseUrl: '${baseUrl}',
  clientId: '${clientId}',
  clientSecret: process.env.COUNTERSIGN_SECRET,
});
const login = await countersign.beginLogin({ redirectUri, hostedPage: true });`;
  return part(texts.quickStart, el('p', { class: 'soft' }, texts.quickStartText), el('pre', { tabindex: 0, 'data-testid': 'quick-start' }, code));
};
