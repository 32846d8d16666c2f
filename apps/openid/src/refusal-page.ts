import { securityHeaders } from '#web-page';

interface Texts {
  readonly title: string;
  readonly text: string;
}

type Language = 'en' | 'et' | 'lv' | 'lt' | 'de' | 'ru';

const TEXTS = {
  /** The request leads to no relying party. */
  wrong: {
    en: { title: 'This login cannot begin', text: 'The service that sent you here has asked in a wrong way. Go back to it and start again.' },
    et: {
      title: 'Sisselogimist ei saa alustada',
      text: 'Teenus, mis sind siia saatis, esitas vale päringu. Mine tagasi teenusesse ja alusta uuesti.',
    },
    lv: {
      title: 'Pieteikšanos nevar sākt',
      text: 'Pakalpojums, kas jūs šurp nosūtīja, nosūtīja nepareizu pieprasījumu. Atgriezieties pakalpojumā un sāciet no jauna.',
    },
    lt: {
      title: 'Prisijungimo pradėti negalima',
      text: 'Paslauga, kuri jus čia nukreipė, atsiuntė netinkamą užklausą. Grįžkite į paslaugą ir pradėkite iš naujo.',
    },
    de: {
      title: 'Diese Anmeldung kann nicht beginnen',
      text: 'Der Dienst, der Sie hierher geschickt hat, hat falsch angefragt. Gehen Sie zu ihm zurück und beginnen Sie neu.',
    },
    ru: { title: 'Вход не может начаться', text: 'Сервис, который направил вас сюда, прислал неверный запрос. Вернитесь в сервис и начните заново.' },
  },
  /** The same request may succeed later. */
  later: {
    en: { title: 'This login cannot begin now', text: 'The login service is busy or cannot be reached. Reload this page in a minute.' },
    et: {
      title: 'Sisselogimist ei saa praegu alustada',
      text: 'Sisselogimisteenus on hõivatud või pole kättesaadav. Laadi see leht minuti pärast uuesti.',
    },
    lv: {
      title: 'Pieteikšanos pašlaik nevar sākt',
      text: 'Pieteikšanās pakalpojums ir aizņemts vai nav sasniedzams. Pēc minūtes atjauniniet šo lapu.',
    },
    lt: {
      title: 'Prisijungimo dabar pradėti negalima',
      text: 'Prisijungimo paslauga užimta arba nepasiekiama. Po minutės įkelkite šį puslapį iš naujo.',
    },
    de: {
      title: 'Diese Anmeldung kann gerade nicht beginnen',
      text: 'Der Anmeldedienst ist ausgelastet oder nicht erreichbar. Laden Sie diese Seite in einer Minute neu.',
    },
    ru: { title: 'Сейчас вход не может начаться', text: 'Сервис входа занят или недоступен. Обновите эту страницу через минуту.' },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<Language, Texts>>>>;

/** The headers of the page: it has no script and no style. `baseUrl`: {base_url}. */
export const refusalHeaders = (baseUrl: string): Readonly<Record<string, string>> => securityHeaders({ baseUrl });

/** The page for a login that does not begin, in the language that the browser prefers. `reason`: one of our own sentences, or a code of OAuth, for the developer. */
export const refusalPage = (why: keyof typeof TEXTS, acceptLanguage: string | undefined, reason: string): string => {
  const language = preferred(acceptLanguage);
  const { title, text } = TEXTS[why][language];
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <title>${title}</title>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      <p>${text}</p>
      <p lang="en"><small>${reason}</small></p>
    </main>
  </body>
</html>
`;
};

const isLanguage = (tag: string): tag is Language => Object.hasOwn(TEXTS.wrong, tag);

const preferred = (header = ''): Language =>
  header
    .split(',')
    .map((tag) => tag.trim().slice(0, 2).toLowerCase())
    .find(isLanguage) ?? 'en';
