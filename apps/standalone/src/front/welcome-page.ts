import { type Language, LANGUAGE_NAMES, MESSAGES } from './messages/messages.js';
import type { Places } from './places.js';

export interface WelcomePage {
  readonly language: Language;
  readonly places: Places;
  /** The address of the stylesheet. */
  readonly style: string;
  /** The address of the picture beside the name. */
  readonly mark: string;
}

/** The HTML of the page that `/` answers to a person. It has no script. */
export const welcomePage = ({ language, places, style, mark }: WelcomePage): string => {
  const texts = MESSAGES[language];
  const { demo, phone, portal, guide, reference, health } = places;
  const cards = [
    demo !== undefined && card(demo, texts.demo, texts.demoText, 'demo'),
    card(phone, texts.phone, texts.phoneText, 'phone'),
    card(portal, texts.portal, texts.portalText, 'portal'),
    guide !== undefined && card(guide, texts.guide, texts.guideText, 'guide'),
    reference !== undefined && card(reference, texts.reference, texts.referenceText, 'reference'),
    health !== undefined && card(health, texts.health, texts.healthText, 'health'),
  ].filter((markup) => markup !== false);
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <title>${escaped(texts.title)}</title>
    <link rel="icon" href="${escaped(mark)}" type="image/svg+xml">
    <link rel="stylesheet" href="${escaped(style)}">
  </head>
  <body>
    <header>
      <p class="brand"><img src="${escaped(mark)}" alt="" width="28" height="28"> Countersign</p>
    </header>
    <main>
      <h1>${escaped(texts.title)}</h1>
      <p class="lead">${escaped(texts.lead)}</p>
      ${demo === undefined ? '' : `<p class="lead">${escaped(texts.start)}</p>`}
      <ul class="places">
        ${cards.join('\n        ')}
      </ul>
    </main>
    <nav aria-label="${escaped(Object.values(LANGUAGE_NAMES).join(', '))}">
      <ul class="languages">
        ${Object.entries(LANGUAGE_NAMES)
          .map(
            ([code, name]) =>
              `<li><a href="?lang=${code}" lang="${code}" hreflang="${code}"${code === language ? ' aria-current="true"' : ''}>${name}</a></li>`,
          )
          .join('\n        ')}
      </ul>
    </nav>
  </body>
</html>
`;
};

const card = (href: string, name: string, text: string, id: string): string =>
  `<li><a class="place" href="${escaped(href)}" data-testid="${id}"><strong>${escaped(name)}</strong> <span>${escaped(text)}</span></a></li>`;

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
