import { Marked, type Token, type Tokens } from 'marked';

import { escaped, highlighted } from './highlight.ts';

/** A heading of a page and the text below it. */
export interface Section {
  readonly anchor: string;
  readonly title: string;
  /** 1 to 6. */
  readonly depth: number;
  /** Without marks. */
  readonly text: string;
}

export interface RenderedPage {
  readonly title: string;
  readonly html: string;
  readonly sections: readonly Section[];
}

/**
 * A page of Markdown as HTML, without script, style and markup of its own.
 *
 * @param resolve the reference for the target of a link
 * @throws Error for a page without a heading, and for markup that is not allowed
 */
export const renderPage = (page: string, markdown: string, resolve: (target: string) => string): RenderedPage => {
  const sections: Section[] = [];
  const slug = slugs();
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }) {
        const inner = this.parser.parseInline(tokens);
        const anchor = slug(textOf(tokens));
        sections.push({ anchor, title: textOf(tokens), depth, text: '' });
        // For the mouse: the list of headings leads to it for all others.
        return `<h${depth} id="${anchor}">${inner} <a class="anchor" href="#${anchor}" tabindex="-1" aria-hidden="true">#</a></h${depth}>\n`;
      },
      code: ({ text, lang = '' }) => `<pre tabindex="0"><code>${highlighted(text, lang)}</code></pre>\n`,
      link({ href, tokens }) {
        return `<a href="${escaped(resolve(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      image: ({ href, text }) => `<img src="${escaped(resolve(href))}" alt="${escaped(text)}" loading="lazy">`,
      table(token) {
        const cells = (row: readonly Tokens.TableCell[], name: 'th' | 'td'): string =>
          row.map(({ text, tokens }) => (text === '' ? '<td></td>' : `<${name}>${this.parser.parseInline(tokens)}</${name}>`)).join('');
        // Many tables have no heads, which a screen reader would read out as empty ones.
        const head = token.header.some(({ text }) => text !== '') ? `<thead><tr>${cells(token.header, 'th')}</tr></thead>` : '';
        const body = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
        return `<div class="table" tabindex="0"><table>${head}<tbody>${body}</tbody></table></div>\n`;
      },
      html({ text }) {
        if (/^<!--[^]*-->\s*$/.test(text)) return '';
        if (/^<br ?\/?>$/.test(text)) return '<br>';
        throw new Error(`${page}: markup is not allowed on the site: ${text}`);
      },
    },
  });
  const tokens = marked.lexer(markdown);
  const html = marked.parser(tokens);
  const [first] = sections;
  if (first?.depth !== 1) throw new Error(`${page} does not begin with a heading`);
  return { title: first.title, html, sections: withTexts(tokens, sections) };
};

/** The anchors that GitHub gives to headings. */
const slugs = (): ((heading: string) => string) => {
  const counts = new Map<string, number>();
  return (heading) => {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
};

/** The words of inline marks and blocks. */
const textOf = (tokens: readonly Token[]): string => tokens.map(wordsOf).join('');

const wordsOf = (token: Token): string => {
  if (token.type === 'html') return '';
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].map((row) => row.map((cell) => textOf(cell.tokens)).join(' ')).join('\n');
  }
  if (token.type === 'list') return (token as Tokens.List).items.map((item) => textOf(item.tokens)).join('\n');
  if ('tokens' in token && token.tokens) return textOf(token.tokens);
  return token.type === 'escape' || token.type === 'text' || token.type === 'codespan' || token.type === 'code'
    ? String((token as Tokens.Text).text)
    : ' ';
};

const withTexts = (tokens: readonly Token[], sections: readonly Section[]): readonly Section[] => {
  const texts: string[][] = [];
  for (const token of tokens) {
    if (token.type === 'heading') texts.push([]);
    else texts.at(-1)?.push(wordsOf(token));
  }
  return sections.map((section, index) => ({ ...section, text: (texts[index] ?? []).join('\n').replaceAll(/\s+/g, ' ').trim() }));
};
