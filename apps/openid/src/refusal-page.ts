import { securityHeaders } from '#web-page';

interface Texts {
  readonly title: string;
  readonly text: string;
}

const TEXTS: Readonly<Record<string, Texts>> = {
  en: { title: 'This login cannot begin', text: 'The service that sent you here has asked in a wrong way. Go back to it and start again.' },
  et: { title: 'Sisselogimist ei saa alustada', text: 'Teenus, mis sind siia saatis, esitas vale päringu. Mine tagasi teenusesse ja alusta uuesti.' },
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
};

/** The headers of the page: it has no script and no style. `baseUrl`: {base_url}. */
export const refusalHeaders = (baseUrl: string): Readonly<Record<string, string>> => securityHeaders({ baseUrl });

/** The page for a request that leads to no relying party, in the language that the browser prefers. `reason`: one of our own sentences, for the developer. */
export const refusalPage = (acceptLanguage: string | undefined, reason: string): string => {
  const language = preferred(acceptLanguage);
  const { title, text } = TEXTS[language] as Texts;
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

const preferred = (header = ''): string =>
  header
    .split(',')
    .map((tag) => tag.trim().slice(0, 2).toLowerCase())
    .find((language) => Object.hasOwn(TEXTS, language)) ?? 'en';
