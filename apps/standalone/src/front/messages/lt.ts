export const lt = {
  title: 'Countersign veikia',
  lead: 'Prisijungimas ir dokumentų pasirašymas, patvirtinami telefone.',
  demo: 'Demonstracija',
  demoText: 'Išgalvota biblioteka, kurioje galima prisijungti kaip lankytojui ir pasirašyti dokumentą.',
  phone: 'Telefonas',
  phoneText: 'Žiniatinklio telefonas: nuskaitykite kodą ir įveskite PIN kodą.',
  reference: 'API aprašas',
  referenceText: 'Visos užklausos su laukais ir klaidomis. Išbandykite jas čia pat.',
  health: 'Būsena',
  healthText: 'Ar visos šios paslaugos dalys gali veikti.',
  start: 'Pradėkite čia: atverkite demonstraciją ir prisijunkite.',
};
