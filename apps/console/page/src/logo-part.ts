import { el } from '#web-page/browser';

import type { PartContext } from './client-context.js';
import { bodyOf, button, field, part, type Dependencies } from './parts.js';
import { type Json, objectOf, textOf } from './portal-api.js';

/** Bytes. The service refuses more. */
const MOST = 32 * 1024;

/** The logo that people see on the login page, and the one that staff has yet to approve. */
export const logoPart = (dependencies: Dependencies, { path, roles }: PartContext): HTMLElement => {
  const { texts, api, tell } = dependencies;
  const own = `${path}/logo`;
  const isOperator = roles.includes('operator');
  const mayChange = isOperator || roles.length === 0;
  const shown = el('div', { class: 'secret' });
  const draw = (logos: Json): void => {
    const [approved, waiting] = [objectOf(logos, 'shown'), objectOf(logos, 'waiting')];
    const approve = button(texts.approveLogo, 'approve-logo', async () => {
      // The hash names the logo that the person has seen, so that the service approves no other one.
      const body = waiting && bodyOf(await api.post(`${own}/approval`, { hash: textOf(waiting, 'hash') }), dependencies);
      if (body) draw(body);
    });
    const remove = button(
      texts.remove,
      'remove-logo',
      async () => {
        if (bodyOf(await api.delete(own), dependencies)) draw({});
      },
      'quiet',
    );
    shown.replaceChildren(
      ...(approved ? [picture(texts.logo, texts.logoShown, approved)] : []),
      ...(waiting ? [picture(texts.logo, texts.logoWaiting, waiting)] : []),
      ...(approved || waiting ? [] : [el('p', { class: 'soft' }, texts.none)]),
      el('div', { class: 'actions' }, waiting && isOperator && approve, (approved ?? waiting) && mayChange && remove),
    );
  };
  const load = async (): Promise<void> => {
    const logos = bodyOf(await api.get(own), dependencies);
    if (logos) draw(logos);
  };
  const input = el('input', { type: 'file', accept: 'image/png', 'data-testid': 'logo' });
  const upload = async (file: File): Promise<void> => {
    if (file.size > MOST) return tell(texts.logoRule);
    const bytes = new Uint8Array(await file.arrayBuffer());
    const image = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    const body = bodyOf(await api.put(own, { image }), dependencies);
    if (!body) return;
    draw(body);
    tell(texts.saved, true);
  };
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (file) void upload(file);
    input.value = '';
  });
  void load();
  const choose = mayChange ? [el('p', { class: 'soft' }, texts.logoRule), field(texts.logoUpload, input)] : [];
  return part(texts.logo, shown, ...choose);
};

const picture = (alt: string, text: string, logo: Json): HTMLElement =>
  el(
    'figure',
    { class: 'logo', 'data-testid': 'logo-shown' },
    el('img', { src: `data:image/png;base64,${textOf(logo, 'image')}`, alt, width: Number(logo['width']), height: Number(logo['height']) }),
    el('figcaption', { class: 'soft' }, text),
  );
