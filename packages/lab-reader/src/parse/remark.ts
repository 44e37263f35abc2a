import { biomarkers } from '../facts/biomarkers.ts'
import { foreignNames } from '../facts/foreign-names.ts'
import { plainLetters } from '../facts/letters.ts'
import { annuls, correctionIn } from './annulling.ts'
import { partOf } from './around-words.ts'
import { isKnownFlag } from './flags.ts'
import { interferentsIn } from './interference.ts'
import { dataWords, doubtfulTogether, doubts, plainWords, safe, topics, wholeRemarks } from './remark-words.ts'
import { factsIn, phasesIn } from './sample-words.ts'
import { tellsOfPool } from './specimen-words.ts'
import { withoutStandingTexts } from './standing-texts.ts'
import { withNote } from './status.ts'

/** `annuls`: the result may not be used. `ordinary`: each sentence is accounted for, and changes nothing. */
export type RemarkKind = 'annuls' | 'ordinary' | 'unknown'

const anyWord = (table: string): RegExp => {
  const words = table
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => line.split(/\s+/))
    .filter((word) => word !== '' && word !== ';' && !/^[a-z]{2}:$/.test(word))
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${words.map(partOf).join('|')})(?![\p{L}\p{N}])`, 'gu')
}
const [ofTopic, ofData, ofAny, ofDoubt, ofSafe] = [topics, dataWords, plainWords, doubts, safe].map(anyWord) as [
  RegExp,
  RegExp,
  RegExp,
  RegExp,
  RegExp,
]

/** "Not" of names such as "nie-HDL" is no word of a name: beside one it denies it. */
const denies = new Set('не ne nie nem nao ikke icke niet'.split(' '))

/** The words of all names of biomarkers. */
export const analytes = new Set(
  biomarkers
    .flatMap(({ id, label, aliases }) =>
      [label, ...aliases, ...(foreignNames[id] ?? [])].flatMap((name) => wordsOf(plainLetters(name))),
    )
    .filter((word) => !denies.has(word)),
)

/** The words of a text in small letters that are of names of biomarkers, besides those that stand in any sentence. */
export const analytesIn = (plain: string): string[] =>
  wordsOf(plain.replace(ofAny, ' ').replace(ofTopic, ' ').replace(ofDoubt, ' ')).filter((word) => analytes.has(word))

/** Sentences that speak of values in general. */
const ofLimits = [
  // What a value beyond a limit would mean: "If fasting glucose is above 126 mg/dL, …", "Values above 126 may mean …".
  /^\W*(?:if|when|in case(?: of)?|wenn|falls|si|en cas de|cuando|se|quando|hvis|indien)\b.*\d|\b(?:values?|results?|levels?|concentrations?|werte?|valeurs?|valores?|valori|værdier)(?!\p{L})[^.;\d]{0,30}?(?:above|below|over|under|greater than|higher than|less than|lower than|between|exceeding|über|unter|zwischen|(?:sup|inf)érieure?s? à|(?:superior|inferior)(?:es)? a|(?:superior|inferior)i a|[<>≤≥])\s*[<>≤≥]?\s*\d/iu,
  // What a diagnosis rests on: "Fasting glucose above 126 mg/dL on two occasions indicates diabetes."
  /\b(?:above|below|over|under|greater than|less than|at least|[<>≤≥])\s*\d[\d.,]*\s*\S{0,12}\s.{0,60}\b(?:indicat\w+|suggest\w*|consistent with|diagnos\w+|defin\w+)/iu,
]

export function remarkOf(text: string): RemarkKind {
  if (annuls(text)) return 'annuls'
  return sentencesOf(text).every((sentence) => isOrdinary(sentence)) ? 'ordinary' : 'unknown'
}

/** Short lines that are no title and no name of a test. */
const ofPage =
  /^\W*(?:end|ende|fin|fine|slut|page|seite|pagina|side|thanks?|danke|merci|gracias|grazie|tak|confidential|vertraulich|confidentiel|confidencial|riservato|fortrolig|final report)(?!\p{L})/u

/** Whether a line is a remark that changes nothing, and not a title, the name of a test or a result. */
export const isOrdinaryRemark = (text: string): boolean =>
  (wordsOf(text).length >= FEWEST_WORDS || ofPage.test(plainLetters(text))) && remarkOf(text) === 'ordinary'

/** The sentences of a remark of which nothing is known. */
export const unknownSentences = (text: string): string[] =>
  annuls(text) ? [] : sentencesOf(text).filter((sentence) => !isOrdinary(sentence))

const TITLES =
  /(?<!\p{L})(?:dr|dra|drs|prof|professor|mr|mrs|ms|miss|herr|herrn|frau|monsieur|madame|mme|sr|sra|senor|senora|dott|dottssa|signor|signora|dhr|mevr|mevrouw|meneer)(?!\p{L})/u
/** A shorter one says little, or continues what stands before it. */
const FEWEST_WORDS = 4
export const LONGEST_REMEMBERED = 200

/**
 * Whether a sentence that a reviewer let pass may pass again: it means the same wherever its laboratory writes it. What doubts, asks,
 * holds a digit or names a person by a title is looked at each time.
 */
export function mayPassAgain(sentence: string): boolean {
  const plain = plainLetters(sentence).replace(/\s+/g, ' ')
  return (
    sentence.length <= LONGEST_REMEMBERED &&
    !/[\p{N}?¿؟？…]/u.test(sentence) &&
    !TITLES.test(plain) &&
    plain.replace(ofSafe, ' ').search(ofDoubt) < 0 &&
    wordsOf(sentence).length >= FEWEST_WORDS
  )
}

/** Words enough for a sentence, where a field also holds codes and names. */
export const isProse = (text: string): boolean => (text.match(/(?<!\p{L})\p{Ll}{2,}/gu) ?? []).length >= 4

/** How samples are taken each day. */
const usualDraw =
  /^(?!.*\b(?:line|catheter|cannula|port|drip|iv|infus\w+|running|above|tpn)\b).*\b(?:ven[ie]puncture|phlebotomy|(?:venous|capillary) blood|finger|heel|mid-?stream|clean[- ]catch|blood (?:specimen|draw|sample))/i

/** Whether words on how a sample was collected or handled tell of more than that: what ran into the vein, how it stood. */
export const tellsOfDraw = (text: string): boolean => isProse(text) && !usualDraw.test(text)

const usualState =
  /^\W*(?:(?:sample|specimen|received|arrived|stored|kept|is|was|in|at) )*(?:cool\p{L}*|frozen|refrigerated|ambient|room temp\p{L}*|fridge|freezer|gekühlt|kühl|raumtemperatur|tiefgefroren|réfrigérée?|congelée?|température ambiante|refrigerad[oa]|congelad[oa]|temperatura ambiente|live|good|fresh|intact|in orde|in ordnung|i orden|i ordning|en orden|en bon état|en buen estado|in buone condizioni)(?: (?:sample|specimen|condition|temperature|transport|dried|received|ok))?\W*$/iu

/** Whether words on the state of a sample tell of more than how it was kept. */
export const tellsOfState = (text: string): boolean =>
  interferentsIn(text).length === 0 && isMoreThanFlag(text) && !usualState.test(text)

/** The same where else only flags and codes stand: "Satellitismus im EDTA-Blut". */
export const isMoreThanFlag = (text: string): boolean => !isKnownFlag(text) && wordsOf(text).length >= 2

function wordsOf(text: string): string[] {
  return text.match(/\p{L}[\p{L}\p{M}'’]+/gu) ?? []
}

/** Behind these a point ends no sentence. */
const abbreviation =
  /(?<![\p{L}\p{N}])(?:(?:dr|dra|med|prof|dott|dssa|st|no|nr|approx|ca|bzw|vs|resp|incl|max|min|ref|tel|kl|inkl|usw|etc|mr|mrs|ms|n)|\p{L})$/iu

function sentencesOf(text: string): string[] {
  return withoutStandingTexts(text)
    .split(/\n|[;!]+(?=\s|$)|(?<=[?])\s+/)
    .flatMap((part) => {
      const sentences: string[] = []
      for (const piece of part.split(/\.+(?=\s|$)/)) {
        const before = sentences.at(-1)
        const isOne = before !== undefined && (abbreviation.test(before) || /^\s*\p{Ll}/u.test(piece))
        if (isOne) sentences[sentences.length - 1] = `${before}. ${piece.trim()}`
        else sentences.push(piece.trim())
      }
      return sentences
    })
    .filter((sentence) => /\p{L}{2}/u.test(sentence) || isBareQuestion.test(sentence) || isBareFactor.test(sentence))
}

/** "?", "(?)": somebody doubts what stands beside it. */
const isBareQuestion = /^[^\p{L}\p{N}]*[?¿؟？][^\p{L}\p{N}]*$/u
/** "x1000", "factor 10", "mal 5": whether the value was multiplied, or has to be, is not said. */
const isBareFactor =
  /^\W*(?:(?:result|value|wert|valeur|valor|valore)\W*)?(?:[x×✕*]|times|mal|fois|veces|volte|(?:to be )?multipl\p{L}* (?:by|with)|factor|faktor|facteur|fattore|fator)\W*\d[\d.,^*]*\W*$/iu

/** In German each noun has a capital letter. */
const german =
  /(?<!\p{L})(?:der|die|das|und|wird|wurde|ist|nicht|bei|von|durch|nach|auf|im|für|kein\p{L}*|mit)(?!\p{L})/u
/** Of so many words as many as this may be in none of the tables. */
const MOST_STRANGE = 0.25
const MOST_NAMES = 4

function isOrdinary(sentence: string): boolean {
  if (isBareQuestion.test(sentence) || isBareFactor.test(sentence) || tellsOfPool(sentence)) return false
  const plain = plainLetters(sentence).replace(/\s+/g, ' ')
  if (doubtfulTogether.some((pattern) => pattern.test(plain.trim()))) return false
  if (withNote('final', sentence) !== 'final' || correctionIn(sentence)) return true
  if (phasesIn(sentence).length > 0) return true
  if (wholeRemarks.some((pattern) => pattern.test(plain.trim()))) return true
  if (ofLimits.some((pattern) => pattern.test(sentence))) return true
  const rest = plain.replace(ofSafe, ' ')
  if (rest.search(ofDoubt) >= 0) return false
  const names = namesIn(sentence)
  const isKnown = (word: string) => analytes.has(word) || names.has(word)
  const said = wordsOf(rest.replace(ofData, ' '))
  // A name, a number with its unit, a day.
  if (said.length <= MOST_NAMES && said.every(isKnown)) return true
  const strange = wordsOf(rest.replace(ofTopic, ' ').replace(ofData, ' ').replace(ofAny, ' ')).filter(
    (word) => !isKnown(word),
  ).length
  const speaks = rest !== plain || plain.search(ofTopic) >= 0 || Object.keys(factsIn([sentence])).length > 0
  return speaks && strange <= MOST_STRANGE * wordsOf(plain).length
}

/** Words with a capital letter within a sentence. */
function namesIn(sentence: string): Set<string> {
  if (german.test(sentence) || sentence === sentence.toUpperCase()) return new Set()
  const [, ...words] = wordsOf(sentence)
  return new Set(words.filter((word) => /^\p{Lu}/u.test(word)).map(plainLetters))
}
