/**
 * What laboratories write where a result may not be used: a line is a phrase, in its language, below what it means. The phrases
 * of one meaning make one expression. `…30` stands for up to 30 characters of the same sentence, and `{thing}` for a word of
 * `words`; phrases begin and end with whole words, unless a `-` stands there.
 */
export const words: Readonly<Record<string, string>> = {
  thing: '(?:results?|tests?|reports?|values?|specimens?|samples?|orders?|tubes?)',
  undone:
    '(?:cancel+ed|void(?:ed)?|invalid(?:ated)?|annulled|retracted|withdrawn|revoked|rejected|erroneous|in error|not valid|not reliable|unreliable)',
  taken: '(?:specimens?|samples?|tubes?|aliquots?|blood|containers?)',
  again: String.raw`(?:repeat\w*|re-?test\w*|re-?collect(?:ion)?|re-?draw|re-?sampl\w*|re-?submit\w*|re-?submission|re-?bleed|(?:new|fresh|another|second) (?:samples?|specimens?|collection|tube|draw|blood))`,
  asked: String.raw`(?:suggest\w*|recommend\w*|advis\w*|request\w*|require[ds]?|needed|necessary|please|kindly|must be|should be)`,
}

/** Looked for in a sentence as it is written. A denial anywhere in it counts. */
export const asWritten = String.raw`
# the result was cancelled or withdrawn
  en: {thing} …30 {undone}\b(?! (if|when|unless|in|for|without|above|below|over|under|beyond|at)\b)-
# a cancelled result
  en: {undone}\b {thing}
# it may not be used
  en: (do not|don't|must not be|not to be|should not be) (be )?(use|used|report|reported|rely|relied on)\b(?! (for|as|to|in|with|alone|interchangeabl\w+|if|when|this (test|assay))\b)-
# it is to be ignored
  en: (please )?(disregard|ignore) (this|these|the|all|previous|prior|result)-
# mixed up, mislabelled or of somebody else
  en: mis-?label+ed
  en: unlabel+ed
  en: mis-?identified
  en: mixed up
  en: mix-?up
  en: wrong (patient|person|specimen|sample|tube|blood|name|label)
  en: wrong blood in tube
  en: WBIT
  en: (drawn|collected|taken|obtained) (from|above|proximal to|near|through) …30 (iv|i\.v\.|infusion|drip|running line|tpn|parenteral nutrition|same line)
  en: (iv|intravenous|infusion) (fluid )?contaminat\w*
  en: entered in error
  en: belongs? to (another|a different) (patient|person)
# mixed up, mislabelled or cancelled
  de: nicht verwenden
  de: nicht verwertbar
  de: ungültig
  de: storniert
  de: verwechsl?\w*
  de: verwechselt
  de: falsch (beschriftet|etikettiert)
  de: annulliert
# cancelled, mislabelled or not to be used
  fr: -ne pas utiliser-
  fr: -(annul|invalid)ée?s?(?!\p{L})-
  fr: -erreur d['’](étiquetage|identification)-
  fr: -mal étiqueté-
# cancelled, mislabelled or not to be used
  es: -no (usar|utilizar)
  es: -anulad[oa]s?
  es: -inválid[oa]s?
  es: -mal (rotulad|etiquetad|identificad)[oa]-
# cancelled, mislabelled or not to be used
  it: -non utilizzare-
  it: -annullat[oaie]
  it: -non valid[oaie]
  it: -etichettat[oa] male-
  it: -errata identificazione-
# cancelled, mixed up or not to be used
  da: -må ikke (anvendes|bruges)-
  da: -annulleret-
  da: -ugyldig\w*
  da: -forbyttet-
  da: -fejlmærket-
# the note is the whole answer, and there is no result
  en: ^\W*((test|analysis|assay|results?)\W*(is |was |are |were )?)?(not (performed|done|tested|measured|determined|valid|reported)|cancel+ed|withdrawn|retracted|void(ed)?|invalid|rejected|fail(ed)?|pending|to follow|error in (the )?(analysis|measurement|processing|testing))(?=$|\W)(?! (if|when|unless|in|for|by|with|without|on|until|above|below|over|under|beyond|at|confirm|clinical)\b)-
# not meant for patients, or a clause that ends with it
  en: (invalid|unreliable|not (valid|reliable))$
  en: ^\W*(for )?research use only\W*$
  en: not for (use in )?(clinical|diagnostic) (use|procedures?|purposes?)
# too old, swapped or without a label
  en: stability (limit |time |period )?(was |has been )?exceeded
  en: (sample|specimen|tube) swap(ped)?
  en: (received|submitted|sent|arrived|delivered) (without|with no) (an? |any |the )?(patient )?(labels?|labell?ing|names?|identification|identifiers?)
# the other one of two counts
  en: (first|original|earlier|previous|prior|other|initial) (result|value)s? (still )?(stands?|counts?|appl(y|ies)|prevails?|(is|are|remains?) (the )?valid( one)?)
# of somebody else
  en: (different|other|another|wrong) (patient|person)
  en: (results?|values?|sample|specimen) (is |are )?(of|from|belongs? to) the (mother|father|newborn|baby|infant|donor|partner|spouse)
# another value than the one beside it
  en: (correct(ed)?|amended|revised) (value|result)s?\b[^.;\d]{0,12}[<>]?\d-
  en: should (read|be|have been) [<>]?\d-
# of somebody else, or too little of it
  de: falsche(r|s|n|m)? (probe|person|patient\w*|röhrchen|name)
  de: material (\w+ )?nicht ausreichend
`

/** Looked for in small letters without accents, too: what holds in general may not hold of this person or this sample. */
export const ofThisPerson = String.raw`
# not valid of this person or sample
  en: (not (\w+ )?(valid|reliable|accurate|interpretable|applicable|suitable|usable|appropriate|meaningful|informative)|invalid|inaccurate|unsuitable) (in|for|with) th(is|e present) (patient|person|customer|client|case|individual|sample|specimen)-
  en: not be (used|relied on|relied upon|interpreted) (\w+ ){0,3}(in|for) this (patient|person|customer|client|case|individual|sample|specimen)-
  de: bei diese[mrn] (patient|person|probe)\w* …30 (nicht (aussage|anwend|verwert|verwend|zuverlass|valid|gult|geeign|interpret|beurteil)|ungeeignet|unzuverlass|ungult)-
  de: (nicht (aussage|anwend|verwert|verwend|zuverlass|valid|gult|geeign|interpret|beurteil)\w*|ungeeignet|unzuverlassig|ungultig) (bei|fur|in) diese[mrn] (patient|person|probe)-
  fr: (non|pas) (\w+ )?(valide|fiable|interpretable|applicable|adapte|utilisable)\w* (chez|pour|dans|sur) cet?(te)? (patient|personne|echantillon|prelevement)-
  es: no (es |son |resulta )?(valid|fiable|interpretable|aplicable|util|adecuad)\w* (en|para) est[ea] (paciente|persona|muestra)-
  it: non (e |sono )?(valid|attendibil|interpretabil|applicabil|affidabil|utilizzabil|adatt)\w* (in|per|su) quest[oa] (paziente|persona|campione)-
  pt: nao (e |sao )?(valid|confiave|interpretave|aplicave|adequad)\w* (nest|para est|em est)[ea] (paciente|pessoa|amostra)-
  nl: niet (geschikt|toepasbaar|interpreteerbaar|bruikbaar) (bij|voor|in) (deze|dit) (patient|persoon|monster)-
  da: (ikke|inte) (egnet|anvendelig|anvandbar|lamplig|brugbar|gyldig|palidelig)\w* (hos|for|i) (denne|dette|denna|detta) (patient|pasient|person|prov)-
`
