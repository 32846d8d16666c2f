/** A page of docs/adr. */
interface Decision {
  readonly title: string;
  /** `accepted`, or `superseded by` and a link. */
  readonly status: string;
  /** The files of the decisions that this one supersedes. */
  readonly supersedes: readonly string[];
}

const PAGE = /^# (\d{4}) (.+)\n\nStatus: (.+)\n\n((?:Supersedes .+\n\n)*)/;
const ROW = /^\| \[(\d{4})\]\(([^)]+)\) \| (.+?) \| (.+?) \| (.+?) \|$/gm;
const SUCCESSOR = /^superseded by \[(\d{4})\]\(([^)]+)\)$/;
const SUPERSEDED = /^Supersedes \[(\d{4})\]\(([^)]+)\)$/gm;
const INDEX = 'README.md';

/**
 * What is wrong with a folder of decisions, a line each: every page has a title, a status and a row in the index that says the same; a superseded page
 * and its successor name each other.
 *
 * @param pages the texts of the folder by their file names, README.md included
 */
export const wrongDecisions = (pages: ReadonlyMap<string, string>): readonly string[] => {
  const files = [...pages.keys()].filter((file) => file !== INDEX).sort();
  const rows = [...(pages.get(INDEX) ?? '').matchAll(ROW)].map(([, number = '', file = '', title = '', status = '']) => ({
    number,
    file,
    title,
    status,
  }));
  const wrong: string[] = [];
  const require = (holds: boolean, fault: string): void => void (holds || wrong.push(fault));

  require(rows.map(({ file }) => file).join() === files.join(), `the index does not list each page once, in order`);
  require(new Set(files.map(numberOf)).size === files.length, 'two pages have one number');
  for (const { number, file, title, status } of rows) {
    const decision = read(file, pages.get(file) ?? '');
    require(number === numberOf(file), `${INDEX}: ${number} is not the number of ${file}`);
    require(decision?.title === title, `${INDEX}: the title of ${number} is another one`);
    require(decision?.status === status, `${INDEX}: the status of ${number} is another one`);
  }
  for (const file of files) {
    const decision = read(file, pages.get(file) ?? '');
    require(decision !== undefined, `${file}: no title with its number, or no status`);
    const successor = SUCCESSOR.exec(decision?.status ?? '')?.[2];
    require(decision?.status === 'accepted' || successor !== undefined, `${file}: not a status`);
    require(successor === undefined || supersedes(pages, successor, file), `${file}: its successor does not name it`);
    for (const former of decision?.supersedes ?? []) {
      const status = read(former, pages.get(former) ?? '')?.status ?? '';
      require(SUCCESSOR.exec(status)?.[2] === file, `${file}: ${former} does not name it as its successor`);
    }
  }
  return wrong;
};

const numberOf = (file: string): string => file.slice(0, 4);

const read = (file: string, text: string): Decision | undefined => {
  const [, number, title = '', status = '', links = ''] = PAGE.exec(text) ?? [];
  if (number !== numberOf(file)) return undefined;
  return { title, status, supersedes: [...links.matchAll(SUPERSEDED)].map(([, , former = '']) => former) };
};

const supersedes = (pages: ReadonlyMap<string, string>, file: string, former: string): boolean =>
  read(file, pages.get(file) ?? '')?.supersedes.includes(former) === true;
