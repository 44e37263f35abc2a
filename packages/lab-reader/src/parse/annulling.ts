const things = '(?:results?|tests?|reports?|values?|specimens?|samples?|orders?|tubes?)'
const undone =
  '(?:cancel+ed|void(?:ed)?|invalid(?:ated)?|annulled|retracted|withdrawn|revoked|rejected|erroneous|in error|not valid|not reliable|unreliable)'

/** What laboratories write in six languages where a result may not be used. */
const patterns = [
  new RegExp(
    String.raw`\b${things}\b[^.;]{0,30}\b${undone}\b(?! (?:if|when|unless|in|for|without|above|below|over|under|beyond|at)\b)`,
    'i',
  ),
  new RegExp(String.raw`\b${undone}\b ${things}\b`, 'i'),
  /\b(?:do not|don't|must not be|not to be|should not be) (?:be )?(?:use|used|report|reported|rely|relied on)\b(?! (?:for|as|to|in|with|alone|if|when|this (?:test|assay))\b)/i,
  /\b(?:please )?(?:disregard|ignore) (?:this|these|the|all|previous|prior|result)/i,
  /\b(?:mis-?label+ed|unlabel+ed|mis-?identified|mixed up|mix-?up|wrong (?:patient|person|specimen|sample|tube|blood|name|label)|wrong blood in tube|WBIT|entered in error|belongs? to (?:another|a different) (?:patient|person))\b/i,
  /\b(?:nicht verwenden|nicht verwertbar|ungültig|storniert|verwechsl?\w*|verwechselt|falsch (?:beschriftet|etikettiert)|annulliert)\b/i,
  /(?:ne pas utiliser|(?:annul|invalid)ée?s?(?!\p{L})|erreur d['’](?:étiquetage|identification)|mal étiqueté)/iu,
  /(?:no (?:usar|utilizar)\b|anulad[oa]s?\b|inválid[oa]s?\b|mal (?:rotulad|etiquetad|identificad)[oa])/i,
  /(?:non utilizzare|annullat[oaie]\b|non valid[oaie]\b|etichettat[oa] male|errata identificazione)/i,
  /(?:må ikke (?:anvendes|bruges)|annulleret|ugyldig\w*|forbyttet|fejlmærket)/i,
  // The note is the whole answer: "Not performed", "Result pending", "Invalid".
  /^\W*(?:(?:test|analysis|assay|results?)\W*(?:is |was |are |were )?)?(?:not (?:performed|done|tested|measured|determined|valid|reported)|cancel+ed|withdrawn|retracted|void(?:ed)?|invalid|rejected|fail(?:ed)?|pending|to follow|error in (?:the )?(?:analysis|measurement|processing|testing))(?=$|\W)(?! (?:if|when|unless|in|for|by|with|without|on|until|above|below|over|under|beyond|at|confirm|clinical)\b)/i,
  /\bstability (?:limit |time |period )?(?:was |has been )?exceeded\b|\b(?:sample|specimen|tube) swap(?:ped)?\b|\b(?:received|submitted|sent) without (?:a )?label\b/i,
  /\b(?:different|other|another|wrong) (?:patient|person)\b|\b(?:results?|values?|sample|specimen) (?:is |are )?(?:of|from|belongs? to) the (?:mother|father|newborn|baby|infant|donor|partner|spouse)\b/i,
  // Another value than the one beside it.
  /\b(?:correct(?:ed)?|amended|revised) (?:value|result)s?\b[^.;\d]{0,12}[<>]?\d|\bshould (?:read|be|have been) [<>]?\d/i,
  /\bfalsche(?:r|s|n|m)? (?:probe|person|patient\w*|röhrchen|name)\b|\bmaterial (?:\w+ )?nicht ausreichend\b/i,
]
const denied =
  /\b(?:no|not|never|without|nicht|kein\w*|pas|ikke) (?:been )?(?=(?:mis-?label+ed|mixed up|cancel+ed|rejected|retracted|withdrawn|invalid|verwechselt|storniert))/i

const again = String.raw`(?:repeat\w*|re-?test\w*|re-?collect(?:ion)?|re-?draw|re-?sampl\w*|re-?submit\w*|re-?submission|re-?bleed|(?:new|fresh|another|second) (?:samples?|specimens?|collection|tube|draw|blood))`
const asked = String.raw`(?:suggest\w*|recommend\w*|advis\w*|request\w*|require[ds]?|needed|necessary|please|kindly|must be|should be)`
const taken = '(?:specimens?|samples?|tubes?|aliquots?|blood|containers?)'

/** A new sample is wanted. */
const toRepeat = new RegExp(
  String.raw`^\W*(?:please |kindly )?(?:re-?collect|re-?draw|re-?submit|re-?bleed)(?:ion)?\b|\b${asked}\b[^.;]{0,25}\b${again}\b|\b${again}\b[^.;]{0,30}\b${asked}\b`,
)

/** The same without accents and in small letters: what is wrong with the sample, the run or the value. */
const flaws = [
  /\b(?:reported|released|resulted|issued|sent|posted|transmitted) (?:in error|by mistake|erroneously)\b|\bsee (?:the |our )?(?:corrected|amended|revised|new|updated) (?:report|result)/,
  /\b(?:names?|labels?|ids?|identifiers?|identification|dob|date of birth|birth ?date|barcodes?|patient|specimen|sample|tube)\b[^.;]{0,60}\b(?:do(?:es)? ?n[o']t (?:match|agree|correspond)|did not match|not matching|mismatch\w*|disagree\w*|discrepan\w+)\b|\bmismatch(?:ed)? (?:label|name|id|specimen|sample)|\blabel+ing (?:error|discrepancy|problem)\b/,
  /\bcontaminat(?:ed|ion)\b|\bkontamin(?:iert|ation|eret)\w*|\bverunreinigt\w*|\bcontamine[es]*\b|\bcontaminad[oa]s?\b|\bcontaminat[oai]\b|\bforurenet\b|\bcarry-?over\b|\b(?:drip|infusion|iv) arm\b|\b(?:diluted|dilution) (?:by|with|from) (?:iv|infusion|saline|fluid)/,
  /\b(?:results?|values?|findings?|specimens?|samples?|identity|accuracy|validity|integrity)\b[^.;]{0,30}\b(?:questionable|doubtful|suspect|compromised|dubious|in doubt|in question)\b|\b(?:questionable|doubtful|suspect|compromised|dubious) (?:results?|values?|specimens?|samples?|quality|integrity|identity|accuracy|validity)\b/,
  // Whose it is: "not this patient's", mixed up, and "another patient" abroad.
  /\b(?:not|nor) (?:from |of |for |belong(?:ing)? to )?th(?:is|e) (?:patient|person|customer|client)(?:'s)?\b|\b(?:samples?|specimens?|tubes?|patients?|labels?|results?)\b[^.;]{0,30}\b(?:switched|swapped|exchanged|interchanged)\b|\bvertauscht\b|\b(?:anderen?|fremde[nrs]?) (?:patient|person|blut)\w*|\bautres? (?:patient|personne)\w*|\botr[oa] (?:paciente|persona)\b|\baltr[oa] (?:paziente|persona)\b|\banden (?:patient|person)\b|\b(?:intercambiad|confundid)[oa]s?\b|\binterverti\w*|\bscambiat[aeio]\b|\bforbyttet\b/,
  // The value itself is false, and not what others may be in general.
  /(?<!\b(?:caus\w+|produc\w+|giv\w+|yield\w*|leads? to|results? in|show\w*|avoid\w*|reduc\w+|of|for|known) )\b(?:false(?:ly)?[ -]?(?:positives?|negatives?|elevated|increased|decreased|lowered|raised|high|low)|falsch[ -]?(?:positiv|negativ|erhoht|erniedrigt|hoch|niedrig)\w*|faux[ -](?:positif|negatif)s?|faussement (?:eleve|positi|negati|bas|diminue)\w*|fals[oa]s? (?:positiv|negativ)[oa]s?|falsamente (?:elevad|positiv|negativ|baj)\w*|falsi? (?:positiv|negativ)[oi]|falsk(?:t)? (?:positiv|negativ|forhojet|for \w+)\w*)\b(?! (?:(?:results?|reactions?|tests?|rates?|ergebnisse?|resultats?) )?(?:may|can|could|might|do|does|have|are|were|rates?|occurs?|in|konnen|sind|peuvent|pueden|possono))(?![^.;]* in (?:patients|persons|people|individuals|samples|specimens|those))/,
  /\binter[fp]h?eren\w+\b[^.;]{0,30}\b(?:likely|suspected|probable|detected|confirmed|present|vermutet|wahrscheinlich|nachgewiesen|probable|suspectee?|sospechad[ao]|sospetta|mistaenkt)\b|\b(?:likely|suspected|probable|confirmed) (?:\w+ )?interferen\w+/,
  toRepeat,
  /\bclot+ed\b|\bmicro-?clots?\b|\bclots? (?:detected|present|found|seen|noted|in (?:the )?(?:tube|sample|specimen))\b|\bfibrin (?:clots?|strands?)\b|\bclump(?:s|ed|ing)\b|\bgeronnen\b|\bcoagule[es]*\b|\bcoagulad[oa]\b|\bcoagulat[oa]\b|\bkoagul(?:eret|iert)\b/,
  /\b(?:analy[sz]er|instrument|assay|calibrations?|calibrators?|reagents?|controls?|qc|quality control|run)\b[^.;]{0,40}\b(?:out of (?:control|range|specification|limits)|outside|fail(?:ed|ure|ing)|malfunction\w*|expired|not (?:acceptable|valid|pass\w*)|error)\b/,
  /\b(?:quantity|volume|amount|sample|specimen)\b[^.;]{0,20}\b(?:not sufficient|insufficient)\b|\binsufficient (?:quantity|volume|amount|sample|specimen)\b|\bqns\b|\bshort (?:sample|draw)\b|\b(?:under|over)-?filled\b|\bresults? (?:is |are |was |were )?(?:only )?(?:an )?estimated?\b/,
  new RegExp(
    String.raw`\b${taken}\b[^.;]{0,30}\b(?:unsuitable|unacceptable|unsatisfactory|inadequate|expired|leak(?:ed|ing)|broken|thawed|too old|deteriorat\w*|degraded|autoly[sz]ed|mishandled|(?:not|im|in)[ -]?(?:proper|correct|appropriate)(?:ly)?(?: \w+)? (?:stored|handled|collected|labell?ed|transported|spun|mixed|preserved))\b|\b(?:unsuitable|unacceptable|unsatisfactory|inadequate|improper|incorrect|inappropriate|wrong|expired) (?:\w+ ){0,2}(?:${taken}|anticoagulant|additive|preservative|storage|handling|transport\w*|temperature|labell?ing)\b`,
  ),
  /\bunreliable\b|\b(?:results?|values?|tests?)\b[^.;]{0,25}\b(?:not (?:valid(?! without)|validated|reliable|accurate|trustworthy|credible|plausible)|inaccurate|incorrect|wrong|implausible|under investigation)\b|\buninterpretable\b|\bnot interpretable\b|\bcannot be (?:interpreted|relied|trusted|used|verified|reported)\b/,
  /\bnicht (?:auswertbar|beurteilbar|plausibel|valide|verlasslich|zuverlassig|gultig)\b|\bunplausibel\b|\b(?:ergebnis|wert|befund)\w* (?:\w+ )?(?:fraglich|zweifelhaft|falsch|fehlerhaft)|\bneu(?:e|er|es) (?:probe|blutentnahme|einsendung|entnahme|material)\b|\bneu(?:entnahme|einsendung)\b|\b(?:wiederholung|erneute (?:probe|blutentnahme|entnahme|einsendung)) (?:erbeten|empfohlen|erforderlich|notwendig)|\bbitte (?:\w+ )?(?:wiederholen|neu (?:einsenden|abnehmen))|\b(?:probe\w*|material) (?:\w+ )?(?:zu alt|unzureichend|ungeeignet|uberaltert|unbrauchbar|ausgelaufen|reicht nicht)|\bzu wenig (?:material|probe|blut)|\bname\w* (?:\w+ ){0,4}stimm\w+ nicht|\bnamen?s?abweichung/,
  /\b(?:in|non )interpretable\w*|\ba (?:renouveler|refaire|reprelever|recontroler)\b|\b(?:prelevement|echantillon|tube)s? (?:[^.;]{0,20} )?(?:insuffisant\w*|non conforme\w*|mal (?:identifie|etiquete)\w*|trop (?:ancien|vieux)\w*|perime\w*)|\bresultats? (?:\w+ )?(?:douteux|non valides?|non fiables?|errone\w*|rendus? par erreur)|\bnouveau prelevement (?:\w+ )?(?:necessaire|souhaite|demande|conseille|requis)|\b(?:nom|identite)\b[^.;]{0,40}\bne correspond/,
  /\bresultados? (?:\w+ )?(?:dudoso|erroneo|no fiable|no interpretable)s?\b|\bno valid[oa]s?\b|\brepetir (?:la |el )?(?:extraccion|muestra|toma|determinacion)|\bnueva (?:muestra|extraccion)\b|\bmuestra (?:\w+ )?(?:insuficiente|inadecuada|no apta|hemolizada y no apta|mal (?:identificada|rotulada))|\bno (?:concuerdan?|coinciden?)\b/,
  /\bcampione (?:\w+ )?(?:insufficiente|non idoneo|inadeguato)|\bripetere (?:il |l')?(?:prelievo|campione)|\brisultat[oi] (?:\w+ )?(?:non (?:valid|attendibil|interpretabil)\w*|dubbi\w*|errat\w*)|\bnon attendibil\w*|\bnuovo prelievo\b/,
  /\bprove\w* (?:er )?(?:utilstraekkelig|uegnet)|\bny prove\b|\btages om\b|\bikke (?:palidelig\w*|valid\w*)/,
  // The whole report.
  /^\W*draft\b|\bnot for (?:clinical|diagnostic|patient) use\b|\bdo not (?:file|release)\b|\btest patient\b|\b(?:unauthori[sz]ed|unvalidated|unreleased) (?:results?|values?|reports?)\b|\b(?:results?|values?|reports?)\b[^.;]{0,20}\bnot (?:yet )?(?:been )?(?:authori[sz]ed|released|approved|confirmed)\b|\bresults? valid only (?:when|if) (?:signed|confirmed|authori[sz]ed)\b|^\W*(?:entwurf|brouillon|borrador|bozza|udkast|concept|utkast|rascunho)\W*$|\b(?:superseded|replaced) by (?:\w+ ){0,2}(?:report|result)/,
  /\bfehl(?:messung|bestimmung)\w*|\bmessfehler\b|\bnicht (?:freigegeben|validiert|bestatigt|vidiert)\b|\btippfehler\b|\bschreibfehler\b/,
  /\b(?:uitslag|resultaat|bepaling|monster|waarde)\w* (?:\w+ )?(?:vervallen|ongeldig|ingetrokken|verwisseld|onjuist)\b|\bonbetrouwba\w+|\bniet (?:betrouwbaar|bruikbaar|geldig|vrijgegeven|geautoriseerd|gebruiken)\b|\bverwisseld\b/,
  /\bforveksl\w+|\bforvaxl\w+|\bombytt?\w*\b|\b(?:ikke|inte|ej) (?:godkjent|godkendt|godkand|frigitt|frigivet|gyldig|giltig|palitelig|tillforlitlig)\w*|\bogiltig\w*|\bfe(?:l|il|jl)ma(?:tning|ling)\w*|\bopaliteli\w*|\bupaliteli\w*/,
  /\bno (?:valorable|liberad[oa]|utilizable|evaluable|confirmad[oa])s?\b|\bnao (?:valid[oa]|validad[oa]|liberad[oa]|confiave(?:l|is)|utilizar|usar|confirmad[oa])s?\b|\b(?:amostra|muestra)s? (?:trocad|cambiad|intercambiad|confundid)[oa]s?\b|\berror (?:tipografico|de transcripcion)\b|\berro de (?:digitacao|transcricao)\b/,
  /\b(?:resultats?|valeurs?) (?:\w+ )?(?:non (?:valides?|validee?s?|confirmee?s?)|a ne pas (?:utiliser|tenir))|\b(?:tubes?|echantillons?|prelevements?) (?:\w+ )?(?:echange|inverse|interverti)\w*|\b(?:erreur|faute) de (?:frappe|saisie)\b|\bscambi\w+ (?:di )?(?:campion\w+|provett\w+)|\bcampion\w+ scambiat\w+|\bnon (?:validat|confermat|autorizzat)[oaie]\b|\berrore di (?:battitura|trascrizione)\b/,
  /\b(?:drawn|collected|taken|sampled) (?:from )?(?:above|proximal to|upstream of) (?:\w+ ){0,2}(?:iv|infusion|drip|line|cannula)\b|\b(?:iv|infusion|drip|edta)(?:[ -]fluid)? contaminat\w+/,
  // Another value than the one beside it.
  /\b(?:repeat(?:ed)?|re-?check(?:ed)?|re-?run|wiederholung|kontrollmessung|nachmessung|recontrole|repeticion|ripetizione)(?: (?:value|result|test|wert))?\s*[:=]\s*[<>]?\d/,
  /\b(?:actual|true|real|right|tatsachlicher|richtiger|wahrer|vraie|valor real|valor correcto) (?:value|result|wert|valeur|valor|es|:)?s?\b[^.;\d]{0,12}[<>]?\d|\btyp(?:ing|ographical) (?:error|mistake)\b|\btypo\b/,
  /\b(?:from|of|belongs? to) (?:\w+ ){0,2}(?:twin|sister|brother|mother|father|husband|wife|partner|donor|baby|child)(?: (?:sister|brother))?(?:'?s)? (?:samples?|specimens?|blood|tubes?)\b/,
]
/** HL7 tables 0493 and 0490, where a condition of the specimen is a code alone. */
const flawCodes = /(?:^|, )(?:CLOT|CON|RB|RC|RI|RM|RN|RR)(?:,|$)/

const deniedFlaw =
  /\b(?:no|not|never|without|nor|non|nicht|kein\w*|ohne|pas|sans|aucune?|sin|senza|ikke|ingen)\b[^,]{0,30}$/
const excluded = /^[^,]{0,20}\b(?:excluded|ruled out|unlikely|not (?:suspected|seen|likely)|ausgeschlossen|exclue?)\b/
const supposed = /\b(?:if|when|whenever|unless|wenn|falls|lorsque|si|cuando|quando|hvis|can(?! ?not)|known to)\b/
const ofBefore =
  /\b(?:previous\w*|prior|last|earlier|former|preceding|first|initial|original|vorig\w*|vorherig\w*|precedente?s?|anterior\w*|tidligere)\b/
/** A test that is to be done again later, or to confirm a diagnosis, counts today. */
const later =
  /\b(?:in|after|within|every|nach|dans|en|tra) (?:an? |about |another )?(?:\d|one|two|three|four|six|few|several|zwei|drei|deux|trois|dos|tres|due|tre)|\b(?:annual\w*|months?|weeks?|years?|monat\w*|woche\w*|mois|semaines?|meses|semanas|confirm\w*|diagnos\w*|follow-?up|fasting|symptom\w*|clinical\w*|screening)\b/

const plainOf = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .replaceAll('’', "'")

/** Where in a sentence a pattern fits, unless that is said of an earlier sample or of what would be. */
function saidIn(pattern: RegExp, clause: string): { before: string; behind: string } | undefined {
  const match = pattern.exec(clause)
  if (!match) return undefined
  const before = plainOf(clause.slice(0, match.index))
  const behind = plainOf(clause.slice(match.index + match[0].length))
  return ofBefore.test(before) || supposed.test(before) ? undefined : { before, behind }
}

function isFlawed(clause: string): boolean {
  return flaws.some((pattern) => {
    const said = saidIn(pattern, clause)
    if (!said || deniedFlaw.test(said.before) || excluded.test(said.behind)) return false
    return !supposed.test(said.behind.split(',')[0] ?? '') && (pattern !== toRepeat || !later.test(clause))
  })
}

/** Whether a note of a laboratory says that what it is about may not be used, each of its sentences by itself. */
export const annuls = (note: string): boolean =>
  flawCodes.test(note) ||
  note
    .split(/[.;!?\n]+(?=\s|$)/)
    .some(
      (clause) =>
        (!denied.test(clause) && patterns.some((pattern) => saidIn(pattern, clause))) || isFlawed(plainOf(clause)),
    )

const corrected =
  /\b(?:correct\w*|amended|revised|changed|korrigiert|geändert|corrigée?|modifiée?|corregid[oa]|corretto|rettet)(?!\p{L})[^.;\d]{0,40}?\b(?:from|von|de|da|fra) ([<>]?\d+(?:[.,]\d+)?)(?![\d/:-])[^.;\d]{0,15}?(?:\bto\b|\bauf\b|(?<!\p{L})à(?!\p{L})|\ba\b|\btil\b|->|→) ?([<>]?\d+(?:[.,]\d+)?)(?![\d/:-])/iu

/** The numbers of a note such as "corrected from 140 to 128". */
export function correctionIn(note: string): { from: number; to: number } | undefined {
  const [, from, to] = corrected.exec(note) ?? []
  const number = (text: string) => Number(text.replace(',', '.').replace(/[<>]/, ''))
  return from === undefined || to === undefined ? undefined : { from: number(from), to: number(to) }
}

/** Beside a number it says that the number is no measured one. */
export const belowLimit =
  /\b(?:below|under|less than|unter(?:halb)?|inférieure? à|por debajo|inferior|sotto|under) (?:the |der |la |del? |il |)?(?:límite de |limite (?:de |di )|lower )?(?:limit of )?(?:detection|quantitation|quantification|nachweisgrenze|bestimmungsgrenze|messgrenze|détection|detección|cuantificación|rilevabilità|detektionsgrænse\p{L}*|detektionsgräns\p{L}*|lod|loq)|^\W*(?:not detect(?:ed|able)|nicht nachweisbar|non détectable|no detectable)\W*$/iu
