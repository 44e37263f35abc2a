import { flagOf, offScale } from '@kitlane/lab-reader/parse/flags'
import { type Commas, commasIn, isUncertain, rangeOf, readSent } from '@kitlane/lab-reader/parse/number'
import type { Observation, ParsedReport } from '@kitlane/lab-reader/parse/parsed'
import { Refusal } from '@kitlane/lab-reader/parse/refusal'
import { withNote } from '@kitlane/lab-reader/parse/status'
import { emptyOrigin } from '../../reports/origin/rules.ts'
import { parseInChild } from '../parse-in-child.ts'
import { refusalError } from '../refusal-error.ts'
import type { LabResult, LabResults } from './schema.ts'

/** The reports in a laboratory's message. */
export interface ParsedMessage {
  format: string
  reports: ParsedReport[]
  notes: string[]
}

/** Parses a message: our JSON here, text in a child process. @throws FILE_NOT_READABLE, OVERLOADED */
export async function parseMessage(body: LabResults | string, owner: string): Promise<ParsedMessage> {
  if (typeof body !== 'string') return fromJson(body)
  try {
    return await parseInChild(Buffer.from(body), { owner, maxPages: 1 })
  } catch (err) {
    throw err instanceof Refusal ? refusalError(err) : err
  }
}

function fromJson(body: LabResults): ParsedMessage {
  const { kitID: kitId, results, origin, messageID: controlID, sentDate, ...rest } = body
  const commas = commasIn(
    results.flatMap(({ value, rangeText = '' }) => [typeof value === 'string' ? value : '', rangeText]),
  )
  const observations = results.map((result, index) => observationOf(result, index, { commas, body }))
  // As in HL7: a corrected result makes a correction of its message.
  const status = observations.some((one) => one.status === 'corrected') ? ('corrected' as const) : rest.status
  return {
    format: 'json',
    reports: [
      {
        ...rest,
        status,
        kitId,
        message: { ...(controlID && { controlID }), ...(sentDate && { sentDate }), part: 0, parts: 1 },
        ...(origin && { origin: { ...emptyOrigin, ...origin } }),
        observations,
      },
    ],
    notes: [],
  }
}

const statuses = {
  final: 'final',
  corrected: 'corrected',
  preliminary: 'preliminary',
  withdrawn: 'entered-in-error',
  canceled: 'cancelled',
} as const

function observationOf(
  result: LabResult,
  index: number,
  { commas, body }: { commas: Commas; body: LabResults },
): Observation {
  const {
    name,
    loinc,
    value = '',
    unit,
    comparator,
    rangeLow,
    rangeHigh,
    rangeText,
    flag,
    method,
    comment,
    status = body.status,
  } = result
  const read = typeof value === 'number' ? { value } : readSent(value, commas)
  const reading = read.value !== undefined && {
    ...read,
    comparator: offScale(read.comparator ?? comparator, [flag ?? '']),
  }
  const isDoubtful = typeof value === 'string' && !reading && isUncertain(value, commas)
  const hasRange = typeof rangeLow === 'number' || typeof rangeHigh === 'number'
  const range =
    rangeOf(rangeText, unit, commas) ?? (hasRange ? { low: rangeLow ?? null, high: rangeHigh ?? null } : undefined)
  const [taken, ...others] = body.origin?.specimens ?? []
  const isUsable = status !== 'withdrawn' && status !== 'canceled'
  return {
    name: name ?? loinc ?? '',
    loinc,
    valueText: String(value),
    ...(isUsable && reading),
    ...(isDoubtful && { doubt: 'uncertainNumber' as const }),
    unit,
    ...(range && { range }),
    ...(rangeText && { rangeText }),
    flag: flagOf([flag ?? '']),
    ...(taken && others.length === 0 && { taken }),
    ...((method || comment) && { said: { ...(method && { method }), ...(comment && { comment }) } }),
    status: withNote(statuses[status], comment),
    ...(body.resultedDate && { reportedDate: body.resultedDate }),
    position: `results.${index}`,
    raw: `${name ?? loinc} ${value} ${unit}`,
  }
}
