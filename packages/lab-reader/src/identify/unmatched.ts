import type { Biomarker, Interval } from '../facts/schema.ts'
import type { Observation } from '../parse/parsed.ts'
import { type Calls, callsFor } from './calls.ts'
import { insteadOfNumber, inWords, type Reason, type Refused, reasons } from './reasons.ts'

/** How a result was sent, beside its name and value. Results that versions before kept have none. */
export interface AsSent {
  /** Other names that it was sent with. */
  alsoCalled?: string[]
  /** Such as `final` or `corrected`. */
  status: string
  specimen?: string
  /** The panel or title under which it stood. */
  section?: string
  /** The line, segment or row. */
  line: string
  /** The printed range, in the unit that was sent. */
  bounds?: Interval
  /** Of the sample, `YYYY-MM-DD` or with its time. */
  collectedDate?: string
  calls?: Calls
  /** The sentences for which alone it waits, and which may pass next time. */
  remarks?: string[]
  /** Who wrote the remarks. */
  laboratory?: string
}

/** An observation that is no result, kept raw for a person. */
export interface Unmatched {
  name: string
  valueText: string
  unit?: string
  rangeText?: string
  flag?: string
  loinc?: string
  position: string
  code: Reason
  /** The same in words. */
  reason: string
  /** Catalogue ids that it may mean, most likely first. */
  suggestions: string[]
  /** How it was sent. */
  sent: AsSent
}

function notANumber(text: string): string {
  if (text === '') return insteadOfNumber.nothing
  if (/^#+$/.test(text)) return insteadOfNumber.cutOff
  if (/^#(?:N\/A|NV|REF!|VALUE!|WERT!|DIV\/0!|NAME\?|NUM!|ZAHL!|NULL!)$/i.test(text)) return insteadOfNumber.formula
  if (
    /^(?:QNS|(?:quantity|sample|specimen) (?:not sufficient|insufficient)|insufficient (?:sample|specimen|quantity))$/i.test(
      text,
    )
  )
    return insteadOfNumber.notEnough
  return /^\P{N}*$/u.test(text) ? inWords : reasons.notANumber
}

/** An observation that is no result, with the reason and whether somebody must hear of it at once. */
export function unmatchedAs(
  observation: Observation,
  code: Reason,
  { catalogue, ...about }: Omit<Refused, 'reason'> & { catalogue: readonly Biomarker[] },
): Unmatched {
  const calls = callsFor(observation, code, catalogue, about.suggestions)
  return unmatchedOf(observation, { because: observation.because, ...about, code, calls })
}

function unmatchedOf(
  observation: Observation,
  { code, suggestions, calls, because, remarks }: Omit<Refused, 'reason'> & { code: Reason; calls: Calls | undefined },
): Unmatched {
  const { name, valueText, unit, rangeText, range, flag, loinc, position } = observation
  const { alsoCalled, status, specimen, section, collectedDate, raw: line } = observation
  const printed = rangeText ?? (range && `${range.low ?? ''}-${range.high ?? ''}`)
  const sentence = code === 'notANumber' ? notANumber(valueText.trim()) : reasons[code]
  return {
    name,
    valueText,
    ...(unit && { unit }),
    ...(printed && { rangeText: printed }),
    ...(flag && { flag }),
    ...(loinc && { loinc }),
    position,
    code,
    reason: because ? `${sentence}: ${because}` : sentence,
    suggestions,
    sent: {
      ...(alsoCalled && { alsoCalled }),
      status,
      ...(specimen && { specimen }),
      ...(section && { section }),
      ...(range && { bounds: range }),
      ...(collectedDate && { collectedDate }),
      ...(calls && { calls }),
      ...(remarks && remarks.length > 0 && { remarks }),
      ...(remarks && observation.said?.laboratory && { laboratory: observation.said.laboratory }),
      line,
    },
  }
}
