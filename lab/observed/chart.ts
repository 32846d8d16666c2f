import { colour, escape } from './html.ts';

export interface Series {
  readonly name: string;
  /** Epoch seconds and value; a value may be no number. */
  readonly points: readonly (readonly [number, number])[];
}

const WIDTH = 420;
const HEIGHT = 150;
/** Room for the numbers at the left. */
const LEFT = 52;
const MOST_NAMES = 8;

/** A panel: its title, lines over time, and the names of the lines with their last values. The lines begin at zero. */
export const panel = (title: string, unit: string, series: readonly Series[]): string => {
  const drawn = series
    .map(({ name, points }) => ({ name, points: points.filter(([, value]) => Number.isFinite(value)) }))
    .filter(({ points }) => points.length > 0);
  const heading = `<h2>${escape(title)}</h2>`;
  if (drawn.length === 0) return `<figure>${heading}<div class="empty">no data</div></figure>`;
  const times = drawn.flatMap(({ points }) => points.map(([time]) => time));
  const most = Math.max(...drawn.flatMap(({ points }) => points.map(([, value]) => value))) || 1;
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const x = (time: number): number => LEFT + ((WIDTH - LEFT) * (time - from)) / (to - from || 1);
  const y = (value: number): number => HEIGHT - 4 - ((HEIGHT - 16) * Math.max(0, value)) / most;
  const lines = drawn.map(({ points }, number) => {
    const path = points.map(([time, value]) => `${x(time).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
    return points.length > 1
      ? `<polyline points="${path}" fill="none" stroke="${colour(number)}" stroke-width="1.6"/>`
      : `<circle cx="${path.split(',')[0]}" cy="${path.split(',')[1]}" r="2" fill="${colour(number)}"/>`;
  });
  const axis = `<path d="M${LEFT} 4V${y(0)}H${WIDTH}" fill="none" stroke="#c3cad9"/><text x="0" y="14">${amount(most, unit)}</text><text x="0" y="${y(0)}">0</text>`;
  const names = drawn.slice(0, MOST_NAMES).map(({ name, points }, number) => {
    const value = amount(points.at(-1)![1], unit);
    return `<span><b style="color:${colour(number)}">●</b> ${escape(name)} ${value}</span>`;
  });
  if (drawn.length > MOST_NAMES) names.push(`<span>and ${drawn.length - MOST_NAMES} more</span>`);
  return `<figure>${heading}<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escape(title)}">${axis}${lines.join('')}</svg><figcaption>${names.join(' ')}</figcaption></figure>`;
};

/** A value in a unit of Grafana. */
const amount = (value: number, unit: string): string => {
  if (unit === 's') return time(value);
  if (unit === 'percentunit') return `${(100 * value).toFixed(1)} %`;
  const short = value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(2)));
  return unit === 'ops' || unit === 'reqps' ? `${short}/s` : short;
};

const DAY = 86_400;

const time = (seconds: number): string => {
  if (seconds >= DAY) return `${(seconds / DAY).toFixed(1)} d`;
  return seconds >= 1 ? `${seconds.toFixed(1)} s` : `${(1_000 * seconds).toFixed(1)} ms`;
};
