import { convert } from '@kitlane/lab-reader/facts/convert'
import { Grade, Presence } from '@kitlane/lab-reader/facts/finding-schema'
import { findingOf } from '@kitlane/lab-reader/facts/findings'
import { type Reading, readingOf } from '@kitlane/lab-reader/facts/reading'
import { isPlausible } from '@kitlane/lab-reader/facts/rules'
import type { NewFinding, NewResult } from '@kitlane/lab-reader/identify/result'
import { refuse } from '../../../platform/http/validate.ts'
import type { Biomarker } from '../../catalogue/schema.ts'
import type { OpenUnassessed } from './queries.ts'
import type { AssignWaiting } from './schema.ts'

/** Why some can be nobody's result: there is none, or it is not of this sample. */
const impossible: Readonly<Record<string, string>> = {
  pending: 'The laboratory has not reported it yet',
  cancelled: 'The laboratory could not report it',
  notDone: 'The test was not done',
  withdrawn: 'The laboratory took it back',
  otherSpecimen: 'It was measured in another specimen',
  earlierOrGoal: 'It is a goal or an earlier result',
  notCounted: 'It is about the whole document',
  otherName: 'It is about the whole document',
  notInFile: 'It is not in the file',
}

/** What a person must say the number of: it could be read in two ways. */
const ambiguous = ['uncertainNumber', 'severalValues', 'shifted']

type Waiting = Pick<OpenUnassessed, 'code' | 'value' | 'unit' | 'flag' | 'sent'>

/** A result that waits as one of a biomarker. Its text, range and flag stay as sent. @throws VALIDATION_FAILED */
export function assignedResult(biomarker: Biomarker, waiting: Waiting, input: AssignWaiting): NewResult {
  const { code, value: rawResult, flag, sent } = waiting
  const why = impossible[code]
  if (why) refuse([{ message: `${why}: it cannot be assigned, only dismissed`, path: 'biomarker' }])
  const words = findingFor(biomarker, waiting, input)
  if (words) return words
  const unit = unitOf(waiting, input)
  const reading = readingFor(waiting, input)
  const comparator = reading.comparator ?? (flag === '<' || flag === '>' ? flag : undefined)
  const converted = convert(biomarker, reading.value, unit)
  if (!converted) {
    const from = unit === '' ? 'No unit was sent, and without one it' : 'The unit that was sent'
    refuse([{ message: `${from} cannot be converted to ${biomarker.displayUnit} of this biomarker`, path: 'unit' }])
  }
  if (!isPlausible(biomarker, converted.value)) {
    refuse([{ message: 'The value cannot be right for this biomarker in this unit', path: 'value' }])
  }
  return {
    biomarkerId: biomarker.id,
    value: reading.value,
    unit,
    ...(comparator && { comparator }),
    rawResult,
    // Bounds beside a number that could be two could be two, too.
    ...(sent?.bounds && code !== 'uncertainNumber' && { labRange: sent.bounds }),
    ...(flag && { labFlag: flag }),
  }
}

/** An answer in words, of a biomarker that has such answers, as a person reads it. undefined: a number is to be read. */
function findingFor({ id, scale }: Biomarker, waiting: Waiting, { value }: AssignWaiting): NewFinding | undefined {
  const { value: rawResult, flag } = waiting
  if (scale?.kind !== 'presence' && scale?.kind !== 'grade') return undefined
  const known = findingOf(scale, rawResult)
  const answers: readonly string[] = (scale.kind === 'presence' ? Presence : Grade).options
  const word = String(value ?? '').toLowerCase()
  const finding = value === undefined ? known : answers.includes(word) ? findingOf(scale, word) : undefined
  if (!finding) refuse([{ message: `Say what the answer means, as one of ${answers.join(', ')}`, path: 'value' }])
  if (known && known.value !== finding.value)
    refuse([
      { message: `What was sent means ${known.value}: it cannot be assigned as ${finding.value}`, path: 'value' },
    ])
  return { biomarkerId: id, finding, rawResult, ...(flag && { labFlag: flag }) }
}

function unitOf({ unit }: Waiting, input: AssignWaiting): string {
  if (unit !== '' && input.unit !== undefined && input.unit !== unit) {
    refuse([{ message: 'A unit was sent: it cannot be replaced', path: 'unit' }])
  }
  return unit || (input.unit ?? '')
}

function readingFor({ code, value: sent }: Waiting, { value }: AssignWaiting): Reading {
  if (value === undefined) {
    const plain = ambiguous.includes(code) ? undefined : readingOf(sent)
    if (!plain) refuse([{ message: 'Say the number: what was sent is none, or could be two', path: 'value' }])
    return plain
  }
  const stated = typeof value === 'number' ? { value } : readingOf(value)
  if (!stated) refuse([{ message: 'Not a number', path: 'value' }])
  if (digitsOf(String(value)) !== digitsOf(sent)) {
    refuse([{ message: 'It has other digits than what was sent', path: 'value' }])
  }
  if (/[<>≤≥]/.test(sent) !== (stated.comparator !== undefined)) {
    refuse([{ message: 'Keep the sign that was sent, and add none', path: 'value' }])
  }
  return stated
}

/** "6,20" and 6.2 have the same; so have "1.250" and 1250, which is why a person says it. */
const digitsOf = (text: string) => text.replace(/\D/g, '').replace(/^0+|0+$/g, '')
