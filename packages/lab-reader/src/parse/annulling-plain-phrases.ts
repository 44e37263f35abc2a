/** A test that is to be done again later counts today, so this meaning has exceptions of its own. */
export const TO_REPEAT = 'a new sample is wanted'

/** Looked for in small letters without accents. Denials count where they stand close before. */
export const inPlainLetters = String.raw`
# reported by mistake
  en: entered by mistake
  en: (transcription|typographical|typing|keying|clerical|decimal( point)?) error
  en: (reported|given|printed|sent) in (the )?wrong units?
  en: units? …30 (incorrect\w*|wrong(ly)?)
  en: (results?|values?|reports?) (is |are |was |were |has been |have been )?(recalled|discarded)
  en: (discard|recall) (this|the|these|all) (results?|values?|reports?)
  en: ^\W*ignore\W*$
  en: not (for (reporting|release|clinical use)|to be (released|issued|filed|charted|reported))
  en: (dummy|demo|simulated|fictitious) (results?|data|values?)
  en: ^\W*(placeholder|test run)\b
  de: (ergebnis|wert|befund)\w* (\w+ )?(zuruckgezogen|widerrufen)
  en: (reported|released|resulted|issued|sent|posted|transmitted) (in error|by mistake|erroneously)
  en: see (the |our )?(corrected|amended|revised|new|updated) (report|result)-
# the unit is another one than the one beside it
  en: units? (should|must|ought to|needs? to|have to|has to) (be|read)-
  en: units? …40 (not|instead of|rather than) \S{1,8}/\w
  de: einheit\w* …40 (nicht|statt|anstatt) \S{1,8}/\w
  fr: unites? …40 (non|et non|au lieu de) \S{1,8}/\w
  es: unidad(es)? …40 (no|en lugar de|en vez de) \S{1,8}/\w
  it: unita …40 (non|invece di|anziche) \S{1,8}/\w
  de: falsche einheit
  fr: unites? (erronee|incorrecte)s?
  es: unidad(es)? (incorrecta|erronea|equivocada)s?
  it: unita (di misura )?(errat|sbagliat)[ae]
# the name or label does not fit
  en: (names?|labels?|ids?|identifiers?|identification|dob|date of birth|birth ?date|barcodes?|patient|specimen|sample|tube) …60 (do(es)? ?n[o']t (match|agree|correspond)|did not match|not matching|mismatch\w*|disagree\w*|discrepan\w+)
  en: mismatch(ed)? (label|name|id|specimen|sample)-
  en: label+ing (error|discrepancy|problem)
  en: (surname|(fore|first|last|maiden )?name|dob|date of birth|birth ?date|sex|gender) …40 differ(s|ed)
  en: (two|2|several) (different )?(names|identities)
  en: (two|2|several) different (patients|people)
  en: labels? (on|of) the (tubes?|specimens?|samples?|containers?|vials?) …10 (carr(ies|ied)|show(s|ed)|reads?|says?|said|states?|bears?|bore|has|had|gives?|gave|names?|named)
# contaminated or diluted
  en: contaminat(ed|ion)
  de: kontamin(iert|ation|eret)\w*
  de: verunreinig(t|ung)\w*
  fr: contamine[es]*
  es: contaminad[oa]s?
  it: contaminat[oai]
  da: forurenet
  en: carry-?over
  en: (drip|infusion|iv) arm
  en: (diluted|dilution) (by|with|from) (iv|infusion|saline|fluid)-
# doubtful
  en: interpret(ed)? with (\w+ )?caution(?! (in|if|when|for|as)\b)-
  en: delta check (fail\w*|flag\w*|error|alert)
  en: (results?|values?) …30 not (confirmed|reproduc\w+)
  en: (results?|values?) (could not|cannot|can not) be (confirmed|reproduced)
  en: unable to (confirm|verify|reproduce)
  en: (results?|values?|findings?|specimens?|samples?|identity|accuracy|validity|integrity) …30 (questionable|doubtful|suspect|compromised|dubious|in doubt|in question)
  en: (questionable|doubtful|suspect|compromised|dubious) (results?|values?|specimens?|samples?|quality|integrity|identity|accuracy|validity)
# of somebody else, or mixed up
  en: (not|nor) (from |of |for |belong(ing)? to )?th(is|e) (patient|person|customer|client)('s)?
  en: mix up
  en: belongs? to patient
  fr: erreur (de|sur le) patient
  es: paciente (equivocad|incorrect|erron)\w*
  it: errore di (paziente|identificazione)
  en: (samples?|specimens?|tubes?|patients?|labels?|results?) …30 (switched|swapped|exchanged|interchanged)
  de: vertauscht
  de: (anderen?|fremde[nrs]?) (patient|person|blut)\w*
  fr: autres? (patient|personne)\w*
  es: otr[oa] (paciente|persona)
  it: altr[oa] (paziente|persona)
  da: anden (patient|person)
  es: (intercambiad|confundid)[oa]s?
  fr: interverti\w*
  it: scambiat[aeio]
  da: forbyttet
# the value itself is false, and not what others may be in general
  not behind: \b(caus\w+|produc\w+|giv\w+|yield\w*|leads? to|results? in|show\w*|avoid\w*|reduc\w+|of|for|known)[ ]
  not before: [ ]((results?|reactions?|tests?|rates?|ergebnisse?|resultats?) )?(may|can|could|might|do|does|have|are|were|rates?|occurs?|in|konnen|sind|peuvent|pueden|possono)
  not before: [^.;]* in (patients|persons|people|individuals|samples|specimens|those)
  en: false(ly)?[ -]?(positives?|negatives?|elevated|increased|decreased|lowered|raised|high|low)
  de: falsch[ -]?(positiv|negativ|erhoht|erniedrigt|hoch|niedrig)\w*
  fr: faux[ -](positif|negatif)s?
  fr: faussement (eleve|positi|negati|bas|diminue)\w*
  es: fals[oa]s? (positiv|negativ)[oa]s?
  es: falsamente (elevad|positiv|negativ|baj)\w*
  it: falsi? (positiv|negativ)[oi]
  da: falsk(t)? (positiv|negativ|forhojet|for \w+)\w*
# something interferes
  en: (hook|prozone) effect …20 (suspected|present|likely|possible|seen|cannot)
  en: (macroprolactin|cold agglutinins?|heterophil\w*( antibod\w+)?|paraprotein|cryoglobulins?) (is |are |was |were )?(present|detected|suspected|likely|possible)
  en: inter[fp]h?eren\w+ …20 (cannot|can not|could not) be (excluded|ruled out)
  en: agglutinat\w+ (is |was )?(present|seen|noted|affect\w*|interfer\w+)
  en: (lipa?emi\w+|ha?emoly\w+|icter\w+|turbidity|fibrin|bilirubin|biotin|lipids?) (interferes|interfered|interfering|affects|affected|interference)
  en: (artefact|artifact)\w* (raised|elevated|increased|high|lowered|decreased|low|reduced)
  de: artefakt\w* (erhoht|erniedrigt)
  en: inter[fp]h?eren\w+ …30 (likely|suspected|probable|possible|detected|confirmed|present)
  de: inter[fp]h?eren\w+ …30 (vermutet|wahrscheinlich|moglich|nachgewiesen)
  fr: inter[fp]h?eren\w+ …30 suspectee?
  es: inter[fp]h?eren\w+ …30 sospechad[ao]
  it: inter[fp]h?eren\w+ …30 sospetta
  da: inter[fp]h?eren\w+ …30 mistaenkt
  en: (likely|suspected|probable|possible|confirmed) (\w+ )?interferen\w+
# a new sample is wanted
  en: ^\W*(please |kindly )?(re-?collect|re-?draw|re-?submit|re-?bleed)(ion)?
  en: {asked} …25 {again}
  en: {again} …30 {asked}
  en: (hemoly[sz]|haemoly[sz]|lipemi|lipaemi|icteri)\w* …25 {again}
  de: (hamoly|lipam|ikter)\w* …40 (wiederhol\w+|neu\w* (abnehmen|abnahme|einsenden|entnahme|probe|material))
  fr: (hemolys|lipemi|icteri)\w* …30 (a (refaire|controler|renouveler|repeter)|nouveau prelevement)
  es: (hemoli[sz]ad|lipemic|icteric)\w* …30 (repetir|nueva (muestra|extraccion)|nova (coleta|amostra)|recolet\w*|recolect\w*)
  it: (emolizzat|lipemic|itteric)\w* …30 (ripetere|nuovo (prelievo|campione))
  nl: (hemoly|lipemisch|icterisch)\w* …30 (herhal\w+|nieuw\w* (monster|afname|bloed))
  sv: (hemoly|lipemisk|ikterisk)\w* …30 (nytt prov|ny provtagning|ny prove|tages om|tas om|ta nytt)
# clotted
  de: gerinnsel
  en: clot+ed
  en: micro-?clots?
  en: clots? (detected|present|found|seen|noted|in (the )?(tube|sample|specimen))
  en: fibrin (clots?|strands?)
  en: clump(s|ed|ing)
  en: aggregates?
  de: thrombozyten-?aggregat\w*
  fr: agregats? plaquett\w*
  es: agregados? plaquet\w*
  it: aggregati
  da: (trombocyt|blodplade)-?aggregat\w*
  de: geronnen
  fr: coagule[es]*
  es: coagulad[oa]
  it: coagulat[oa]
  da: koagul(eret|iert)
# the run or the instrument failed
  en: (analy[sz]er|instrument|assay|calibrations?|calibrators?|reagents?|controls?|qc|quality control|run) …40 (out of (control|range|specification|limits)|outside|fail(ed|ure|ing)|malfunction\w*|expired|not (acceptable|valid|pass\w*)|error)
# too little of it, or estimated
  en: (quantity|volume|amount|sample|specimen) …20 (not sufficient|insufficient)
  en: insufficient (quantity|volume|amount|sample|specimen)
  en: qns
  en: short (sample|draw)
  en: (under|over)-?filled
  en: (results?|values?) (is |are |was |were )?(only )?(an )?estimated?
# the sample is unfit
  en: expired (reagents?|kits?|lots?|controls?|tubes?)
  en: kits? (was |had |has )?expired
  en: {taken} …20 (frozen|thawed|warm|unspun) (on|upon|at|when) (receipt|arrival|received)
  en: {taken} …20 not (refrigerated|spun|centrifuged|separated|chilled|kept cold|on ice)
  en: unspun {taken}
  en: spun late
  en: {taken} …20 exceed(s|ed|ing) (\w+ )?stability
  en: (tube|specimen|sample) type (\w+ )?(incorrect|wrong|inappropriate|unsuitable)
  en: (in|ex) ?(vitro|vivo) (glycolysis|consumption|release|h(a?e)moly\w+)
  en: glycolysis (is |was |cannot be |may be )?(suspected|likely|possible|probable|excluded|ruled out)
  en: not (separated|centrifuged|spun)( \w+)? (in time|within \w+|promptly)
  en: (delayed|late) (separation|centrifugation)
  en: {taken} …60 not suitable
  en: {taken} …30 (unsuitable|unacceptable|unsatisfactory|inadequate|expired|leak(ed|ing)|broken|thawed|too old|deteriorat\w*|degraded|autoly[sz]ed|mishandled|(not|im|in)[ -]?(proper|correct|appropriate)(ly)?( \w+)? (stored|handled|collected|labell?ed|transported|spun|mixed|preserved))
  en: (unsuitable|unacceptable|unsatisfactory|inadequate|improper|incorrect|inappropriate|wrong|expired) (\w+ ){0,2}({taken}|anticoagulant|additive|preservative|storage|handling|transport\w*|temperature|labell?ing)
# unreliable
  en: unreliable
  en: ^[^.;,]{0,40}\b(not (valid(ated)?\b(?! without)|reliable|usable|credible)|invalid)(?! (if|when|unless|in|for|on|without|above|below|over|under|beyond|at)\b)-
  en: (results?|values?|tests?) …25 (not (valid(?! without)|validated|reliable|accurate|trustworthy|credible|plausible)|inaccurate|incorrect|wrong|implausible|under investigation)
  en: (results?|values?|findings?) …20 (unsuitable|unusable|not (usable|suitable)|unfit|unacceptable)
  en: uninterpretable
  en: not interpretable
  en: cannot be (interpreted|relied|trusted|used(?! interchangeably)|verified|reported)
# unreliable, of an unfit sample, or to be repeated
  de: nicht (auswertbar|beurteilbar|plausibel|valide|verlasslich|zuverlassig|gultig)
  de: unplausibel
  de: (ergebnis|wert|befund)\w* (\w+ )?(fraglich|zweifelhaft|falsch|fehlerhaft)-
  de: neu(e|er|es) (probe|blutentnahme|einsendung|entnahme|material)
  de: neu(entnahme|einsendung)
  de: (wiederholung|erneute (probe|blutentnahme|entnahme|einsendung)) (erbeten|empfohlen|erforderlich|notwendig)-
  de: bitte (\w+ )?(wiederholen|neu (einsenden|abnehmen))-
  de: (probe\w*|material) (\w+ )?(zu alt|unzureichend|ungeeignet|uberaltert|unbrauchbar|ausgelaufen|reicht nicht)-
  de: zu wenig (material|probe|blut)-
  de: name\w* (\w+ ){0,4}stimm\w+ nicht-
  de: namen?s?abweichung-
# unreliable, of an unfit sample, or to be repeated
  fr: (in|non )interpretable\w*
  fr: a (renouveler|refaire|reprelever|recontroler)
  fr: (prelevement|echantillon|tube)s? ([^.;]{0,20} )?(insuffisant\w*|non conforme\w*|mal (identifie|etiquete)\w*|trop (ancien|vieux)\w*|perime\w*)-
  fr: resultats? (\w+ )?(douteux|non valides?|non fiables?|errone\w*|rendus? par erreur)-
  fr: resultats? (\w+ )?a (confirmer|controler|verifier)(?! (dans|tra|nach|over|(en|em|in) \d))-
  es: resultado (\w+ )?(a|por|pendiente de) (confirmar|verificar|comprobar)(?! (dans|tra|nach|over|(en|em|in) \d))-
  it: risultato (\w+ )?da (confermare|controllare|verificare)(?! (dans|tra|nach|over|(en|em|in) \d))-
  nl: (uitslag|resultaat) (\w+ )?te (bevestigen|controleren)(?! (dans|tra|nach|over|(en|em|in) \d))-
  de: (ergebnis|befund|wert) (\w+ )?zu (bestatigen|kontrollieren|uberprufen)(?! (dans|tra|nach|over|(en|em|in) \d))-
  fr: nouveau prelevement (\w+ )?(necessaire|souhaite|demande|conseille|requis)-
  fr: (nom|identite) …40 ne correspond-
# unreliable, of an unfit sample, or to be repeated
  es: resultados? (\w+ )?(dudoso|erroneo|no fiable|no interpretable)s?
  es: no valid[oa]s?
  es: repetir (la |el )?(extraccion|muestra|toma|determinacion)-
  es: nueva (muestra|extraccion)
  es: muestra (\w+ )?(insuficiente|inadecuada|no apta|hemolizada y no apta|mal (identificada|rotulada))-
  es: no (concuerdan?|coinciden?)
# unreliable, of an unfit sample, or to be repeated
  it: campione (\w+ )?(insufficiente|non idoneo|inadeguato)-
  it: ripetere (il |l')?(prelievo|campione)-
  it: risultat[oi] (\w+ )?(non (valid|attendibil|interpretabil)\w*|dubbi\w*|errat\w*)-
  it: non attendibil\w*
  it: nuovo prelievo
# unreliable, of an unfit sample, or to be repeated
  da: prove\w* (er )?(utilstraekkelig|uegnet)-
  da: ny prove
  da: tages om
  da: ikke (palidelig\w*|valid\w*)-
# the whole report is a draft, a test or not released
  en: (awaiting|pending) (\w+ )?(validation|verification|approval|authori[sz]ation|release|review)
  en: ^\W*(results? |values? |reports? )?(is |are )?(on hold|withheld)\W*$
  en: ^\W*draft
  en: not for (clinical|diagnostic|patient) use
  en: do not (file|release)
  en: test patient
  en: (unauthori[sz]ed|unvalidated|unverified|unreleased) (results?|values?|reports?)
  en: (results?|values?|reports?) …20 not (yet )?(been )?(authori[sz]ed|released|approved|confirmed|validated)
  en: (?<!preliminary )(results?|values?|reports?) …20 not (yet )?(been )?verified
  en: results? valid only (when|if) (signed|confirmed|authori[sz]ed)
  de: ^\W*entwurf\W*$
  fr: ^\W*brouillon\W*$
  es: ^\W*borrador\W*$
  it: ^\W*bozza\W*$
  da: ^\W*udkast\W*$
  nl: ^\W*concept\W*$
  sv: ^\W*utkast\W*$
  pt: ^\W*rascunho\W*$
  en: (superseded|replaced) by (\w+ ){0,2}(report|result)-
# measured or typed wrongly, or not released
  de: fehl(messung|bestimmung)\w*
  de: messfehler
  de: nicht (medizinisch |arztlich |technisch |endgultig )?(freigegeben|validiert|bestatigt|vidiert)
  en: not (yet |(yet )?(been )?(medically|clinically|technically) )(validated|authori[sz]ed|released|approved)
  fr: non (validee?s?|liberee?s?) par
  de: tippfehler
  de: schreibfehler
# reported with a reservation
  de: (werte?|ergebnis\w*|befund\w*|bewertung) (\w+ ){0,2}unter vorbehalt
  de: nur unter vorbehalt
  fr: sous reserves?
  es: con reservas?
  it: con riserva
  nl: onder voorbehoud
  sv: (med|under) reservation
  da: med forbehold
  pt: com ressalvas?
  en: (results?|values?) (\w+ ){0,3}with reservations?
# who it is of is not certain
  en: label+ed (with|as) (a |an )?(different|other|another|wrong|incorrect)
  en: (identity|identification) …40 (not|cannot|could not|can not|unable to) (be )?(been )?(confirm|verif|establish|ascertain)\w*
  en: (not|cannot|could not|unable to) (be )?(confirm|verif|establish)\w* …30 (identity|identification)
  de: identitat …40 (nicht|un) ?(gesichert|geklart|bestatigt|klar|sicher)
  fr: identite …40 (non|pas|ne) …20 (confirme|verifie|certaine)\w*
  es: identidad …40 no …20 (confirmad|verificad)\w*
# withdrawn, unreliable or mixed up
  nl: (uitslag|resultaat|bepaling|monster|waarde)\w* (\w+ )?(vervallen|ongeldig|ingetrokken|verwisseld|onjuist)
  nl: onbetrouwba\w+
  nl: niet (betrouwbaar|bruikbaar|geldig|vrijgegeven|geautoriseerd|gevalideerd|gebruiken)
  nl: verwisseld
# mixed up, not released or measured wrongly
  da: forveksl\w+
  sv: forvaxl\w+
  sv: ombytt?\w*
  da: (ikke|inte|ej) (godkjent|godkendt|godkand|frigitt|frigivet|gyldig|giltig|palitelig|tillforlitlig)\w*
  sv: ogiltig\w*
  da: fe(l|il|jl)ma(tning|ling)\w*
  da: opaliteli\w*
  da: upaliteli\w*
# not released, mixed up or typed wrongly
  es: no (valorable|liberad[oa]|validad[oa]|utilizable|evaluable|confirmad[oa])s?
  pt: nao (valid[oa]|validad[oa]|liberad[oa]|confiave(l|is)|utilizar|usar|confirmad[oa])s?
  pt: (amostra|muestra)s? (trocad|cambiad|intercambiad|confundid)[oa]s?
  es: error (tipografico|de transcripcion)
  pt: erro de (digitacao|transcricao)
# not released, mixed up or typed wrongly
  fr: (resultats?|valeurs?) (\w+ )?(non (valides?|validee?s?|confirmee?s?)|a ne pas (utiliser|tenir))-
  fr: (tubes?|echantillons?|prelevements?) (\w+ )?(echange|inverse|interverti)\w*
  fr: (erreur|faute) de (frappe|saisie)
  it: scambi\w+ (di )?(campion\w+|provett\w+)-
  it: campion\w+ scambiat\w+
  it: non (validat|confermat|autorizzat)[oaie]
  it: errore di (battitura|trascrizione)
# drawn above an infusion
  en: (drawn|collected|taken|sampled) …25 (arm|line|vein|side) (\w+ ){0,2}(with|receiving|of|that has) (\w+ ){0,2}(iv|infusion|drip|transfusion)
  en: (drawn|collected|taken|sampled) (from )?(above|proximal to|upstream of) (\w+ ){0,2}(iv|infusion|drip|line|cannula)
  en: (iv|infusion|drip|edta)([ -]fluid)? contaminat\w+
# a second measurement gave another value
  en: (repeat(ed)?|re-?check(ed)?|re-?run)( (value|result|test|wert))?\s*[:=]\s*[<>]?\d-
  de: (wiederholung|kontrollmessung|nachmessung)( (value|result|test|wert))?\s*[:=]\s*[<>]?\d-
  fr: recontrole( (value|result|test|wert))?\s*[:=]\s*[<>]?\d-
  es: repeticion( (value|result|test|wert))?\s*[:=]\s*[<>]?\d-
  it: ripetizione( (value|result|test|wert))?\s*[:=]\s*[<>]?\d-
# another value is the right one
  en: (actual|true|real|right) (value|result|wert|valeur|valor|es|:)?s?\b[^.;\d]{0,12}[<>]?\d-
  de: (tatsachlicher|richtiger|wahrer) (value|result|wert|valeur|valor|es|:)?s?\b[^.;\d]{0,12}[<>]?\d-
  fr: vraie (value|result|wert|valeur|valor|es|:)?s?\b[^.;\d]{0,12}[<>]?\d-
  es: (valor real|valor correcto) (value|result|wert|valeur|valor|es|:)?s?\b[^.;\d]{0,12}[<>]?\d-
  en: typ(ing|ographical) (error|mistake)
  en: typo
# of a relative's sample
  en: (from|of|belongs? to) (\w+ ){0,2}(twin|sister|brother|mother|father|husband|wife|partner|donor|baby|child)( (sister|brother))?('?s)? (samples?|specimens?|blood|tubes?)
`
