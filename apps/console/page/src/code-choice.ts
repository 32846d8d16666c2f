import { el } from '#web-page/browser';

import type { Messages } from './messages/messages.js';

interface CodeChoice {
  readonly nodes: readonly HTMLElement[];
  /** Whether the codes of the client change each second. */
  readonly isDynamic: () => boolean;
}

/** Makes a frame on the relying party's server (specification/login-ui.md#dynamic-qr). The same lines stand in docs/relying-party/plain-http.md. */
const FRAMES = `// begunAt is Date.now() when POST session has answered. Run this on your server each second.
const t = Math.floor((Date.now() - begunAt) / 1000);
const key = Buffer.from(qrSecret, 'base64url');
const a = createHmac('sha256', key).update(\`\${sessionId}.\${t}\`).digest('base64url');
const code = \`\${payload}&t=\${t}&a=\${a}\`;`;

/**
 * Asks who shows the QR codes of a new client, which change each second unless the box is cleared. The hosted page makes their frames by itself; for a page of the relying
 * party the form says what it has to do, since a code without a frame is refused.
 */
export const codeChoice = (texts: Messages): CodeChoice => {
  const choice = (id: string, checked: boolean) =>
    el('input', { type: 'radio', name: 'shows-code', checked, change: () => show(), 'data-testid': id });
  const hosted = choice('new-shows-hosted', true);
  const own = choice('new-shows-own', false);
  const dynamic = el('input', { type: 'checkbox', checked: true, change: () => show(), 'data-testid': 'new-dynamic-qr' });
  const frames = el(
    'div',
    { hidden: true, 'aria-live': 'polite', 'data-testid': 'new-frames' },
    el('p', { class: 'soft' }, texts.framesText),
    el('pre', { tabindex: 0 }, FRAMES),
  );
  const show = (): void => {
    frames.hidden = !own.checked || !dynamic.checked;
  };
  return {
    nodes: [
      el(
        'fieldset',
        {},
        el('legend', {}, texts.showsCode),
        el('label', { class: 'choice' }, hosted, texts.showsHosted),
        el('label', { class: 'choice' }, own, texts.showsOwn),
      ),
      el('label', { class: 'choice' }, dynamic, texts.dynamicQr),
      frames,
    ],
    isDynamic: () => dynamic.checked,
  };
};
