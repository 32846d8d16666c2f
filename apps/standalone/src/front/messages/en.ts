export const en = {
  title: 'Countersign is running',
  lead: 'Log people in, or have them sign a document, by an approval on their phone.',
  demo: 'Demo',
  demoText: 'A made-up library, to log in and sign a document as a visitor.',
  phone: 'Phone',
  phoneText: 'The web phone: scan the code, enter the PIN.',
  reference: 'API reference',
  referenceText: 'Every call, with fields and errors. Try them here.',
  health: 'Health',
  healthText: 'Whether all parts of this service can work.',
  start: 'Start here: open the demo and log in.',
};
