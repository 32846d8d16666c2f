import { configText, el, type Language, languageSwitch, localeOf, mark, pageConfig } from '#web-page/browser';

import { showApproval } from './approval-view.js';
import { auditPart } from './audit-part.js';
import { breakGlassPart } from './break-glass-part.js';
import { changesPart } from './changes-part.js';
import { clientView } from './client-view.js';
import { clientsPart, registerPart } from './clients-part.js';
import { healthPart } from './health-part.js';
import { keysPart } from './keys-part.js';
import { loadMessages, type Messages } from './messages/messages.js';
import { bodyOf, button, type Dependencies } from './parts.js';
import { ownPart } from './own-part.js';
import { personsPart } from './persons-part.js';
import { type Json, listOf, type PortalApi, textsOf } from './portal-api.js';
import { registerPersonPart } from './register-person-part.js';
import { sessionPart } from './session-part.js';
import { teamPart } from './team-part.js';
import { dayText, daysText, timeText } from './time-text.js';
import { tokensPart } from './tokens-part.js';
import { webhookView } from './webhook-view.js';

export interface Entry {
  readonly invitation: string | undefined;
  /** Why a login led to no session. */
  readonly refused: string | undefined;
}

/** The roles that may find persons. */
const PERSONS = ['support', 'operator', 'security'];

/** The roles that may register persons. */
const REGISTRARS = ['support', 'operator'];

/** The roles that may read the ages of the keys. */
const KEYS = ['operator', 'security'];

/** The portal: the login, then what the person may see. The frame stays the same; the focus moves to the heading of a new view. */
export class PortalPage {
  readonly #header = el('header', { class: 'page-header' });
  readonly #heading = el('h1', { tabindex: -1, 'data-testid': 'title' });
  readonly #notice = el('p', { class: 'notice', role: 'status', hidden: true, 'data-testid': 'notice' });
  readonly #approvals = el('div');
  readonly #content = el('div');
  #session: Json | undefined;
  #entry: Entry = { invitation: undefined, refused: undefined };
  #view: () => void | Promise<void> = () => this.#showLogin();

  constructor(
    root: HTMLElement,
    private language: Language,
    private texts: Messages,
    private readonly api: PortalApi,
  ) {
    api.onApproval = (approval) => showApproval(this.#approvals, approval, this.texts);
    root.replaceChildren(this.#header, el('main', {}, this.#heading, this.#notice, this.#approvals, this.#content));
  }

  async open(entry: Entry): Promise<void> {
    this.#entry = entry;
    const reply = await this.api.get('/portal/v1/session');
    this.#session = reply.kind === 'OK' ? reply.body : undefined;
    const invited = entry.invitation !== undefined;
    await this.#go(this.#session && !invited ? () => this.#showHome() : () => this.#showLogin());
    const { refused } = entry;
    if (refused === 'invitation') this.#tell(this.texts.refusedInvitation);
    else if (refused === 'membership') this.#tell(this.texts.refusedMembership);
    else if (refused === 'phone') this.#tell(this.texts.refusedPhone);
    else if (refused !== undefined) this.#tell(this.texts.refusedLogin);
    if (reply.kind === 'UNREACHABLE') this.#tell(this.texts.noAnswer);
  }

  async #go(view: () => void | Promise<void>): Promise<void> {
    this.#view = view;
    this.#tell('');
    this.#drawHeader();
    await view();
    this.#heading.focus();
  }

  #drawHeader(): void {
    document.documentElement.lang = this.language;
    const choose = languageSwitch(this.texts.language, this.language, (language) => void this.#speak(language));
    const leave = button(this.texts.logOut, 'log-out', () => this.#leave(), 'quiet');
    const tools = el('div', { class: 'tools' }, choose, this.#session && leave);
    this.#header.replaceChildren(el('span', { class: 'brand' }, mark(), 'Countersign'), tools);
  }

  async #speak(language: Language): Promise<void> {
    const texts = await loadMessages(language).catch(() => undefined);
    if (texts) [this.language, this.texts] = [language, texts];
    await this.#go(this.#view);
  }

  async #leave(): Promise<void> {
    if (!bodyOf(await this.api.delete('/portal/v1/session'), this.#dependencies())) return;
    this.#session = undefined;
    await this.#go(() => this.#showLogin());
  }

  #title(text: string): void {
    this.#heading.textContent = text;
    document.title = `${text} · Countersign`;
  }

  #showLogin(): void {
    this.#title(this.texts.title);
    const { invitation } = this.#entry;
    const begin = button(this.texts.logIn, 'log-in', async () => {
      const body = bodyOf(await this.api.post('/portal/v1/login', invitation === undefined ? {} : { invitation }), this.#dependencies());
      const redirect = body?.['redirect'];
      if (typeof redirect === 'string') location.assign(redirect);
    });
    const text = invitation === undefined ? this.texts.lead : this.texts.invited;
    this.#content.replaceChildren(el('section', { class: 'part' }, el('p', {}, text), begin));
  }

  #showHome(): void {
    this.#title(this.texts.title);
    const dependencies = this.#dependencies();
    const roles = this.#roles();
    const open = (clientId: string, newSecret?: string): void => void this.#go(() => this.#showClient(clientId, newSecret));
    this.#content.replaceChildren(
      ...(roles.length > 0 ? [breakGlassPart(dependencies)] : []),
      clientsPart(dependencies, listOf(this.#session ?? {}, 'clients'), roles.length > 0, open),
      ...(roles.length > 0 ? [changesPart(dependencies, open), sessionPart(dependencies, '/admin/v1')] : []),
      ...(roles.includes('operator') ? [registerPart(dependencies, open)] : []),
      ...(roles.some((role) => PERSONS.includes(role)) ? [personsPart(dependencies)] : []),
      ...(roles.some((role) => REGISTRARS.includes(role)) ? [registerPersonPart(dependencies)] : []),
      ...(roles.includes('security')
        ? [
            teamPart(dependencies, { path: '/admin/v1', title: this.texts.staff, withRoles: true, mayInvite: true }),
            tokensPart(dependencies),
            auditPart(dependencies),
          ]
        : []),
      ...(roles.length > 0 ? [healthPart(dependencies, open)] : []),
      ...(roles.some((role) => KEYS.includes(role)) ? [keysPart(dependencies)] : []),
      ownPart(dependencies),
    );
  }

  async #showClient(clientId: string, newSecret?: string): Promise<void> {
    const dependencies = this.#dependencies();
    const path = `/admin/v1/clients/${clientId}`;
    const client = bodyOf(await this.api.get(path), dependencies);
    const consent = client && bodyOf(await this.api.get(`${path}/waiting-change`), dependencies);
    if (!client || !consent) return;
    this.#title(String(client['name']));
    const back = button(this.texts.back, 'back', () => this.#go(() => this.#showHome()), 'quiet');
    const openEndpoint = (endpointId: string): void => void this.#go(() => this.#showEndpoint(clientId, endpointId));
    const view = clientView(dependencies, client, {
      baseUrl: configText(pageConfig(), 'baseUrl'),
      issuerUrl: configText(pageConfig(), 'issuerUrl'),
      newSecret,
      roles: this.#roles(),
      consent,
      needsConsent: pageConfig()['consent'] === 'required',
      openEndpoint,
      reload: async (text) => {
        await this.#go(() => this.#showClient(clientId));
        this.#tell(text, true);
      },
      gone: () => this.#go(() => this.#showHome()),
    });
    this.#content.replaceChildren(...view, back);
  }

  async #showEndpoint(clientId: string, endpointId: string): Promise<void> {
    this.#title(this.texts.endpoint);
    const left = (): Promise<void> => this.#go(() => this.#showClient(clientId));
    const path = `/admin/v1/clients/${clientId}/webhook-endpoints`;
    const view = await webhookView(this.#dependencies(), { path, endpointId, left: () => void left() });
    this.#content.replaceChildren(...view, button(this.texts.backToClient, 'back', left, 'quiet'));
  }

  /** Of a member of the staff. */
  #roles(): readonly string[] {
    return textsOf(this.#session ?? {}, 'roles');
  }

  #dependencies(): Dependencies {
    const locale = localeOf(this.language, navigator.languages);
    return {
      texts: this.texts,
      api: this.api,
      time: (at) => timeText(at, locale),
      day: (day) => dayText(day, locale),
      days: (count) => daysText(count, locale),
      tell: (text, done) => this.#tell(text, done),
      left: () => {
        this.#session = undefined;
        void this.#go(() => this.#showLogin());
      },
    };
  }

  #tell(text: string, done = false): void {
    this.#notice.textContent = text;
    this.#notice.hidden = text === '';
    this.#notice.classList.toggle('done', done);
    if (text !== '') this.#notice.scrollIntoView({ block: 'nearest' });
  }
}
