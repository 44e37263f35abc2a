import { readFile } from 'node:fs/promises'
import type { IdentifiedResult } from '@kitlane/lab-reader/identify/identified'
import type { IdentifiedReport } from '@kitlane/lab-reader/identify/identify'
import type { Unmatched } from '@kitlane/lab-reader/identify/unmatched'
import { Refusal } from '@kitlane/lab-reader/parse/refusal'
import type { Command } from 'commander'
import { z } from 'zod'
import { StartError } from '../domain/errors.ts'
import { addCommand, table } from './command.ts'

export function addReadCommand(root: Command): void {
  addCommand(
    root,
    {
      name: 'read',
      summary:
        "Read a laboratory's file: its results, and what has to wait for a person and why. Nothing is stored or sent.",
      options: {},
      rest: { name: 'file', words: 'HL7 v2, FHIR R4, CSV, or PDF with text', single: true },
      input: z.object({ file: z.string().min(1) }),
      example: 'kitlane read report.hl7 --json',
    },
    async ({ file }) => {
      const [{ biomarkers }, { identifyReport }, { parseInChild }, { settleFile }] = await Promise.all([
        import('@kitlane/lab-reader/facts/biomarkers'),
        import('@kitlane/lab-reader/identify/identify'),
        import('@kitlane/lab-reader/parse/parse-in-child'),
        import('../modules/lab/register/settle-file.ts'),
      ])
      const bytes = await readFile(file).catch((cause) => {
        throw new StartError(`The file ${file} cannot be read. Check its path.`, { cause })
      })
      const { format, reports, notes } = await parseInChild(bytes).catch((err) => {
        throw err instanceof Refusal ? new StartError(`${err.message} (${err.needsReview ?? err.code}).`) : err
      })
      const single = reports.map((report) => identifyReport(report, biomarkers))
      const identified = settleFile(single, biomarkers)
      const text = [format, ...notes, ...identified.map((report) => inWords(report))].join('\n')
      return { json: { format, notes, reports: identified }, text }
    },
  )
}

function inWords(report: IdentifiedReport): string {
  const { patient, collectedDate, status, results, unmatched, isOfSeveral, message, specimenErrors } = report
  const { origin, clinicalInfo = [] } = report
  const whose = [patient?.name, patient?.dateOfBirth && `born ${patient.dateOfBirth}`].filter(Boolean).join(', ')
  return [
    '',
    `${whose || 'Nobody is named'}; collected ${collectedDate ?? 'on no day that it says'}; ${status}`,
    ...(isOfSeveral ? ['The document names more than one person, so a person must say whose this is.'] : []),
    ...(message?.isTest ? ['It is a message for training or tests, and about nobody.'] : []),
    ...(specimenErrors.length > 0 ? [`The sample: ${specimenErrors.join(', ')}.`] : []),
    ...clinicalInfo.map((text) => `The request says of the person: ${text}`),
    ...(origin?.notes ?? []).map((note) => `Note on all of it: ${note}`),
    ...(origin?.specimens ?? []).flatMap(({ condition }) => (condition ? `The specimen: ${condition}` : [])),
    ...(results.length > 0 ? [`${results.length} read:`, table(results.map(resultRow))] : []),
    ...(unmatched.length > 0 ? [`${unmatched.length} waiting for a person:`, table(unmatched.map(waitingRow))] : []),
  ].join('\n')
}

const resultRow = (result: IdentifiedResult): string[] => {
  const { biomarkerId, name, labFlag = '', preliminary, isCorrected } = result
  const value =
    'finding' in result
      ? result.finding.value
      : `${[result.comparator, result.value].filter((part) => part !== undefined).join(' ')} ${result.unit}`
  const status = preliminary ? 'preliminary' : isCorrected ? 'corrected' : ''
  return ['  ', biomarkerId, value, labFlag, status, hourOf(result), `“${name}”`, factsOf(result)]
}

/** When the sample of a value was taken: `08:00`, with the zone that was sent. */
const hourOf = ({ sent }: { sent?: { collectedDate?: string } }): string =>
  sent?.collectedDate?.split('T')[1]?.replace(/^(\d{2}:\d{2}):\d{2}(?:\.\d+)?/, '$1') ?? ''

/** The facts of the sample, and the words beside the value. */
function factsOf({ fasting, pregnant, phases = [], said }: IdentifiedResult): string {
  const state = fasting === undefined ? undefined : fasting ? 'fasting' : 'not fasting'
  return [state, pregnant !== undefined && (pregnant ? 'pregnant' : 'not pregnant'), ...phases, said?.comment]
    .filter(Boolean)
    .join('; ')
}

const waitingRow = ({ name, valueText, unit = '', reason, position, sent }: Unmatched): string[] => [
  '  ',
  `“${name}”`,
  valueText.endsWith(unit) ? valueText : `${valueText} ${unit}`,
  hourOf({ sent }),
  reason,
  position,
]
