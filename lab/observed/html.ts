/** A text for HTML, also inside of an attribute's quotes. */
export const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');

/** A page of the local view. `body` is HTML. */
export const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escape(title)}</title>
<style>${STYLE}</style>
<nav><a href="/">Traces</a> <a href="/dashboard">Dashboard</a></nav>
<h1>${escape(title)}</h1>
${body}
</html>
`;

const STYLE = `
body { font: 14px/1.4 'Noto Sans', 'Liberation Sans', sans-serif; margin: 1.5rem; color: #1d2433; background: #fff }
nav a { margin-right: 1rem }
h1 { font-size: 1.3rem } h2 { font-size: .9rem; margin: 0 0 .3rem }
table { border-collapse: collapse; width: 100% }
td, th { text-align: left; padding: .15rem .5rem; border-bottom: 1px solid #e6e9f0; white-space: nowrap }
td.lane { width: 55%; position: relative; padding: 0 }
td.details { color: #5a6478; font-size: .8rem; max-width: 16rem; overflow: hidden; text-overflow: ellipsis }
.bar { position: absolute; top: 25%; height: 50%; min-width: 3px; border-radius: 2px }
.failed { color: #b3261e }
main { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 1rem }
figure { margin: 0; padding: .6rem; border: 1px solid #d9deea; border-radius: 6px }
figcaption { font-size: .72rem; color: #5a6478 } figcaption span { margin-right: .7rem; white-space: nowrap }
svg { width: 100%; height: auto } svg text { font-size: 11px; fill: #5a6478 }
.empty { color: #8a93a6; padding: 3rem 0; text-align: center }
`;

/** Colours that are easy to tell apart, also for colour-blind persons. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#6a3d9a', '#555555'];

/** The colour of the line or service with this number, from 0; colours repeat when there are more numbers than colours. */
export const colour = (number: number): string => COLOURS[number % COLOURS.length]!;
