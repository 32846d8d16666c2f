/**
 * What the folders of this repository mean, in both of its layouts: the flat one, `libs/<library>`, and the one with groups, `libs/<group>/<library>` beside
 * single libraries, with `testkit/` and `lab/`.
 */

/** Whether the file serves tests: a spec, a contract suite, a check, or in a folder of such files. */
export const isTest = (path: string): boolean => /^testkit\/|(^|\/)(test|testing|contract)\/|\.(spec|contract|check)\./.test(path);

/** Whether a process or a page begins with the file: the `main.ts` of an app or a page, the `start.ts` of a page, the script of a service worker. */
export const isEntry = (path: string): boolean =>
  !isTest(path) && /^(apps|examples)\/[^/]+\/((?:[^/]+\/)*src\/main|(?:[^/]+\/)+src\/start|(?:[^/]+\/)+service-worker)\.ts$/.test(path);

/** The folders of the libraries: each has a folder `src`, directly below `libs` or in a group. */
export const librariesOf = (paths: readonly string[]): readonly string[] => [
  ...new Set(paths.flatMap((path) => /^(libs\/[^/]+(?:\/[^/]+)?)\/src\//.exec(path)?.[1] ?? []).map((folder) => shortest(folder, paths))),
];

/** `libs/kernel` for `libs/kernel/src`, which holds a folder `src` of its own. */
const shortest = (folder: string, paths: readonly string[]): string => {
  const [libs, first] = folder.split('/');
  return paths.some((path) => path.startsWith(`${libs}/${first}/src/`)) ? `${libs}/${first}` : folder;
};

/** The libraries that hold what the service is for; the others are means. */
const BUSINESS = ['session', 'identity', 'relying-party', 'administration', 'webhook', 'push'];

/** Whether the file belongs to the business: in `libs/<library>`, or in `libs/domain/<library>`. */
export const isBusiness = (path: string): boolean => {
  const [libs, first = ''] = path.split('/');
  return libs === 'libs' && (first === 'domain' || BUSINESS.includes(first));
};

/** Whether the file holds a use case of the business. */
export const isUseCase = (path: string): boolean => isBusiness(path) && path.includes('/use-cases/') && !isTest(path);

/** Whether a library's spec imports the test kit, which stands on the libraries: it may, and that shows nothing about the library. */
export const isSpecWithTestKit = (path: string, imported: string): boolean =>
  /^libs\/.*\.(spec|check)\.ts$/.test(path) && /^testkit\//.test(imported);

/** The room of a file in a drawing; undefined for a file that is not in it. */
export type RoomOf = (path: string) => string | undefined;

/** The example shows the code of a relying party: it is no room of the house. */
const OUTSIDE = ['examples'];

const topFolder: RoomOf = (path) => {
  const [top = '', rest] = path.split('/');
  return rest === undefined || OUTSIDE.includes(top) ? undefined : top;
};

const folderOfLibs: RoomOf = (path) => /^libs\/[^/]+/.exec(path)?.[0];

/** The drawings, by name. In the flat layout the last two are the same. */
export const drawingsOf = (libraries: readonly string[]): Readonly<Record<string, RoomOf>> => {
  const libraryOf: RoomOf = (path) => libraries.find((library) => path.startsWith(`${library}/`));
  return {
    'the first level': topFolder,
    'the inside of libs': folderOfLibs,
    'the folders of libs, beside the first level': (path) => folderOfLibs(path) ?? topFolder(path),
    'the libraries, beside the first level': (path) => libraryOf(path) ?? topFolder(path),
  };
};
