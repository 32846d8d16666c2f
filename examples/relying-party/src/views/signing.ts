import type { SessionState } from '#clients/relying-party';

import type { Texts } from '../messages/messages.js';
import type { SigningInProgress } from '../visitor.js';
import { html, type Markup } from './html.js';
import type { View } from './layout.js';
import { scriptWords } from './script-words.js';
import { type AwaitedRequest, codeAndSteps, ending, linksToApp, waitingCard } from './waiting-card.js';

export interface SigningOptions extends AwaitedRequest {
  readonly signing: SigningInProgress;
}

/** The scenes, as on the waiting page of a login. At SIGNED the container can be fetched. */
export type SigningScene = 'PENDING' | 'SCANNED' | 'SIGNED' | 'CANCELLED' | 'EXPIRED' | 'ELSEWHERE';

/** A signing is never CONFIRMED. If it were, the container could not be fetched yet. */
export const signingSceneOf = ({ status }: SessionState): SigningScene => {
  if (status === 'COMPLETED') return 'SIGNED';
  return status === 'CONFIRMED' ? 'SCANNED' : status;
};

/** Waits for the phone. Then the script puts the document into the container and offers both as one file. */
export const signingPage =
  (options: SigningOptions): View =>
  (texts) => {
    const { signing, state } = options;
    return {
      title: texts.sign,
      scripted: true,
      words: scriptWords(texts),
      main: waitingCard<SigningScene>(
        {
          kind: 'signing',
          query: `signing=${signing.signingId}`,
          name: signing.name,
          request: options,
          shown: signingSceneOf(state),
          cancel: '/signing/cancel',
          scenes: [
            { name: 'PENDING', heading: texts.signWithPhone, body: code(options, texts) },
            { name: 'SCANNED', heading: texts.signOnPhone, body: ending(texts.compare, facts(signing, texts)) },
            { name: 'SIGNED', heading: texts.signedTitle, body: signed(signing, texts) },
            { name: 'CANCELLED', heading: texts.notSignedTitle, body: ending(texts.notSigned, again(texts)) },
            { name: 'EXPIRED', heading: texts.expiredTitle, body: ending(texts.signExpired, again(texts)) },
            { name: 'ELSEWHERE', heading: texts.signElsewhereTitle, body: ending(texts.signElsewhere, again(texts)) },
          ],
        },
        texts,
      ),
    };
  };

const code = (options: SigningOptions, texts: Texts): Markup =>
  html` <p class="lead">${texts.signScan}</p>
    ${codeAndSteps(options, texts.signStep3, texts)} ${facts(options.signing, texts)}
    <p class="aside">${texts.onThisDevice}</p>
    ${linksToApp(options, texts, true)}`;

const facts = ({ name, pending }: SigningInProgress, texts: Texts, more?: Markup): Markup =>
  html` <dl class="facts">
    <div>
      <dt>${texts.document}</dt>
      <dd><bdi data-testid="document-name">${name}</bdi></dd>
    </div>
    ${more}
    <div>
      <dt>${texts.fingerprint}</dt>
      <dd><code class="fingerprint" data-testid="document-hash">${inGroups(pending.signedDataHash)}</code></dd>
    </div>
  </dl>`;

const signed = (signing: SigningInProgress, texts: Texts): Markup =>
  html` <p class="lead" role="status" data-progress>${texts.building}</p>
    <p class="banner" role="alert" data-problem data-testid="problem" hidden></p>
    <label class="field" data-file-again hidden>
      <span>${texts.onceMore}</span>
      <input type="file" data-file data-testid="file-again" />
      <small>${texts.onceMoreHint}</small>
    </label>
    <p data-ready hidden><a class="button" href="#" data-download data-testid="download">${texts.download}</a></p>
    ${facts(signing, texts, evidence(texts))} ${verification(signing, texts)}
    <p class="hint">${texts.kept}</p>`;

/** The script fills it with the container's evidence, once it has fetched the container. */
const evidence = (texts: Texts): Markup =>
  html` <div data-evidence hidden>
      <dt>${texts.signer}</dt>
      <dd><bdi data-signer data-testid="signer"></bdi></dd>
    </div>
    <div data-evidence hidden>
      <dt>${texts.signedAt}</dt>
      <dd data-signed-at data-testid="signed-at"></dd>
    </div>
    <div data-evidence hidden>
      <dt>${texts.trust}</dt>
      <dd><ul class="trust" data-trust data-testid="trust"></ul></dd>
    </div>`;

const verification = ({ name }: SigningInProgress, texts: Texts): Markup =>
  html` <details data-testid="verify">
    <summary>${texts.verify}</summary>
    <p class="hint">${texts.verifyText}</p>
    <p>
      <code>npm run cli -- verify <bdi>${inShell(`${name}.asice`)}</bdi></code>
    </p>
  </details>`;

/** A name as one word of a POSIX shell. */
const inShell = (name: string): string => `'${name.replaceAll("'", "'\\''")}'`;

/** In groups, the first and the last one emphasised, as the phone shows it. */
const inGroups = (digits: string): readonly Markup[] => {
  const groups = digits.match(/.{1,8}/g) ?? [];
  return groups.map((group, index) => (index === 0 || index === groups.length - 1 ? html`<strong>${group}</strong> ` : html`<span>${group}</span> `));
};

const again = (texts: Texts): Markup => html`<p><a class="button" href="/sign" data-testid="again">${texts.chooseDocument}</a></p>`;
