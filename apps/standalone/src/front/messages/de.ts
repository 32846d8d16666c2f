export const de = {
  title: 'Countersign läuft',
  lead: 'Anmelden oder ein Dokument unterschreiben, bestätigt auf dem Telefon.',
  demo: 'Demo',
  demoText: 'Eine erfundene Bibliothek, um sich als Besucher anzumelden und ein Dokument zu unterschreiben.',
  phone: 'Telefon',
  phoneText: 'Das Web-Telefon: Code scannen, PIN eingeben.',
  reference: 'API-Referenz',
  referenceText: 'Alle Aufrufe mit Feldern und Fehlern, zum Ausprobieren.',
  health: 'Zustand',
  healthText: 'Ob alle Teile dieses Dienstes arbeiten können.',
  start: 'Hier beginnen: Demo öffnen und anmelden.',
};
