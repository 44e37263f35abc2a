/**
 * What laboratories write where a result may not be used: a line is a phrase, in its language, below what it means. The phrases
 * of one meaning make one expression. `…30` stands for up to 30 characters of the same sentence, and `{thing}` for a word of
 * `words`; phrases begin and end with whole words, unless a `-` stands there.
 */
export const words: Readonly<Record<string, string>> = {
  thing: '(?:results?|tests?|reports?|values?|specimens?|samples?|orders?|tubes?)',
  undone:
    '(?:cancel+ed|(?<!first[ -])void(?:ed)?(?! (?:urine|volume))|invalid(?:ated)?|annulled|retracted|withdrawn|revoked|rejected|erroneous|in error|not valid|not reliable|unreliable)',
  taken: '(?:specimens?|samples?|tubes?|aliquots?|blood|containers?)',
  again: String.raw`(?:repeat\w*|re-?test\w*|re-?collect(?:ion)?|re-?draw|re-?sampl\w*|re-?submit\w*|re-?submission|re-?bleed|(?:new|fresh|another|second) (?:samples?|specimens?|collection|tube|draw|blood))`,
  fluid: String.raw`(?:fluid|liquid[eo]?|vocht|vae?ske|vatska|flussigkeit|tekutin\w*|plyn\w*|drain\w*|drae?n\w*|dren\w*|redon|infu[sz]\w*|infuus\w*|perfu[sz]\w*|drip|flebo\w*|urin\w*|orina|mocz\w*|moci?|water|wasser|eau|agua|acqua|van[nd]|vatten|wod\w*|vod[aouy]\w*|salin\w*|kochsalz\w*|koksalt\w*|salt(?:van[nd]|vatten)\w*|zout\w*|fisiologic[oa]|physiologique|pleur\w*|ascit\w*|aszites|dial[yi][sz]\w*|bil[ei]s?|galle)`,
  more: '(?:further|another|second|new|fresh|repeat|additional|follow-?up|confirmatory|confirmation)',
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
# a tube that held something else than its label says
  en: (tubes?|bottles?|vials?|containers?) …40 ((was|were|is|are|been|got) ((?!not )\w+ )?filled|held|contain(s|ed))(?! (no|not) ) …40 {fluid}
  en: (drawn|collected|taken|obtained|aspirated|sampled|came) (from|through|out of) (\w+ ){0,3}(drain\w*|dialysate|urine bag|infusion bag)
  en: {taken} …30 (is|was|are|were|held|contain(s|ed)) (not|no) (\w+ )?blood
  en: (instead of|rather than|in place of) blood
  de: \w*rohrchen …40 (enthielt\w*|enthalt\w*|\w*gefullt|befand(en)? sich|war(en)?) …40 {fluid}
  de: aus (der|dem|einer|einem) (\w+ )?(\w*drain(age)?|\w*infusion\w*|dialysebeutel) (entnommen|gewonnen|abgenommen)
  de: (statt|anstatt|anstelle( von)?) blut
  fr: tubes? …40 (rempli\w*|contenait|contenaient|contient) …40 {fluid}
  fr: (au lieu de|a la place (du|de)) sang
  es: tubos? …40 (llen[oa]\w*|rellen\w*|contenian?|contienen?) …40 {fluid}
  es: (en lugar|en vez) de sangre
  it: provett[ae] …40 (riempit\w*|contenevan?o?|contien\w*|contenent\w*) …40 {fluid}
  it: (invece (di|del)|al posto del) sangue
  pt: tubos? …40 (chei[oa]s?|enchid\w*|preenchid\w*|continham?|contem) …40 {fluid}
  pt: em vez de sangue
  nl: buis(je)? …40 (gevuld|bevatte|bevat) …40 {fluid}
  nl: in plaats van bloed
  da: (\w*ror(et)?|\w*glass?(et)?) …40 (fyldt|fylt|indeholdt|inneholdt|inneholdte|indeholder|inneholder) …40 {fluid}
  da: (i stedet for|istedenfor) blod
  sv: (\w*ror(et)?) …40 (fyllt|fylldes|fyllts|inneholl|innehaller) …40 {fluid}
  sv: istallet for blod
  pl: probowk\w* …40 (zawier\w*|napelnion\w*|wypelnion\w*) …40 {fluid}
  cs: zkumavk\w* …40 (obsahoval\w*|naplnen\w*) …40 {fluid}
# taken back, or given by mistake
  en: (is|are|was|were|been|hereby) (\w+ )?(withdrawn|retracted|recalled)( by the lab\w*)?$
  en: (removed|deleted|withdrawn) from (this|the) report
  en: (disregard|ignore) (the )?(\w+ ){1,3}(results?|values?)
  de: (irrtumlich\w*|versehentlich|falschlich\w*) (\w+ ){0,2}(berichtet|mitgeteilt|ubermittelt|freigegeben|befundet|ausgegeben|gedruckt|angegeben)
  de: (wird|wurde|ist|werden|wurden|sind) (\w+ ){0,2}(zuruckgezogen|zuruckgenommen|widerrufen)
  de: nicht (zu )?berucksichtigen$
  fr: (rendu|transmis|communique|edite|emis|publie)\w* (par erreur|a tort)
  fr: (est|sont|ete) (\w+ )?retire\w*$
  fr: ne pas (en tenir|tenir|prendre en) compte
  es: (inform|emiti|comunic|report|public)\w* por error
  es: (se retiran?|(queda|sido|fue|es) retirad\w+)$
  es: no (tener|tomar) en cuenta
  it: (refertat|comunicat|emess|riportat|stampat)\w* per errore
  it: (e|viene|stat[oa]) (ritirat|revocat)\w*
  it: non (tenere|tener) conto
  nl: (abusievelijk|per abuis|ten onrechte|foutief) (\w+ )?(gerapporteerd|vermeld|doorgegeven|vrijgegeven)
  nl: (is|wordt|zijn|worden) (hierbij )?ingetrokken
  nl: buiten beschouwing|niet meenemen$
  sv: (rapporter|besvar|utlamn|lamn)\w* (\w+ )?(felaktigt|av misstag)|(felaktigt|av misstag) (rapporter|besvar|utlamn|lamn)\w*
  sv: aterkalla[ts]\w*|dra(s|gits) tillbaka|bortse fran
  da: (trukket|trekkes|traekkes|trukne) (tilbage|tilbake)|se bort fra
  da: (rapporter|afgive|avgitt|besvar)\w* (\w+ )?(fejlagtigt|feilaktig|ved en fe[ij]l)
  pt: (emitid|liberad|informad|reportad|comunicad)\w* por (engano|erro|lapso)
  pt: (desconsidera(r|do)|nao considerar|(foi|fica|e) retirad\w*)
  pl: omylkowo|(zosta\w*|jest) wycofan\w*|nie (nalezy )?brac pod uwage
  cs: omylem|(byl\w*|je) (stazen|stornovan)\w*|neberte v uvahu
  fi: peruttu|mitatoity
  tr: sehven|iptal edil\w*|dikkate almay\w*
  hu: visszavon\w*|tevesen
# another number is the right one
  xx: (instead of|statt|au lieu de|en lugar de|en vez de|invece di|anziche|in plaats van|istallet for|i stedet for|em vez de|zamiast|misto) [<>]?\d[\d.,]*(?![\d.,]| ?[-–] ?\d)-
  de: [<>]?\d\S*( \S+)? (lauten|heissen)$
  xx: (doit|doivent) (se lire|etre lue?s?)|lire [<>]?\d-
  xx: (debe leerse|leggasi|deve leggersi|deve ler-se|moet zijn|moet luiden|ska vara|skal vaere|powinno byc|ma byt) [<>]?\d-
# it should not be used
  de: (sollten?|darf|durfen|soll) nicht (\w+ )?(verwendet|verwertet|herangezogen|interpretiert) werden$
  fr: ne (doi|peu|devrai)\w+ pas etre (utilise|interprete|exploite)\w*$
  es: no (debe|puede)\w* (ser )?(utiliz|us|interpret)\w*$
  it: non (deve|devono|dovrebbe\w*|puo|va|vanno) (essere )?(utilizzat|usat|interpretat)\w*$
  pt: nao (deve|pode)\w* (ser )?(utiliz|us|interpret)\w*$
  nl: (mag|mogen|kan|kunnen|moet|moeten) niet (worden )?(gebruikt|geinterpreteerd)( worden)?$
  da: (bor|skal|ma|kan) ikke (anvendes|brukes|bruges|benyttes|tolkes)$
  sv: (bor|ska|skall|far|kan) (inte|ej) (anvandas|tolkas|bedomas)$
  pl: nie (nalezy|powinn\w*|mozna) (\w+ )?(uzywa|wykorzyst|interpret)\w*$
# too little of it
  xx: (quantite|cantidad|quantita|quantidade|volume|ilosc|hoeveelheid|\w*ma?e?ngden?) (\w+ )?(insuffisante?|insuficiente|insufficiente|niewystarczajac\w*|onvoldoende|otillracklig\w*|utilstr\w+|rackte inte|reichte? nicht)
`

/** Looked for in the same way, and about the tests alone whose names a sentence holds (`isAbout`). */
export const inconclusive = String.raw`
# tests contradict each other, or a further sample comes before any conclusion
  en: {more} ({thing}|testing|draws?|measurements?) …40 (before|prior to) …25 (conclu|diagnos|interpret|decision)-
  en: (before|prior to) (any|a|drawing) …25 (conclu|diagnos|interpret)\w* …40 {more} ({thing}|testing|draw)
  en: (screen\w*|confirm\w*|supplement\w*|immunoblot|results?) …40 ((do|does|did) (not|n't) agree|disagree\w*|contradict\w*|(is|are|was|were) (discordant|discrepant|conflicting|contradictory))
  en: (discordant|discrepant|contradictory|conflicting) (\w+ )?(results?|screening|tests?|serolog\w+)
  de: (weitere|erneute|neue|zweite)\w* (\w*probe|\w*entnahme|untersuchung|bestimmung|test)\w* …60 (vor|bevor|ehe) …40 (schluss|schlusse|aussage|beurteil|diagnos|bewert|interpret)-
  de: (vor|bevor|ehe) …40 (schluss|aussage|beurteil|diagnos|bewert|interpret)\w* …60 (weitere|erneute|neue|zweite)\w* (\w*probe|\w*entnahme|untersuchung|bestimmung|test)-
  de: (\w*test|screening|bestatigung\w*|ergebnis\w*|befund\w*) …40 (stimm\w+ nicht uberein|widersprechen|widersprochen|widerspruchlich|diskrepant|diskordant)
  fr: (nouve(l|lle|au)|autre|second|seconde|deuxieme) (prelevement|echantillon|test|dosage|analyse) …60 avant …30 (conclu|interpret|diagnos)-
  fr: (depistage|confirmation|resultats?) …40 (discordants?|contradictoires?|ne concord\w+ pas)
  es: (nuev|otr|segund)[oa] (muestra|extraccion|prueba|determinacion|analisis) …60 antes de …30 (conclu|interpret|diagnos)-
  es: (cribado|confirmacion|resultados?) …40 (discordantes?|contradictori[oa]s|no (coinciden|concuerdan))
  it: (nuov|altr|second|ulterior)\w (campione|prelievo|test|esame|dosaggio) …60 prima di …30 (conclu|interpret|diagnos)-
  it: (screening|conferma|risultati) …40 (discordanti|contraddittori|non concord\w+)
  pt: (nov|outr|segund)[oa] (amostra|coleta|colheita|teste|exame) …60 antes de …30 (conclu|interpret|diagnos)-
  pt: (triagem|rastreio|confirmacao|resultados?) …40 (discordantes?|contraditori[oa]s|nao (coincidem|concordam))
  nl: (nieuw|ander|tweede|extra|volgend)\w* (\w*monster|\w*afname|test|bepaling) …60 (voor|voordat|alvorens) …30 (conclu|interpret|diagnos)-
  nl: (screening|bevestiging\w*|uitslagen|resultaten) …40 (komen niet overeen|tegenstrijdig|spreken elkaar tegen)
  da: (ny|nyt|nytt|yderligere|ytterligere|endnu en|enda en) \w*(prove|test)\w* …60 (for|inden) …30 (konklu|diagnos|tolk|vurder)-
  da: (screening|bekraeftelse|bekreftelse|resultater|svar) …40 (stemmer ikke|er ikke enige|modstridende|motstridende)
  sv: (nytt|ny|ytterligare) \w*(prov|test)\w* …60 innan …30 (slutsats|diagnos|tolk|bedom)-
  sv: (screening|bekraftelse|resultat\w*|svar\w*) …40 (stammer inte|motstridiga)
`

/** Looked for in the same way: a document that shows what a document looks like. "Test report" and "test results" are ordinary. */
export const madeUp = String.raw`
# made up, for training or to show the form
  en: (for |as )?(training|demonstration|demo|practice|teaching|rehearsal) (purposes |use )?only
  en: for (demonstration|demo)(?! of)
  en: for teaching( purposes)?$
  en: (fictitious|fictional|fictive|made-?up|dummy|mock|synthetic|simulated|fabricated|invented|demo|demonstration) (patients?|persons?|data|results?|values?|reports?|records?|documents?)
  en: (example|sample|specimen) (report|data|copy|results?|document) only
  en: ^\W*((example|sample) (report|copy)|specimen copy)\W*$
  en: (example|sample) data (only|for (training|demonstration|illustration))
  en: ^\W*test data(?=\W*($|only|do not|not))-
  en: (not|no) (the )?((results?|data|values?) (of|from) )?(a |any )?(real|actual|genuine|living) (patients?|persons?|people|results?|data|values?|reports?)
  en: test (prints?|print-?outs?|transmissions?|patients?)
  en: this (report |document |file |message )?is (only )?an? (test|demo|demonstration|example|specimen)( (report|document|file|message|only))?$
  de: (muster|demo|beispiel|schulungs|ubungs|vorfuhr)-?(befund|bericht|daten|datensatz|ausdruck|druck|dokument|ergebnis)-
  de: (test)-?(befund|daten|datensatz|ausdruck|druck|patient|person)-
  de: (demo|ubungs|schulungs)-?(patient|person)-
  de: (demonstrations|schulungs|ubungs|vorfuhr|test)zweck-
  de: fiktive[rsn]? (daten|werte|ergebnisse|befund|patient|person)-
  de: keine? (echte[rsn]?|reale[rsn]?) (daten|werte|ergebnisse?|befunde?|patient\w*|person\w*)
  de: frei erfunden-
  fr: (donnees|resultats?|valeurs?|patiente?|compte[ -]rendu|rapport|document) (fictifs?|fictives?|simulee?s?|(de|d|d') ?(demonstration|demo|exemple|formation))
  fr: (donnees|patiente?) (de|d'|d )test
  fr: (fins|usage|but) (de |d'|d )?(demonstration|formation|demonstratives?)
  es: (datos|resultados|valores|paciente|informe|documento) (ficticios?|ficticias?|simulad[oa]s?|de (ejemplo|demostracion|capacitacion))
  es: (datos|paciente) de prueba
  es: (para|con fines de) (demostracion|formacion|capacitacion|entrenamiento)( (solamente|unicamente|solo))?$
  es: (solo|unicamente|exclusivamente) para (demostracion|formacion|capacitacion|entrenamiento)
  it: (dati|risultati|valori|paziente|referto|documento) (fittizi[oa]?|simulat[oi]|dimostrativ[oi]|di (esempio|dimostrazione|formazione))
  it: (dati|paziente) di prova
  it: (scopo|fini|uso) (esclusivamente |puramente )?(dimostrativ[oi]|formativ[oi]|didattic[oi])
  it: fac-?simile-
  pt: (dados|resultados|valores|paciente|laudo|relatorio|documento) (ficticios?|simulad[oa]s?|de (exemplo|demonstracao|treinamento|formacao))
  pt: (dados|paciente) de teste
  pt: (apenas|somente|exclusivamente) para (demonstracao|treinamento|formacao)
  pt: para fins de (demonstracao|treinamento|formacao)
  nl: (voorbeeld|demo|oefen|demonstratie)-?(rapport|uitslag|gegevens|data|patient|document)-
  nl: (test)-?(gegevens|patient|afdruk|print)-
  nl: proefafdruk-
  nl: fictieve (gegevens|waarden|uitslag|patient|persoon|resultaten)-
  nl: (alleen|uitsluitend) voor (training|demonstratie|scholing|oefen|instructie)-
  sv: (exempel|demo|ovnings|utbildnings)-?(rapport|data|svar|patient|person|utskrift)-
  sv: (test)-?(patient|person|utskrift)-
  sv: fiktiv[at]? (data|uppgifter|patient|person|svar|varden|resultat)-
  sv: endast (for|till) (utbildning|demonstration|ovning)-
  da: (eksempel|demo|ovelses|undervisnings|opplarings)-?(rapport|data|svar|patient|pasient|person|udskrift|utskrift)-
  da: (test)-?(patient|pasient|person|udskrift)-
  da: fiktive? (data|oplysninger|opplysninger|patient|pasient|person|svar|resultat|vardier|verdier)-
  da: (kun|bare) (til|for) (undervisning|demonstration|demonstrasjon|opplaring|traning|trening|ovelse)-
  pl: (dane|wyniki?|pacjent|dokument|sprawozdanie) (fikcyjn|przykladow|testow|demonstracyjn|szkoleniow)-
  pl: (fikcyjn|przykladow|demonstracyjn)\w* (dane|wyniki?|pacjent|dokument|sprawozdanie)-
  pl: (celow|celach) (szkoleniow|demonstracyjn|pogladow)-
  cs: (ukazkov|cvicn|testovac|fiktivn|vzorov)\w* (data|udaje|vysledk|vysledek|pacient|nalez|zprava)-
  cs: pro (skolici|vyukove|demonstracni|ukazkove) ucely
  fi: (esimerkki|demo|harjoitus)(tulo|raport|aineisto|potilas|tieto)-
  fi: vain (koulutus|esittely|harjoitus)-
  tr: egitim amacli-
  tr: (kurgusal|hayali) (veri|hasta|sonuc)-
  hu: (fiktiv|kitalalt|minta)\s?adat-
`

/** The same in other scripts, of which `plainLetters` takes the accents, too. */
export const madeUpElsewhere = `
# made up, for training or to show the form
  ru: -(демонстрационн|вымышленн|учебн|тестов)[^ ]* (данн|отчет|пациент|пример|печат)-
  ru: -только для (обучения|демонстрации)-
  uk: -(демонстраціин|вигадан|навчальн|тестов)[^ ]* (дан|звіт|пацієнт|приклад)-
  el: -(εικονικ|δοκιμαστικ|πλασματικ)[^ ]* (δεδομεν|ασθεν|αποτελεσμ)-
  zh: -(示例|演示|虚构|虛構|测试|測試|范例|範例)(数据|數據|报告|報告|患者)-
  ja: -(サンプル|テスト|デモ|架空の?|研修用)(データ|患者)-
  ko: -(예시|견본|시연용|교육용) ?(보고서|자료|데이터)-
`
