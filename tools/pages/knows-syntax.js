// Runs only where the browser reads the newest syntax of the pages' scripts (ECMAScript 2022).
document.documentElement.setAttribute(
  'data-syntax',
  class {
    static #known = '';
    static known;
    static {
      this.known ??= this.#known;
    }
  }.known,
);
