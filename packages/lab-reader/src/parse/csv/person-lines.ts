import { biomarkers } from '../../facts/biomarkers.ts'
import { normaliseName } from '../../facts/match.ts'
import { isHarmless, isVerdict } from '../beside.ts'
import { hasWordsOf, wordsOf } from '../names.ts'
import { namesPanel } from '../pdf/section.ts'
import { isOfAnother } from '../specimen-words.ts'
import { standingIn } from '../statements.ts'
import { clean } from '../text.ts'

/** Words of titles in six languages that no name of a biomarker has. */
const ofTitles = new RegExp(
  String.raw`(?<!\p{L})(?:${[
    'stud(?:y|ies)|tests?|markers?|functions?|screen(?:ing)?|differential|electrolytes?|metabol\\p{L}*|results?|reports?|notes?|comments?',
    'laborator\\p{L}*|labor|chem\\p{L}*|bioch\\p{L}*|bioqu\\p{L}*|immun\\p{L}*|inmuno\\p{L}*|serolog\\p{L}*|microbio\\p{L}*|molecular|genetic\\p{L}*',
    'toxicolog\\p{L}*|endocrin\\p{L}*|nutri\\p{L}*|cardi\\p{L}*|autoimmun\\p{L}*|allerg\\p{L}*|infect\\p{L}*|coagula\\p{L}*|an[ae]+mia|diabet\\p{L}*',
    'risk|health|general|special|routine|basic|clinical|other|additional|water|fat|soluble|trace|elements?|minerals?|metals?|control\\p{L}*',
    'ranges?|checks?|work-?up|assessment|evaluation|monitoring|status|ind(?:ex|ices)|ratios?|calculated|values?|reference|normal|abnormal|pending',
    'cancel+ed|section|part|group|category|orders?|levels?|male|female|men|women|adults?|pregnan\\p{L}*|fertility|liver|kidney|renal|bone|heart|brain',
    'tumou?r|cancer|stress|aging|longevity|wellness|performance|recovery|inflamm\\p{L}*|gut|skin|hair|energy|sleep|sport|vital|signs|post|pre|after',
    'before|end|page|unit|day|date|specimen|sample|gerinnung|\\p{L}*stoffwechsel|\\p{L}*werte|\\p{L}*funktion|\\p{L}*status|\\p{L}*marker|klinische',
    'spezielle|allgemeine|diagnostik|leber|niere|schilddrüse|herz|\\p{L}*blut\\p{L}*|eisen|funzion\\p{L}*|función|fonction|bilan|profil\\p{L}*|perfil',
    'esami|examens?|exámenes|analys\\p{L}*|análisis|analisi|undersøgelse\\p{L}*|tal|foie|rein|thyroïde|coeur|hígado|riñón|tiroides?|corazón|fegato|cuore|lever|nyre',
  ].join('|')})(?!\p{L})`,
  'iu',
)

/** The words of all names of biomarkers: no name of a person has them. */
let known: Set<string> | undefined
const ofBiomarkers = (): Set<string> => {
  known ??= new Set(
    biomarkers.flatMap(({ label, aliases }) =>
      [label, ...aliases].flatMap((name) => normaliseName(name).split(' ')).filter((word) => word.length > 2),
    ),
  )
  return known
}

/** "John Roe", "ROE, JOHN": two to four words that are no title of anything that laboratories measure. */
export function mayBeName(text: string): boolean {
  const words = text.replaceAll(',', ' ').split(/\s+/).filter(Boolean)
  if (words.length < 2 || words.length > 4 || !words.every((word) => /^\p{Lu}[\p{L}'’.-]*$/u.test(word))) return false
  return !ofTitles.test(text) && !namesPanel(text) && !words.some((word) => ofBiomarkers().has(normaliseName(word)))
}

/** A name in a line of its own, in one cell or with a day in the next one. */
export function nameLine(cells: readonly string[]): string | undefined {
  const said = cells.map((cell) => clean(cell)).filter((cell) => cell !== '')
  const [name = '', ...others] = said
  const isOfPerson = others.every((cell) => /^\(?\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\)?$|^[MFWmfw]$/.test(cell))
  const isSaying = isHarmless(name) || isVerdict(name) || standingIn(name) !== undefined || isOfAnother(name)
  return isOfPerson && mayBeName(name) && !isSaying ? name : undefined
}

/** The name of somebody else than the person that is known above, or than the first one that is named so. */
export function otherNames(lines: readonly (string | undefined)[], person: string | undefined): Set<string> {
  const named = lines.filter((name) => name !== undefined)
  const first = wordsOf(person ?? named[0])
  const isOther = (name: string) => !hasWordsOf(first, wordsOf(name)) && !hasWordsOf(wordsOf(name), first)
  return new Set(named.filter(isOther))
}
