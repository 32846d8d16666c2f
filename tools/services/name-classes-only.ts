import type { Plugin } from 'esbuild';

/** esbuild's helper for `keepNames`. */
const HELPER = 'var __name = (target, value) => __defProp(target, "name", { value, configurable: true });';
const HELPER_FOR_CLASSES = 'var __name = (target, value, isClass) => isClass ? __defProp(target, "name", { value, configurable: true }) : target;';
/** How a class, and nothing else, calls it: in a static block. */
const CLASS = /\b__name\(this, ("[^"\n]*")\)/g;

/**
 * For `keepNames`: keeps the names of classes, which Nest, errors and log lines use, and not those of functions. esbuild names each function again whenever it is
 * made, the small ones of each request too, which took a tenth of a login's processor time (docs/adr/0028-services-as-bundles.md).
 * Needs `write: false`. Throws an error if esbuild's helper reads otherwise than we know it.
 */
export const nameClassesOnly: Plugin = {
  name: 'name classes only',
  setup({ onEnd }) {
    onEnd(({ outputFiles = [] }) => {
      const scripts = outputFiles.filter(({ path }) => path.endsWith('.js'));
      const texts = scripts.map(({ text }) => text);
      if (texts.filter((text) => text.includes(HELPER)).length !== 1)
        throw new Error('The bundles hold no helper for names, or one that we do not know');
      scripts.forEach((file, at) => {
        file.contents = Buffer.from(texts[at]!.replace(HELPER, HELPER_FOR_CLASSES).replace(CLASS, '__name(this, $1, true)'));
      });
    });
  },
};
