import { isKnownFlag } from './flags.ts'
import type { ParsedReport, ResultStatus } from './parsed.ts'

/** With any other status the field holds no result. */
export const isUsable = (status: ResultStatus): boolean => ['final', 'corrected', 'preliminary'].includes(status)

/** Whether the laboratory takes a result back: it was wrong, or cannot be obtained. */
export const isTakenBack = ({ status }: { status: ResultStatus }): boolean =>
  status === 'entered-in-error' || status === 'cancelled'

const notFinal =
  /^\W*(?:(?:this is an? )?(?:interim|provisional|partial) (?:report|results?)\b|vorläufige[rs]? (?:befund|ergebnis|bericht)|(?:teilbefund|zwischenbefund)(?!\p{L})|(?:informe|resultados?) (?:provisional|preliminar|parcial)e?s?\b|(?:résultats?|compte[- ]rendu|rapport) (?:provisoire|préliminaire|partiel)s?(?!\p{L})|(?:referto|risultat[oi]) (?:provvisori|preliminar|parzial)\p{L}*|(?:foreløbig|preliminær)\p{L}* (?:svar|rapport|resultat\p{L}*)|voorlopige? (?:uitslag|rapport|resultat\p{L}*)|(?:resultado|relatório|laudo) (?:provisório|parcial)s?(?!\p{L})|preliminär\p{L}* (?:svar|rapport|resultat))|^\W*(?:this is an? )?preliminary(?: (?:results?|reports?|values?|findings?))?\b(?!.{0,60}\b(?:now final|finali[sz]ed|superseded|replaced)\b)|\b(?:results?|reports?|values?) (?:is|are) preliminary\b/iu

/** "Amended report", alone or with its day or number: what is corrected stands in the report itself. */
const amended =
  /^\W*(?:(?:this is an? |report status:? )?(?:corrected|amended|revised) (?:(?:final |laboratory |lab )?reports?|results?|version|copy)|report (?:has been |was )?(?:corrected|amended|revised)|(?:korrigierter?|geänderter?|berichtigter?) (?:befund|bericht|befundbericht|version)|(?:korrektur|änderungs)befund|(?:compte[- ]rendu|rapport|résultats?) (?:corrigé|modifié|rectifi(?:é|catif))s?|(?:informe|resultados?) (?:corregido|modificado|rectificado)s?|(?:referto|risultat[oi]) (?:corrett|modificat|rettificat)[oi]|(?:rettet|korrigeret|rettede|korrigerede) (?:svar|rapport|resultat\p{L}*)|(?:gecorrigeerde?|gewijzigde?) (?:uitslag|rapport|verslag)|(?:korrigerat|rättat) (?:svar|utlåtande)|korrigert svar|(?:laudo|relatório) (?:corrigido|retificado))(?!\p{L})(?:[\s\d:.,#/-]|\b(?:issued|reported|of|on|no|nr|version|vom|am|du|le|del?|el|af|d\.?)\b)*$/iu

/** "Corrected result: previously reported as 6.8 mmol/L on 3/11/2026 at 1105", "Corrected from 290 U/L". */
const correctedNow =
  /^\W*(?:corrected|amended|revised)(?: (?:result|value|report)?s?(?:on [\d/.-]+(?: at [\d:]+)?)?\W*|\. )(?:(?:previously|originally|initially) (?:reported|resulted|issued|printed|released) (?:as |was )?|from )[<>]?\d[\d.,]*(?!.*\b(?:to|not|error|un\w+)\b)[^.;!?]{0,60}\.?\s*$/iu

/** The status of a result beside a note, or in a report, that says that it is preliminary or corrected. */
export function withNote(status: ResultStatus, note: string | undefined): ResultStatus {
  if (status !== 'final' || note === undefined) return status
  return notFinal.test(note) ? 'preliminary' : amended.test(note) || correctedNow.test(note) ? 'corrected' : status
}

/** Whether a report withdraws a result, or says that one cannot be obtained. Both need no value. */
export const withdrawsResults = ({ observations, withdrawn }: ParsedReport): boolean =>
  withdrawn === true || observations.some((one) => one.name !== '' && isTakenBack(one))

/** The status of a report from those of its results: corrected before preliminary before final. */
export function overallStatus(statuses: readonly ResultStatus[]): ParsedReport['status'] {
  if (statuses.includes('corrected')) return 'corrected'
  return statuses.includes('preliminary') || statuses.includes('pending') ? 'preliminary' : 'final'
}

const states: [ResultStatus, RegExp][] = [
  [
    'final',
    /^(|f|fin|final|complete[d]?|verified|validated|reported|resulted|released|approved|ok|done|(sub)?optimal|good|fair|borderline|endgültig|définitif|definitivo|authori[sz]ed|confirmed|signed|issued|freigegeben|validiert|validée?|validad[oa]|validat[oa]|geautoriseerd|godkänd|godkendt|godkjent|endelig|slutgiltig|slutsvar|definitief|ostateczny|lopullinen|liberado|konečn[ýáé]|definitivní|готово?|окончательный|завершено?|выполнено?|підтверджено|остаточний|završen[oa]?|konačan|potvrđen[oa]?|finalizat|validat|kész|végleges|validált|οριστικ[όή]|kinnitatud|apstiprināts|patvirtinta|valmis|onaylandı|onaylı|đã duyệt|selesai|已审核|已报告|最终|已完成|최종|완료|uvolněn[oýá]|validován[oa]|schválen[oýá])$/,
  ],
  [
    'corrected',
    /^(corrected|amended|revised|c|corr|korrigiert|geändert|corrigée?|modifiée?|corregid[oa]|corrett[oa]|rettet|korrigeret|corrigid[oa]|re[ct]tificad[oa]|rectifiée?|rettificat[oa]|berichtigt|gecorrigeerd|korrigerat?d?|rättad|korrigert|skorygowan[oya]|opraven[oýá]|korjattu)$/,
  ],
  [
    'preliminary',
    /^(prelim|preliminary|partial|p|vorläufig|provisorisch|provisoire|provisional|preliminar|provvisori[oa]|foreløbig|foreløpig|voorlopig|preliminär|wstępny|alustava|provisóri[oa]|předběžn[ýáé]|предварительный|попередній|privremen[oi]?|előzetes|προσωρινό|esialgne|išankstinis|ennakko|bráðabirgða|ön sonuç|geçici|sơ bộ|sementara|初步|예비|predbežn[ýáé])$/,
  ],
  [
    'pending',
    /^(pending|in process|in progress|i|registered|received|to follow|ausstehend|in arbeit|folgt|en attente|en cours|pendiente|en proceso|in attesa|in corso|afventer|em (?:análise|andamento|execução)|en curso|pendente|käynnissä|w toku|pågår|в работе|выполняется|в роботі|u tijeku|u obradi|în lucru|folyamatban|σε εξέλιξη|töös|procesā|vykdoma|í vinnslu|devam ediyor|çalışılıyor|đang thực hiện|dalam proses|检测中|진행중|under arbeid|in bewerking)$/,
  ],
  [
    'cancelled',
    /^(cancel+ed|x|rejected|revoked|void(ed)?|aborted|storniert|annulliert|annulée?|anulad[oa]|annullat[oa]|annuller(?:et|t|ad|at)|cancelad[oa]|suspens[oa]|peruttu|makulera[dt]|geannuleerd|anulowan[oya]|zrušen[oýá]?)$/,
  ],
  ['not-done', /^(not done|not performed|n|tnp|qns)$/],
  ['entered-in-error', /^(entered in error|entered-in-error|d|w|deleted|wrong|withdrawn|retracted|error)$/],
]

/** Undefined for a word that is not known: whether the result counts is not certain. A flag is no status. */
export function printedStatus(text: string): ResultStatus | undefined {
  const word = text.toLowerCase()
  return states.find(([, pattern]) => pattern.test(word))?.[0] ?? (isKnownFlag(text) ? 'final' : undefined)
}
