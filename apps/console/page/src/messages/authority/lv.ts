/** The texts about approvals, phones, sessions and teams. */
export const authorityLv = {
  approveTitle: 'Apstipriniet tālrunī',
  approveText: 'Tālrunis rāda izmaiņas. Izvēlieties tajā šo skaitli un ievadiet PIN:',
  approveCancel: 'Negaidīt',
  approvalOver: 'Izmaiņas nav apstiprinātas, nekas nav mainījies.',
  approvalOutdated: 'Pa to laiku kaut kas ir mainījies. Apskatiet un dariet vēlreiz.',
  lastOwner: 'Pēdējam vadītājam jāpaliek. Vispirms uzaiciniet citu.',
  refusedPhone:
    'Šis tālrunis portālā vēl nedrīkst rīkoties. Apstipriniet to ar tālruni, ar kuru pievienojāties, vai gaidiet dienu pēc tā pievienošanas.',
  ownSessions: 'Kur esat pieteicies',
  thisSession: 'šeit',
  endSession: 'Atteikties tur',
  ownPhones: 'Jūsu tālruņi',
  phoneActs: 'drīkst rīkoties portālā',
  phoneWaits: 'drīkst rīkoties portālā no',
  phoneStopped: 'nedrīkst rīkoties portālā',
  admitPhone: 'Ļaut rīkoties portālā',
  stopPhone: 'Apturēt',
  newPhones: 'Dalībnieks ieguva jaunu tālruni. Ja nezināt, kāpēc, apturiet to: tad tas šeit nedarbosies.',
  teamRole: 'Loma komandā',
  breakGlass: 'Ar pakalpojuma atslēgām lūgts ceļš atpakaļ uz lomu security. Ja nezināt, kāpēc, apturiet to.',
  stopBreakGlass: 'Apturēt',
} as const;
