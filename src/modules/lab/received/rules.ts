import type { Identified } from '@kitlane/lab-reader/identify/identify'
import type { AsSent, Unmatched } from '@kitlane/lab-reader/identify/unmatched'
import type { MessageFacts, ParsedReport } from '@kitlane/lab-reader/parse/parsed'
import type { KeptStatement } from '../register/statement.ts'

/** A result as it was sent. `became`: `assessed`, else the code of the reason why it was not. */
export interface ReceivedObservation extends AsSent {
  name: string
  loinc?: string
  value: string
  unit?: string
  range?: string
  flag?: string
  reportedDate?: string
  analyzedDate?: string
  position: string
  became: string
}

/** The message that a document came in. */
export interface ReceivedMessage extends MessageFacts {
  /** A hash of what it says: the same control ID with another one is a contradiction. */
  content: string
  /** How many documents of the kit, or of the customer, came before it. */
  place: number
  /** Of a file of a business: by which others of the same sample are found. */
  sample?: string
}

/** What a document holds. Those of versions before the register have only the observations. */
export interface ReceivedContent {
  observations: ReceivedObservation[]
  message?: ReceivedMessage | null
  statements?: KeptStatement[] | null
}

export interface Received {
  observations: ReceivedObservation[]
  /** `lines` = `assessed` + `waiting` + `leftOut`. */
  lines: number
  assessed: number
  waiting: number
  leftOut: number
}

interface Line {
  name: string
  valueText?: string
  rawResult?: string
  position: string
}

/** Tells the lines of a document apart. */
export const lineKey = ({ name, valueText, rawResult, position }: Line) =>
  JSON.stringify([name, valueText ?? rawResult, position])

/** What became of each line. `waiting`: how many were kept for a person; `leftOut`: lines that are no results by rule. */
export function receivedOf(
  { observations, unmatched }: Pick<ParsedReport, 'observations'> & Pick<Identified, 'unmatched'>,
  { waiting, leftOut = 0 }: { waiting: number; leftOut?: number },
): Received {
  const codes = new Map(unmatched.map((one): [string, Unmatched['code']] => [lineKey(one), one.code]))
  const received = observations.map((observation): ReceivedObservation => {
    const { name, alsoCalled, loinc, valueText, unit, rangeText, flag, status, specimen, section } = observation
    return {
      name,
      ...(alsoCalled && { alsoCalled }),
      ...(loinc && { loinc }),
      value: valueText,
      ...(unit && { unit }),
      ...(rangeText && { range: rangeText }),
      ...(flag && { flag }),
      status,
      ...(specimen && { specimen }),
      ...(section && { section }),
      ...(observation.reportedDate && { reportedDate: observation.reportedDate }),
      ...(observation.analyzedDate && { analyzedDate: observation.analyzedDate }),
      position: observation.position,
      line: observation.raw,
      became: codes.get(lineKey(observation)) ?? 'assessed',
    }
  })
  const assessed = observations.length - unmatched.length
  const lines = observations.length + leftOut
  return { observations: received, lines, assessed, waiting, leftOut: lines - assessed - waiting }
}

/** The counts as they are answered. */
export const lineCounts = ({
  lines: counted,
  assessed,
  waiting,
  leftOut: dismissed,
}: Omit<Received, 'observations'>) => ({
  counted,
  assessed,
  waiting,
  dismissed,
})
