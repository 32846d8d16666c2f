/** The texts about approvals, phones, sessions and teams. */
export const authorityDe = {
  approveTitle: 'Bestätigen Sie es auf Ihrem Telefon',
  approveText: 'Ihr Telefon zeigt die Änderung. Wählen Sie dort diese Zahl und geben Sie Ihre PIN ein:',
  approveCancel: 'Nicht darauf warten',
  approvalOver: 'Die Änderung wurde nicht bestätigt. Nichts hat sich geändert.',
  approvalOutdated: 'Inzwischen hat sich etwas geändert. Sehen Sie nach und versuchen Sie es noch einmal.',
  lastOwner: 'Die letzte leitende Person muss bleiben. Laden Sie zuerst eine andere ein.',
  refusedPhone:
    'Dieses Telefon darf im Portal noch nicht handeln. Bestätigen Sie es mit dem Telefon, mit dem Sie beigetreten sind, oder warten Sie einen Tag nach seiner Einrichtung.',
  ownSessions: 'Wo Sie angemeldet sind',
  thisSession: 'hier',
  endSession: 'Dort abmelden',
  ownPhones: 'Ihre Telefone',
  phoneActs: 'darf im Portal handeln',
  phoneWaits: 'darf im Portal handeln ab',
  phoneStopped: 'darf im Portal nicht handeln',
  admitPhone: 'Im Portal handeln lassen',
  stopPhone: 'Anhalten',
  newPhones: 'Ein Mitglied hat ein neues Telefon. Halten Sie es an, wenn Sie nicht wissen, warum: Es handelt dann hier nicht.',
  teamRole: 'Rolle im Team',
  breakGlass: 'Mit den Schlüsseln des Dienstes wurde ein Weg zurück zur Rolle security verlangt. Halten Sie ihn an, wenn Sie nicht wissen, warum.',
  stopBreakGlass: 'Anhalten',
} as const;
