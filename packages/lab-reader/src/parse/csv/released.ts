import type { Column } from '../headings.ts'
import { interferentsIn } from '../interference.ts'
import { remarkOf, tellsOfState } from '../remark.ts'
import { isAnimal, speciesLabel } from '../specimen-words.ts'
import { printedStatus } from '../status.ts'

/** Headings under which "yes" says that a result counts. */
const counts =
  /^(?:(?:is |result |final |tech(?:nical)? |medical(?:ly)? )?(?:valid|validated|validation|verified|verification|released|release|approved|approval|authori[sz](?:ed|ation)|confirmed|accepted|acceptable|reportable|signed(?: off)?|final|finali[sz]ed|qc|qc (?:status|result|flag|check|passed|ok)|quality control|run (?:status|valid)|passed)|freigabe|freigegeben|validiert|validierung|gültig|bestätigt|geprüft|freigabestatus|vidiert|valide|validée?|validation (?:médicale|biologique|technique)|approuvée?|autorisée?|confirmée?|conforme|validad[oa]|validación|liberad[oa]|aprobad[oa]|autorizad[oa]|válid[oa]|confirmad[oa]|validat[oa]|validazione|approvat[oa]|autorizzat[oa]|valid[oa]|confermat[oa]|frigivet|godkendt|gyldig|valideret|bekræftet)(?: ?[?:]|\?)?(?: status| flag)?$/i

/** Headings under which "yes" says that it does not count. */
const countsNot =
  /^(?:(?:is |result )?(?:cancel+ed|cancellation|excluded|exclude|rejected|reject|deleted|void(?:ed)?|invalid(?:ated)?|withdrawn|retracted|superseded|suppress(?:ed)?|(?:(?:reported|entered|sent|issued) )?in error|error|errors|error (?:code|flag)|fail(?:ed|ure)?|on hold|hold|pending|(?:data |instrument |analy[sz]er |device |ip |suspect )(?:alarms?|messages?|flags?)|alarms?|do not report|is (?:control|qc|blank|standard|calibrator|test|donor|pooled)|(?:qc|control|pooled|donor) (?:sample|specimen|row)|test (?:patient|record|sample|data)|calibrator|demo|dummy|training|synthetic|simulated|imputed|estimated|interpolated|extrapolated|censored|geschätzt|simuliert|imputiert|kontrollprobe|testpatient|estimée?|imputée?|simulée?|estimad[oa]|imputad[oa]|simulad[oa]|stimat[oa]|imputat[oa]|simulat[oa]|outlier|contaminated|mis-?label+ed|replaced)(?: (?:by|at|on|date|reason))?|storno|storniert|annulliert|ausgeschlossen|verworfen|ungültig|gelöscht|gesperrt|fehler|fehlercode|annulée?|annulation|exclue?|rejetée?|invalide|supprimée?|erreur|code erreur|anulad[oa]|excluid[oa]|rechazad[oa]|inválid[oa]|eliminad[oa]|error de análisis|annullat[oa]|esclus[oa]|rifiutat[oa]|invalidat[oa]|errore|annulleret|udelukket|afvist|ugyldig|slettet|fejl)(?: ?[?:]|\?)?(?: flag)?$/i

/** A name may stand there. */
const checks =
  /^(?:checked|reviewed|verified|validated|released|approved|authori[sz]ed|confirmed|signed(?: off)?) by$|^(?:freigegeben|validiert|geprüft|vidiert) (?:von|durch)$|^(?:validée?|vérifiée?|approuvée?) par$|^(?:validad|revisad|aprobad|liberad)[oa] por$|^(?:validat|verificat|approvat)[oa] da$/i
const acts =
  /^(?:(?:qa |qc |lab(?:oratory)? |sample |specimen |row |final )?(?:verdict|decision|event|operation|transaction|suitability|acceptability|quality|review status|review result)|change(?: type)?|action|next action|required action|action required|disposition|aktion|maßnahme|massnahme|acción|azione|handling)$/i

/** "0.3" under "Error" is how exact the value is. */
const no =
  /^(?:±?\d+[.,]\d+ ?%?|n|no|none|nil|false|f|0|nein|non|nej|falsch|faux|falso|-+|–|n\/?a|ok|okay|keine?r?|aucune?|ning[uú]n[oa]?|nessun[oa]?|ingen)$/i
const noFalse = /^(?:n|no|false|f|0|nein|non|nej|falsch|faux|falso|-+|–|x|✗|✘)$/i
/** So a cell begins that speaks of its own row, whatever stands above it. */
const speaksAgainst =
  /^(?:reject(?:ed)?|withdrawn|retracted|on hold|hold for|deleted|voided|invalid(?:ated)?|cancel+ed|do not (?:use|report|release)|not (?:reportable|valid|released|acceptable)|doubtful|questionable|suspect(?:ed)?|unreliable|uncertain|wrong|check (?:id|name|label)|re-?(?:draw|collect)|abgelehnt|verworfen|storniert|zurückgezogen|rejetée?|annulée?|retirée?|rechazad[oa]|anulad[oa]|retirad[oa]|rifiutat[oa]|annullat[oa]|ritirat[oa]|cancelad[oa]|afvist|annulleret|geannuleerd|makulerad|peruttu)(?!\p{L})/iu
const refused =
  /\b(?:not|non|nicht|noch|ikke|sin|senza|hold|await\w*|pending|open|offen|ausstehend|reject\w*|rerun|re-?run|re-?test|repeat\w*|fail\w*|cancel\w*|void\w*|in-?valid\w*|to be|to follow|tbc|un(?:ver|val|auth|rel|app|conf)\w+|delet\w*|remov\w*|withdr\w*|retract\w*|suppress\w*|withhold|error|wrong|bad|do not|draft|prelim\w*|interim|review|abgelehnt|storniert|wiederhol\w*|ungültig|gesperrt|vorläufig|rejet\w*|refus\w*|répéter|à refaire|en attente|rechazad\w*|repetir|pendiente|anulad\w*|rifiutat\w*|ripetere|in attesa|annullat\w*|afvist|afventer|gentag\w*|annulleret)(?!\p{L})|^(?:no|nein|nej) /iu

/** A sample of somebody who has died is not one of a customer, whichever was first. */
const deathHeading =
  /^(?:(?:date|day|time) of death|death date|died(?: on)?|deceased(?: date| on)?|dod|sterbedatum|verstorben(?: am)?|date (?:de|du) décès|décédée?(?: le)?|fecha de (?:defunción|muerte)|fallecid[oa]|data (?:di|del) (?:morte|decesso)|dødsdato|overlijdensdatum)$/i

const statisticHeading =
  /^(?:statistics?|stat|aggregat\w*|summary|(?:value|result|measure) (?:type|kind)|calculation)$/i
const ofMany =
  /^(?:mean|average|avg|median|max(?:imum)?|min(?:imum)?|peak|nadir|sum|total|range|s\.?d\.?|cv|percentile|highest|lowest|mittelwert|moyenne|media|mediana)\b/i
const confidenceHeading = /^(?:ocr |ai |match )?(?:confidence|probability|certainty)(?: score| level| ?\(?%\)?)?$/i
const handlingHeading =
  /^(?:sample |specimen )?(?:storage|transport|shipping|shipment|handling|preservation)(?: conditions?| temp\w*)?$|^(?:lagerung|probentransport|konservierung|conservation|stockage|conservación|almacenamiento|conservazione|trasporto)$/i

/** Of 1 or of 100, or in a word. */
const isSure = (cell: string): boolean => {
  const number = Number(cell.replace(/ ?%$/, ''))
  return Number.isNaN(number)
    ? /^(?:high|certain|sure|hoch|élevée?|alt[oa])$/i.test(cell)
    : (number > 1 ? number / 100 : number) >= 0.9
}

const stateHeading =
  /^(?:sample |specimen )(?:cond(?:ition)?|integrity|quality|state)$|^(?:cond(?:ition)?|integrity|probenzustand|probenqualität|(?:état|qualité|conformité) (?:de l['’]échantillon|du prélèvement)|(?:estado|calidad) de la muestra|(?:stato|qualità) del campione)$/i
const good =
  /^(?:good|fine|normal|acceptable|adequate|satisfactory|sufficient|suitable|fresh|intact|clear|valid|gut|einwandfrei|in ordnung|bon(?:ne)?|conforme|satisfaisante?|buen[ao]|adecuad[oa]|buon[ao]|adeguat[oa])$/i

const sourceHeading =
  /^(?:(?:data|result|value|test) )?(?:source|origin|provenance)$|^(?:measured|entered|reported) by$|^(?:daten)?quelle$|^herkunft$/i
const noLaboratory =
  /^(?:(?:phone|mobile|health|patient) )?(?:apps?|applications?|applicazione|aplicación|calculators?|selbsttest|heimtest|autotest|wearables?|sensors?|(?:smart)?watch|cgm|meter|self|home(?:[- ]?(?:tests?|kits?|devices?|meters?|monitor(?:ing)?))?)$/i

/** Under which headings a cell says that its row does not count. */
const rules: readonly [heading: RegExp, refuses: (cell: string) => boolean][] = [
  [speciesLabel, isAnimal],
  [deathHeading, (cell) => !no.test(cell)],
  [statisticHeading, (cell) => ofMany.test(cell)],
  [confidenceHeading, (cell) => !isSure(cell)],
  [handlingHeading, (cell) => tellsOfState(cell) && remarkOf(cell) === 'unknown'],
  [
    stateHeading,
    (cell) => refused.test(cell) || !(no.test(cell) || good.test(cell) || interferentsIn(cell).length > 0),
  ],
  [sourceHeading, (cell) => noLaboratory.test(cell)],
  [countsNot, (cell) => !no.test(cell)],
  [acts, (cell) => refused.test(cell)],
  [checks, (cell) => refused.test(cell)],
]

/** Whether a column says of each row whether its result counts. */
export const saysWhetherCounts = (heading: string): boolean => {
  const plain = heading.trim().replace(/_/g, ' ')
  return [counts, ...rules.map(([headings]) => headings)].some((headings) => headings.test(plain))
}

/** What a row says of itself that means that its result does not count: "Released: N". */
export function refusedBy(columns: readonly Column[], cells: readonly string[]): string | undefined {
  const at = columns.findIndex(({ heading, kind, isSparse = false }, index) => {
    const cell = cells[index]?.trim() ?? ''
    // Among animals, what is of none is not said to be of a person.
    if (isSparse && speciesLabel.test(heading.trim())) return isAnimal(cell)
    if (cell === '' || !['marker', 'ignored', 'changes', 'comment', 'status', 'flag'].includes(kind)) return false
    const plain = heading.trim().replace(/_/g, ' ')
    if (['marker', 'ignored'].includes(kind) && speaksAgainst.test(cell)) return true
    const rule = rules.find(([headings]) => headings.test(plain))
    if (rule) return rule[1](cell)
    if (!counts.test(plain)) return false
    // "F" may be "false" or "final".
    if (/^f$/i.test(cell) && /final|status/i.test(plain)) return false
    const status = printedStatus(cell)
    return (
      noFalse.test(cell) || refused.test(cell) || (status !== undefined && !['final', 'corrected'].includes(status))
    )
  })
  return at < 0 ? undefined : `${columns[at]?.heading}: ${cells[at]?.trim()}`
}
