export const lv = {
  title: 'Countersign darbojas',
  lead: 'Pieteikšanās un dokumentu parakstīšana ar apstiprinājumu tālrunī.',
  demo: 'Demonstrācija',
  demoText: 'Izdomāta bibliotēka, kurā var pieteikties kā apmeklētājam un parakstīt dokumentu.',
  phone: 'Tālrunis',
  phoneText: 'Tīmekļa tālrunis: noskenējiet kodu un ievadiet PIN kodu.',
  reference: 'API apraksts',
  referenceText: 'Visi pieprasījumi ar laukiem un kļūdām. Izmēģiniet tos tepat.',
  health: 'Stāvoklis',
  healthText: 'Vai visas šī pakalpojuma daļas var darboties.',
  start: 'Sāciet šeit: atveriet demonstrāciju un piesakieties.',
};
