export const et = {
  title: 'Countersign töötab',
  lead: 'Logi inimesi sisse või lase neil dokument allkirjastada, kinnitusega telefonis.',
  demo: 'Demo',
  demoText: 'Väljamõeldud raamatukogu, kus saab külastajana sisse logida ja dokumendi allkirjastada.',
  phone: 'Telefon',
  phoneText: 'Veebitelefon: skaneeri kood ja sisesta PIN.',
  reference: 'API kirjeldus',
  referenceText: 'Kõik päringud koos väljade ja vigadega. Proovi neid siinsamas.',
  health: 'Seisund',
  healthText: 'Kas kõik selle teenuse osad töötavad.',
  start: 'Alusta siit: ava demo ja logi sisse.',
};
