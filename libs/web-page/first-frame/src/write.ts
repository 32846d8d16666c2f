/** Writes a text of the first frame into the element with this id; without a text it stays as it is. */
export const write = (id: string, text: string | undefined): void => {
  const element = document.getElementById(id);
  if (element !== null && text !== undefined) element.textContent = text;
};
