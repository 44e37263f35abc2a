const number =
  '(?:id|ids|identifier|identity|uid|mrn|number|no\\.?|nr\\.?|num|ref|reference|code|barcode|nummer|número|numero)'
const numberBefore =
  "(?:id|n[º°o.]*|numéro|número|numero|code|codice|código|cod\\.?) (?:d'|de |del |du |di )?(?:la |el |l')?"
const ofPerson = new RegExp(
  `^(?:(?:patient|patienten|person|personen|client|customer|subject|member|participant|employee|donor|hospital|nhs|medical record|mrn|paciente|paziente)[- ]?${number}|${numberBefore}(?:patient|paciente|paziente)|pid|uhid|nhi|cpr|cpf|nif|dni|pesel|participant|codice fiscale|historia clínica|fallnummer|versichertennummer)$`,
)
const ofSample = new RegExp(
  `^(?:(?:sample|specimen|tube|vial|proben?|muestra|campione)[- ]?${number}|(?:barcode|(?:lab|order|request|episode|auftrags?)[- ]?(?:id|number|no\\.?|nr\\.?|nummer))|${numberBefore}(?:échantillon|muestra|campione|amostra))$`,
)

/** "Date of result": of rows of several days each is of its own. */
const ofResult =
  /^(?:date|datum|fecha|data|dato) (?:of|de|du|del|der|des|di|af|van)(?: the| la| l['’])? ?(?:results?|report|test|testing|analysis|measurement|befunde?s?|ergebnisses|messung|untersuchung|résultats?|analyse|mesure|resultados?|análisis|medición|referto|risultato|analisi|svar|resultado|exame|uitslag|bepaling)$|^(?:result|ergebnis|befund|mess|analyse|uitslag)[- ]?(?:date|datum|dato)$/

/** "Members' average", "Your goal", "Optimal zone": no result of the person. */
const ofOthers =
  /^(?:your |my |our |(?:all )?(?:members?|users?|peers?|customers?|population|group|community)['’]?s? )?(?:goals?|targets?|averages?|avg|means?|medians?|percentiles?|optimal(?: (?:zones?|bands?|levels?|values?))?)$/

/** The name of a test, where no other column has it. */
export const nameAlone = /^(?:term|read term|code term|rubric|metoda|metóda|metody)$/
/** The result of the one who reads it, beside what others have or what is wished for. */
export const ofReader = /^(?:you|yours|sie|vous|usted|tú)$/

/** Rows of several people are told apart by nothing else, whatever the column of their numbers is called. */
export const numbers = (key: string) =>
  ofPerson.test(key)
    ? ('patientId' as const)
    : ofSample.test(key)
      ? ('accession' as const)
      : ofResult.test(key)
        ? ('resulted' as const)
        : ofOthers.test(key)
          ? ('ignored' as const)
          : undefined
