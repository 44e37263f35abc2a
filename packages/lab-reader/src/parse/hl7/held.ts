import { annuls } from '../annulling.ts'
import type { Doubt } from '../parsed.ts'
import { tellsOfDraw, tellsOfState } from '../remark.ts'
import { isMaterialName, isOfQuality } from '../specimen-words.ts'
import { clean } from '../text.ts'
import { type Group, takenBackBy } from './groups.ts'
import { component, type Delimiters, repetitions, type Segment, wordsIn } from './message.ts'
import { notesLines, notesText } from './origin.ts'

/** Why all results of a request wait: what its message, person, specimens or notes say of them. */
export function heldBy(
  { patient, order, request, specimens, notes }: Group,
  marks: Delimiters,
  isTest: boolean,
): { doubt: Doubt; because: string } | undefined {
  if (isTest) return { doubt: 'notOwn', because: 'the message is not marked as one of production (MSH-11, MSH-3)' }
  const another = patient && anotherIn(patient, marks)
  if (another) return { doubt: 'notOwn', because: another }
  // Results that an investigation retells are of days and laboratories that it does not say.
  const title = request ? wordsIn(request, marks, 4) : ''
  if (retells.test(title)) return { doubt: 'contradicted', because: `it is retold in the report of a case: ${title}` }
  const taken = order && takenBackBy(order, marks)
  if (taken) return { doubt: 'contradicted', because: `the order was cancelled (${taken})` }
  const action = request ? component(request, marks, 11).toUpperCase() : ''
  if (action === 'C') return { doubt: 'contradicted', because: 'the order was cancelled (OBR-11 C)' }
  const asked = request ? [...repetitions(request, marks, 13), wordsIn(request, marks, 31)] : []
  const quality = action === 'Q' ? 'control material (OBR-11 Q)' : asked.find(isOfQuality)
  if (quality) return { doubt: 'notOwn', because: quality }
  const pooled = specimens.map((spm) => Number(component(spm, marks, 13))).find((count) => count > 1)
  if (pooled) return { doubt: 'notOwn', because: `the specimen is pooled of ${pooled} (SPM-13)` }
  const [rejected] = specimens.flatMap((spm) => rejectionOf(spm, marks) ?? [])
  if (rejected) return { doubt: 'annulled', because: rejected }
  // How it was collected: in words of the request, its collector or the specimen, and with its clinical information.
  const told = request ? [wordsIn(request, marks, 15), ...repetitions(request, marks, 13)] : []
  const drawn = [...told, ...collectionOf({ request, specimens }, marks)].find(annuls)
  if (drawn) return { doubt: 'annulled', because: drawn }
  const said = notes.map((note) => notesText([note], marks)).find(annuls) ?? notesText(notes, marks)
  return annuls(said) ? { doubt: 'annulled', because: said } : undefined
}

/** How samples were collected, in words: OBR-15.3 and 15.6, OBR-39, SPM-7, SPM-14 and SPM-24. */
const collectionOf = ({ request, specimens }: Pick<Group, 'request' | 'specimens'>, marks: Delimiters): string[] =>
  [
    ...(request
      ? [component(request, marks, 15, 3), component(request, marks, 15, 6), wordsIn(request, marks, 39)]
      : []),
    ...specimens.flatMap((spm) => [7, 14, 24].map((field) => wordsIn(spm, marks, field))),
  ].filter((text) => text !== '')

/** The notes of a request, and how its samples were collected where that is more than the usual way. */
export const remarksOn = (group: Group, marks: Delimiters): string =>
  [
    notesLines(group.notes, marks),
    ...collectionOf(group, marks).filter(tellsOfDraw),
    ...group.specimens
      .flatMap((spm) => [5, 24].map((field) => component(spm, marks, field, 2) || component(spm, marks, field, 9)))
      .filter(tellsOfState),
  ].join('\n')

const retells = /\b(?:68991-9|78000-7|epidemiologic information|case (?:notification|investigation|report(?:ing)?))\b/i

const human = /\b(?:hum(?:an|anus|ain|ano|ana)?|homo sapiens|mensch|337915000|278412004|person)\b/i

/** Control material instead of a name, or an animal: PID-5, PID-35. */
function anotherIn(pid: Segment, marks: Delimiters): string | undefined {
  const name = [1, 2].map((number) => component(pid, marks, 5, number)).filter((part) => part !== '')
  if ([name, name.toReversed()].some((parts) => isMaterialName(parts.join(' ')))) return `the name is ${name.join(' ')}`
  const species = wordsIn(pid, marks, 35)
  return species === '' || human.test(species) ? undefined : `the species is ${species} (PID-35)`
}

/** Hemolysis holds only the values that it changes, too little only those that are not there. HL7 tables 0490 and 0493. */
const ofSome = /^(?:RH|HEM|QS|QNS)\b/i

/** Why a specimen was rejected (SPM-21), or its condition (SPM-24) where no value of it may be used. */
function rejectionOf(spm: Segment, marks: Delimiters): string | undefined {
  const rejected = wordsIn(spm, marks, 21)
  if (rejected !== '' && !ofSome.test(rejected)) return `the specimen was rejected (SPM-21): ${rejected}`
  const condition = wordsIn(spm, marks, 24)
  const isFlawed = annuls(condition.split(' ')[0] ?? '') || annuls(condition)
  return isFlawed ? `the condition of the specimen (SPM-24): ${condition}` : undefined
}

/** Why the specimens are refused: the codes of SPM-21, or its words where it has none. */
export const refusalsOf = ({ specimens }: Pick<Group, 'specimens'>, marks: Delimiters): string[] =>
  specimens.flatMap((specimen) =>
    repetitions(specimen, marks, 21).flatMap((part) => {
      const [code = '', words = ''] = part.split(marks.component)
      return clean(code || words, 40) || []
    }),
  )
