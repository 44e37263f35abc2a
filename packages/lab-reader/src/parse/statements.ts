import { plainLetters } from '../facts/letters.ts'
import { isBlood, specimensIn } from '../facts/specimens.ts'
import { annuls } from './annulling.ts'
import { analytesIn } from './remark.ts'
import {
  isAnimal,
  isNotOwn,
  isOfAnother,
  isOfTraining,
  speciesLabel,
  tellsOfDonation,
  tellsOfPool,
} from './specimen-words.ts'
import { printedStatus, withNote } from './status.ts'

const labels = {
  status:
    /^(?:(?:report|result|order|document|release|befund|ergebnis|informe|referto|svar)[- ]?)?(?:status|state|type|art|stand)$|^(?:befundart|berichtsart|estado(?: del? (?:informe|resultado))?|tipo de informe|état(?: du (?:résultat|compte[- ]rendu))?|statut(?: du (?:résultat|compte[- ]rendu))?|type de (?:rapport|compte[- ]rendu)|stato(?: del referto)?|tipo di referto|svarstatus|rapporttype)$/iu,
  specimen:
    /^(?:(?:specimen|sample|material|matrix)(?: (?:type|source|material))?|probenmaterial|probenart|untersuchungsmaterial|probe|(?:type|nature) (?:de |d[’'])?(?:prélèvement|échantillon)|prélèvement|échantillon|(?:tipo de )?muestra|(?:tipo di )?campione|prøvemateriale|prøvetype)$/iu,
  system:
    /^(?:(?:source|sending|originating|export(?:ing)?|lab(?:oratory)?) )?(?:system|application|environment|instance|database|server|lis|quellsystem|umgebung|environnement|entorno|sistema|ambiente)$/iu,
  whose:
    /^(?:(?:patient|subject|person|donor|client|sample) (?:type|category|role)|relation(?:ship)?(?: to (?:the )?patient)?|patiententyp|tipo de paciente|type de patient|tipo di paziente|patienttype)$/iu,
  species: speciesLabel,
}
export type StatementKind = keyof typeof labels

export interface Statement {
  kind: StatementKind
  value: string
}

const measuredIn =
  /(?<!\p{L})(?:measur|determin|analy[sz]|test|assay|quantif|gemessen|bestimmt|untersucht|mesur|dosé|medid|misurat|dosat|målt|mätt|uppmätt|gemeten|bepaald|oznaczon)\p{L}* (?:in|on|from|im|aus|dans|sur|en|nell?a?|su|i|w|z) (?:the |your |der |la |il |el |de )?([\p{L} -]{3,30})/iu

const inMeasured =
  /(?<!\p{L})(?:im|in|aus) (?:dem |der |het )?([\p{L} -]{3,30}?) (?:ge(?:mess|met)en|bestimmt|bepaald|untersucht|analysiert)(?!\p{L})/iu

/** What all was measured in, where a sentence says that and names no test of its own: "All hormones were measured in saliva." */
export function materialIn(text: string): string | undefined {
  const found = measuredIn.exec(text) ?? inMeasured.exec(text)
  const said = found?.[1] ?? ''
  const named = specimensIn(said) ?? []
  const tests = analytesIn(plainLetters(text.slice(0, found?.index))).filter((word) => !/^hormon/.test(word))
  return named.length === 1 && !isBlood(named) && !named.includes('other') && tests.length === 0
    ? said.trim()
    : undefined
}

/** "Report status: Preliminary", in one cell or in two. */
export function statementIn(text: string): Statement | undefined {
  const [, label = '', value = ''] = /^([^:]{3,40}?)\s*:\s*(\S.{0,80})$/.exec(text.trim()) ?? []
  const kind = (Object.keys(labels) as StatementKind[]).find((one) => labels[one].test(label.trim()))
  return kind && { kind, value: value.trim() }
}

/** A line of a label and its text as one text: "Specimen;Urine" says what "Specimen: Urine" does. */
export function joinedStatement(cells: readonly string[]): string | undefined {
  const [label = '', value = '', ...rest] = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  if (value === '' || rest.length > 0 || cells[0]?.trim() === '') return undefined
  const text = `${label.replace(/\s*:$/, '')}: ${value}`
  return statementIn(text) && !/^[<>]?\d/.test(value) ? text : undefined
}

const provisional =
  /^(?:interim|provisional|partial|incomplete|unconfirmed|teilbefund|vorläufig\p{L}*|vorbefund|zwischenbefund|provisorisch|provisoire|partiel\p{L}*|intermédiaire|provisional|parcial|preliminar|provvisori[oa]|parziale|preliminare|foreløbig\p{L}*|delsvar)(?: (?:report|results?))?$/iu
const unusable =
  /^(?:draft|entwurf|brouillon|borrador|bozza|udkast|test|dummy|training|sample|example|not (?:final|valid|released|authori[sz]ed|validated|verified)|unauthori[sz]ed|unvalidated|unverified|superseded|replaced|obsolete|storniert|annullé?e?|annulée?|anulado|annullato|annulleret)(?: report)?$/i

/** Alone on its line it speaks of the whole report. */
const research = /^\W*(?:for )?research use only\W*$|^\W*nur für forschungszwecke\W*$/i

/** What a line says of the whole: that it is preliminary or corrected, or that it may not be used. */
export function standingIn(text: string): 'preliminary' | 'corrected' | 'unusable' | undefined {
  const noted = withNote('final', text)
  if (noted === 'preliminary' || noted === 'corrected') return noted
  if (research.test(text)) return 'unusable'
  const said = statementIn(text)
  if (said?.kind === 'system') return isOfTraining(said.value) ? 'unusable' : undefined
  if (said?.kind !== 'status') return undefined
  if (provisional.test(said.value)) return 'preliminary'
  const status = printedStatus(said.value)
  if (status === 'preliminary' || status === 'pending') return 'preliminary'
  if (status === 'corrected') return status
  const isVoid = status !== undefined && status !== 'final'
  return isVoid || unusable.test(said.value) || annuls(said.value) ? 'unusable' : undefined
}

/** Whose a line says that the whole is, if it is not the person's: a donor's, several people's, control material. */
export function anothersIn(text: string): string | undefined {
  if (tellsOfDonation(text) || tellsOfPool(text)) return text
  const said = statementIn(text)
  if (!said || said.kind === 'status' || said.kind === 'system') return undefined
  const isOther = said.kind === 'species' ? isAnimal(said.value) : isOfAnother(said.value) || isNotOwn(said.value)
  return isOther ? text : undefined
}
