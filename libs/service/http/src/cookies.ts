/** The most values of one cookie that are tried. Each may cost a read. */
const MOST = 8;

/**
 * The different values of a cookie in the header `Cookie`, in its order. A browser may hold several cookies of one name, of other paths and domains, and their order means
 * nothing (RFC 6265 §4.2.2, §5.4): the caller tries each. A guess among them costs as much as a guess alone, since a request counts as one failure and the values are few.
 */
export const cookiesIn = (header: string | undefined, name: string): readonly string[] => {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1).replace(/^"(.*)"$/, '$1'));
  return [...new Set(values)].slice(0, MOST);
};

/** The one thing that the values of a cookie stand for; undefined where none stands for any, or two for different ones. */
export const theOnly = <Found>(found: readonly (Found | undefined)[]): Found | undefined => {
  const [one, another] = found.filter((each) => each !== undefined);
  return another === undefined ? one : undefined;
};
