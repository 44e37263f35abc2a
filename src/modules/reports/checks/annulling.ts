const things = '(?:results?|tests?|reports?|values?|specimens?|samples?|orders?|tubes?)'
const undone =
  '(?:cancel+ed|void(?:ed)?|invalid(?:ated)?|annulled|retracted|withdrawn|revoked|rejected|erroneous|in error|not valid|not reliable|unreliable)'

/** What laboratories write in six languages where a result may not be used. */
const patterns = [
  new RegExp(String.raw`\b${things}\b[^.;]{0,30}\b${undone}\b(?! (?:if|when|unless|in|for)\b)`, 'i'),
  new RegExp(String.raw`\b${undone}\b ${things}\b`, 'i'),
  /\b(?:do not|don't|must not be|not to be|should not be) (?:be )?(?:use|used|report|reported|rely|relied on)\b(?! (?:for|as|to|in|with|alone|if|when|this (?:test|assay))\b)/i,
  /\b(?:please )?(?:disregard|ignore) (?:this|these|the|all|previous|prior|result)/i,
  /\b(?:mis-?label+ed|unlabel+ed|mis-?identified|mixed up|mix-?up|wrong (?:patient|person|specimen|sample|tube|blood|name|label)|wrong blood in tube|WBIT|entered in error|belongs? to (?:another|a different) (?:patient|person))\b/i,
  /\b(?:nicht verwenden|nicht verwertbar|ungültig|storniert|verwechsl?\w*|verwechselt|falsch (?:beschriftet|etikettiert)|annulliert)\b/i,
  /(?:ne pas utiliser|annulée?s?\b|invalidée?s?\b|erreur d['’](?:étiquetage|identification)|mal étiqueté)/i,
  /(?:no (?:usar|utilizar)\b|anulad[oa]s?\b|inválid[oa]s?\b|mal (?:rotulad|etiquetad|identificad)[oa])/i,
  /(?:non utilizzare|annullat[oaie]\b|non valid[oaie]\b|etichettat[oa] male|errata identificazione)/i,
  /(?:må ikke (?:anvendes|bruges)|annulleret|ugyldig\w*|forbyttet|fejlmærket)/i,
]
const denied =
  /\b(?:no|not|never|without|nicht|kein\w*|pas|ikke) (?:been )?(?=(?:mis-?label+ed|mixed up|cancel+ed|rejected|retracted|withdrawn|invalid|verwechselt|storniert))/i

/** Whether a note of a laboratory says that what it is about may not be used. */
export const annuls = (note: string): boolean => !denied.test(note) && patterns.some((pattern) => pattern.test(note))
