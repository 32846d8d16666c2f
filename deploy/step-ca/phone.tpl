{
  "rawSubject": {{ toJson .Token.subjectName }},
  "keyUsage": ["contentCommitment"],
  "crlDistributionPoints": [{{ toJson .crl }}]
}
