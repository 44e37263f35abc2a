import { plainLetters } from '../facts/letters.ts'
import { asWritten, inconclusive, madeUp, madeUpElsewhere, ofThisPerson, words } from './annulling-phrases.ts'
import { inPlainLetters, TO_REPEAT } from './annulling-plain-phrases.ts'

interface Expression {
  means: string
  pattern: RegExp
}

/** A phrase of the table as a part of an expression. */
function partOf(phrase: string): string {
  const [start, end] = [
    /^(?:-|\^)/.test(phrase) ? '' : String.raw`\b`,
    /(?:-|\$|\\w[*+])$/.test(phrase) ? '' : String.raw`\b`,
  ]
  const plain = phrase
    .replace(/^-|-$/g, '')
    .replace(/\{([a-z]+)\}/g, (_, name: string) => words[name] ?? '')
    .replace(/\((?!\?)/g, '(?:')
    .replace(/ …(\d+) /g, (_, most: string) => String.raw`\b[^.;]{0,${most}}\b`)
  return start + plain + end
}

/** The expression of each meaning, in the order of the table. */
function expressionsIn(table: string, flags: string): Expression[] {
  return table
    .split(/^# /m)
    .slice(1)
    .map((section) => {
      const [means = '', ...lines] = section.trim().split('\n')
      const told = lines.map((line) => /^\s*([a-z ]+): (.*)$/.exec(line) ?? [])
      const guards = (key: string) => told.flatMap(([, name, text]) => (name === key && text ? text : []))
      const phrases = told.flatMap(([, name = '', text]) => (name.length === 2 && text ? partOf(text) : []))
      const behind = guards('not behind').map((text) => `(?<!${text})`)
      const before = guards('not before').map((text) => `(?!${text})`)
      // A guard looks at what stands behind whole words.
      const ends = before.length > 0 ? String.raw`\b` : ''
      const source = `${behind.join('')}(?:${phrases.join('|')})${ends}${before.join('')}`
      return { means, pattern: new RegExp(source, flags) }
    })
}

const patterns = expressionsIn(asWritten, 'iu')
/** What is wrong with the sample, the run or the value. */
const ofNobody = expressionsIn(`${madeUp}${plainLetters(madeUpElsewhere)}`, '')
const withoutConclusion = expressionsIn(inconclusive, '')
const flaws = [...expressionsIn(`${inPlainLetters}${ofThisPerson}`, ''), ...withoutConclusion, ...ofNobody]
const denied =
  /\b(?:no|not|never|without|nicht|kein\w*|pas|ikke) (?:been )?(?=(?:mis-?label+ed|mixed up|cancel+ed|rejected|retracted|withdrawn|invalid|verwechselt|storniert))/i

/** HL7 tables 0493 and 0490, where a condition of the specimen is a code alone. */
const flawCodes = /(?:^|, )(?:CLOT|CON|RB|RC|RI|RM|RN|RR)(?:,|$)/

const deniedFlaw =
  /\b(?:no|not|never|without|nor|non|nicht|kein\w*|ohne|pas|sans|aucune?|sin|senza|ikke|ingen)\b[^,]{0,30}$/
const excluded =
  /^(?![^,]{0,20}\b(?:not|cannot|can't|couldn't|nicht|pas)\b[^,]{0,10}\b(?:excluded|ruled out|ausgeschlossen|exclue?)\b)[^,]{0,20}\b(?:excluded|ruled out|unlikely|not (?:suspected|seen|likely)|ausgeschlossen|exclue?)\b/
const supposed =
  /\b(?:if|when|whenever|unless|wenn|falls|lorsque|si(?! (?:consiglia|raccomanda|suggerisce|prega|richied\w+|invita|segnala|sospetta|ritiene|ripet\w+|osserva\w*|rileva\w*|evidenzia\w*|informa|avvisa|comunica|precisa|rende|tratta) )|cuando|quando|hvis|can(?! ?not)|known to)\b/
const ofBefore =
  /\b(?:previous\w*|prior|last|earlier|former|preceding|first|initial|original|vorig\w*|vorherig\w*|precedente?s?|anterior\w*|tidligere)\b/
/** A test that is to be done again later, or to confirm a diagnosis, counts today. */
const later =
  /\b(?:in|after|within|every|nach|dans|en|tra) (?:an? |about |another )?(?:\d|one|two|three|four|six|few|several|zwei|drei|deux|trois|dos|tres|due|tre)|\b(?:annual\w*|months?|weeks?|years?|monat\w*|woche\w*|mois|semaines?|meses|semanas|confirm\w*|diagnos\w*|follow-?up|fasting|symptom\w*|clinical\w*|screening)\b/

/** Where in a sentence a pattern fits, unless that is said of an earlier sample or of what would be. */
function saidIn(pattern: RegExp, clause: string): { before: string; behind: string } | undefined {
  const match = pattern.exec(clause)
  if (!match) return undefined
  const before = plainLetters(clause.slice(0, match.index))
  const behind = plainLetters(clause.slice(match.index + match[0].length))
  return ofBefore.test(before) || supposed.test(before) ? undefined : { before, behind }
}

function isFlawed(clause: string, by = flaws): boolean {
  return by.some(({ means, pattern }) => {
    const said = saidIn(pattern, clause)
    if (!said || deniedFlaw.test(said.before) || excluded.test(said.behind)) return false
    return !supposed.test(said.behind.split(',')[0] ?? '') && (means !== TO_REPEAT || !later.test(clause))
  })
}

/** Whether a note of a laboratory says that what it is about may not be used, each of its sentences by itself. */
export const annuls = (note: string): boolean =>
  flawCodes.test(note) ||
  note
    .split(/[.;!?\n]+(?=\s|$)/)
    .some(
      (clause) =>
        (!denied.test(clause) && patterns.some(({ pattern }) => saidIn(pattern, clause))) ||
        isFlawed(plainLetters(clause)),
    )

/** Whether a sentence says that tests contradict each other, or that nothing is to be concluded before a further sample. */
export const isInconclusive = (clause: string): boolean => isFlawed(plainLetters(clause), withoutConclusion)

/** Words by which a title, a watermark or a line says that a document is made up, for training or to show the form. */
export const madeUpIn = (text: string): string[] => {
  const plain = plainLetters(text)
  return ofNobody.flatMap(({ pattern }) => pattern.exec(plain)?.[0] ?? [])
}

const corrected =
  /\b(?:correct\w*|amended|revised|changed|korrigiert|geändert|corrigée?|modifiée?|corregid[oa]|corretto|rettet)(?!\p{L})[^.;\d]{0,40}?\b(?:from|von|de|da|fra) ([<>]?\d+(?:[.,]\d+)?)(?![\d/:-])[^.;\d]{0,15}?(?:\bto\b|\bauf\b|(?<!\p{L})à(?!\p{L})|\ba\b|\btil\b|->|→) ?([<>]?\d+(?:[.,]\d+)?)(?![\d/:-])/iu

/** The numbers of a note such as "corrected from 140 to 128". */
export function correctionIn(note: string): { from: number; to: number } | undefined {
  const [, from, to] = corrected.exec(note) ?? []
  const number = (text: string) => Number(text.replace(',', '.').replace(/[<>]/, ''))
  return from === undefined || to === undefined ? undefined : { from: number(from), to: number(to) }
}

const before =
  /\b(?:(?:previously|originally|initially) (?:reported|resulted|issued|printed|released) (?:as |was )?|corrected from )([<>]?\d+(?:[.,]\d+)?)(?![\d/:-])/iu

/** The number that a note says was reported before: "Previously reported as 188 mg/dL". */
export function reportedBefore(note: string): number | undefined {
  const number = before.exec(note)?.[1]
  return number === undefined ? undefined : Number(number.replace(',', '.').replace(/[<>]/, ''))
}

/** Beside a number it says that the number is no measured one. */
export const belowLimit =
  /\b(?:below|under|less than|unter(?:halb)?|inférieure? à|por debajo|inferior|sotto|under) (?:the |der |la |del? |il |)?(?:límite de |limite (?:de |di )|lower )?(?:limit of )?(?:detection|quantitation|quantification|nachweisgrenze|bestimmungsgrenze|messgrenze|détection|detección|cuantificación|rilevabilità|detektionsgrænse\p{L}*|detektionsgräns\p{L}*|lod|loq|målegrense\p{L}*|deteksjonsgrense\p{L}*)|^\W*(?:not detect(?:ed|able)|nicht nachweisbar|non détectable|no detectable)\W*$/iu
