/**
 * Lets a library that writes styles into the page work under a policy without `unsafe-inline`: a style element gets the nonce of the answer,
 * and a style attribute is set through the object model, which the policy allows (CSP level 3, section 6.1.10).
 */
export const styleUnderPolicy = (nonce: string): void => {
  const { createElement } = Document.prototype;
  Document.prototype.createElement = function (this: Document, name: string, options?: ElementCreationOptions): HTMLElement {
    const element = createElement.call(this, name, options);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  } as typeof createElement;

  const { setAttribute } = Element.prototype;
  Element.prototype.setAttribute = function (name, value) {
    if (name === 'style' && hasStyle(this)) this.style.cssText = value;
    else setAttribute.call(this, name, value);
  };

  const innerHtml = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML');
  if (!innerHtml?.set) return;
  const { set } = innerHtml;
  Object.defineProperty(Element.prototype, 'innerHTML', {
    ...innerHtml,
    set(this: Element, markup: unknown) {
      set.call(this, String(markup).replaceAll(' style="', ` ${KEPT}="`));
      for (const element of this.querySelectorAll(`[${KEPT}]`)) {
        if (hasStyle(element)) element.style.cssText = element.getAttribute(KEPT) ?? '';
        element.removeAttribute(KEPT);
      }
    },
  });
};

/** Holds a style attribute of markup until it is set through the object model. */
const KEPT = 'data-style-under-policy';

const hasStyle = (element: Element): element is Element & ElementCSSInlineStyle => 'style' in element;
