/** Finished XML: its text is escaped. */
export interface Xml {
  readonly xml: string;
}

/** Characters that XML 1.0 §2.2 leaves out, lone surrogates among them. Certificates and archives of strangers may hold them. */
const NO_XML_CHARACTER = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

const escaped = (text: string): string =>
  text.replace(NO_XML_CHARACTER, '\u{FFFD}').replace(/[&<>"\t\n\r]/g, (character) => REFERENCES[character] ?? '');

/** An element. `content`: its text, or its children in their order; absent children are left out. Characters that XML cannot hold become U+FFFD. */
export const element = (name: string, content: string | readonly (Xml | undefined)[], attributes: Readonly<Record<string, string>> = {}): Xml => {
  const tag = [name, ...Object.entries(attributes).map(([key, value]) => `${key}="${escaped(value)}"`)].join(' ');
  const inside = typeof content === 'string' ? escaped(content) : content.map((child) => child?.xml ?? '').join('');
  return { xml: inside === '' ? `<${tag}/>` : `<${tag}>${inside}</${name}>` };
};
