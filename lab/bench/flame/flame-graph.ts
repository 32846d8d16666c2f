/** One function on the stack of samples, with those that it called. */
export interface Frame {
  readonly name: string;
  samples: number;
  readonly calls: Map<string, Frame>;
}

const WIDTH = 1200;
const ROW = 17;
/** Of the samples. A frame with less is not drawn, so that the picture stays small. */
const LEAST = 0.002;
/** Of a character, in pixels, at the font size below. */
const CHARACTER = 6.2;
const HEAD = 30;

const COLOURS: readonly (readonly [RegExp, string])[] = [
  [/^native /, '#b8b8d1'],
  [/ (libs|apps|bench)\//, '#7fb069'],
  [/ node_modules\//, '#e6aa68'],
  [/ node:/, '#f2d388'],
];

/** The stacks, the outermost function first, as one tree. */
export const treeOf = (stacks: Iterable<readonly string[]>): Frame => {
  const root: Frame = { name: 'all', samples: 0, calls: new Map() };
  for (const stack of stacks) {
    let frame = root;
    frame.samples += 1;
    for (const name of stack) {
      const called: Frame = frame.calls.get(name) ?? { name, samples: 0, calls: new Map() };
      called.samples += 1;
      frame.calls.set(name, called);
      frame = called;
    }
  }
  return root;
};

/** A flame graph in SVG: the width of a frame is its share of the samples, and what it called stands on it. */
export const flameGraph = (root: Frame, title: string): string => {
  const drawn: { readonly frame: Frame; readonly depth: number; readonly x: number; readonly width: number }[] = [];
  const draw = (frame: Frame, depth: number, x: number): void => {
    const width = (frame.samples / root.samples) * WIDTH;
    if (frame.samples / root.samples < LEAST) return;
    drawn.push({ frame, depth, x, width });
    let at = x;
    for (const called of [...frame.calls.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      draw(called, depth + 1, at);
      at += (called.samples / root.samples) * WIDTH;
    }
  };
  draw(root, 0, 0);
  const height = HEAD + ROW * (1 + Math.max(...drawn.map(({ depth }) => depth)));
  const bars = drawn.map(({ frame, depth, x, width }) => {
    const y = height - ROW * (depth + 1);
    const text = escaped(frame.name.slice(0, Math.max(0, Math.floor((width - 6) / CHARACTER))));
    const share = ((frame.samples / root.samples) * 100).toFixed(1);
    const label = width > 30 ? `<text x="${(x + 3).toFixed(1)}" y="${y + 12}">${text}</text>` : '';
    return `<g><title>${escaped(frame.name)} ${share} %</title><rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 1}" fill="${colourOf(frame.name)}"/>${label}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="monospace" font-size="10">
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="6" y="19" font-size="13">${escaped(title)}</text>
${bars.join('\n')}
</svg>
`;
};

const colourOf = (name: string): string => COLOURS.find(([pattern]) => pattern.test(name))?.[1] ?? '#d9d9d9';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
