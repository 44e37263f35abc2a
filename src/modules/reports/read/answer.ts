import { byHarm } from '@kitlane/display/harm'
import { valueText } from '@kitlane/display/report-text'
import { openingOf } from '@kitlane/display/story'
import { readingOf } from '@kitlane/lab-reader/facts/reading'
import { stored } from '../../../domain/translations/stored-sentences.ts'
import { datesAnswer, instant } from '../../customers/report-dates.ts'
import { scoreConstants } from '../judge/score-constants.ts'
import {
  type BiomarkerEntry,
  isUsable,
  type Report,
  type ReportForReview,
  type ReportStatus,
  type ValueThen,
} from '../schema.ts'
import { isCriticalUnassessed } from '../unassessed/rules.ts'
import type { ReportedUnassessed } from '../unassessed/schema.ts'
import { envelopes, printedRange, referenceIntervals } from './answer-ranges.ts'
import type { BiomarkerAnswer, ReportAnswer, ReviewedReport, ThenAnswer, Unassessed } from './answer-schema.ts'

/** A published report in the types that clients read. */
export function reportAnswer(report: Report): ReportAnswer {
  return { ...commonAnswer(report), details: { ...detailsAnswer(report), status: 'published' } }
}

/** The same for review, before or after it was published. */
export function reviewAnswer(report: ReportForReview): ReviewedReport {
  const { status, customer } = report
  return { ...commonAnswer(report), status, customer, details: { ...detailsAnswer(report), status } }
}

function commonAnswer(report: Report<ReportStatus>): Omit<ReportAnswer, 'details'> {
  const { id, kitID, biomarker, scoreVersion, suggestions, labParamsError, origin, note, approval } = report
  return {
    id,
    ...(kitID !== undefined && { kitID }),
    opening: openingOf(report),
    ...axesAnswer(report),
    biomarker: byHarm(biomarker).flatMap(({ historic, historicFindings, text, ...entry }) =>
      biomarkersAnswer([entry], scoreVersion).map((answer) => ({
        ...answer,
        historic: historic.map(pointAnswer),
        historicFindings: historicFindings.map(pointAnswer),
        ...(text && { text }),
      })),
    ),
    unassessed: unassessedAnswer(biomarker, report.unassessed),
    suggestions,
    ...(note && { note }),
    ...(origin && { origin }),
    ...(approval && { approval: { status: 'approved', ...approval } }),
    labParamsError: labParamsError.map((code) => conditions.get(code) ?? code),
    wearable: [],
    actionsState: [],
  }
}

const pointAnswer = <P extends { timestamp: string }>(point: P): P => ({
  ...point,
  timestamp: instant(point.timestamp),
})

const conditions = new Map([
  ['LATER_VERSION_IN_REVIEW', 'Later Version In Review'],
  ['RECALLED', 'Recalled'],
  ['HEMOLYSIS', 'Hemolysis'],
  ['LIPEMIA', 'Lipemia'],
  ['ICTERUS', 'Icterus'],
  ['DELAYED_SAMPLE_DELIVERY', 'Delayed Sample Delivery'],
])

function axesAnswer({ axes }: Report<ReportStatus>): Pick<ReportAnswer, 'axes' | 'axesNotScored'> {
  return {
    axes: axes.flatMap(({ axis, category, coverage, worst, result, historic }) =>
      result === null
        ? []
        : [{ axis, category, result, range: bandOf(result), coverage, worst, historic: historic.map(pointAnswer) }],
    ),
    axesNotScored: axes.flatMap(({ axis, category, coverage, result }) =>
      result === null ? [{ axis, category, coverage, reason: TOO_LITTLE }] : [],
    ),
  }
}

const TOO_LITTLE = 'Fewer than two of its biomarkers, or less than half of their weight, could be scored.'

/** The band whose scores hold this one: see docs/scoring.md. */
function bandOf(score: number): ReportAnswer['axes'][number]['range'] {
  if (score >= scoreConstants.inOptimal) return 'optimal'
  if (score >= scoreConstants.atLimit) return 'good'
  return score >= scoreConstants.oneSided[0].score ? 'fair' : 'poor'
}

/** The results that could be used; the others are in `unassessedAnswer`. */
export function biomarkersAnswer(entries: readonly BiomarkerEntry[], version: string): BiomarkerAnswer[] {
  return entries.flatMap((entry) => {
    const { rawResult, rawValue, labRange, commonAlternativeUnits, ranges, result, kind = 'number', ...given } = entry
    const { noteKept, ...rest } = given
    if (!isUsable(entry)) return []
    const raw = result === null ? undefined : (rawValue ?? readingOf(rawResult)?.value)
    return [
      {
        ...rest,
        ...(rest.note !== undefined && { note: stored(rest.note, noteKept) }),
        kind,
        ...(result !== null && { result }),
        ...(kind !== 'number' && { value: valueText(entry) }),
        ...(raw !== undefined && { rawResult: raw }),
        rawText: rawResult,
        nonNumerical: result === null,
        ...envelopes({ ranges, labRange }),
        labRange: printedRange(labRange),
        referenceIntervals: referenceIntervals(entry, version),
        commonAlternativeUnits: commonAlternativeUnits.map(({ unit }) => unit),
        alternativeUnits: commonAlternativeUnits,
      },
    ]
  })
}

/** What was received and not judged, and the results that could not be used, each with the reason. */
export function unassessedAnswer(
  entries: readonly BiomarkerEntry[],
  received: readonly ReportedUnassessed[],
): Unassessed[] {
  const unused = entries
    .filter((entry) => !isUsable(entry))
    .map(({ id, label, rawResult, rawUnit, labRange, labFlag = '', note = '', noteKept }) => ({
      name: label,
      value: rawResult,
      unit: rawUnit,
      range: printedRange(labRange),
      flag: labFlag,
      reason: stored(note, noteKept),
      biomarker: id,
      critical: isCriticalUnassessed({ flag: labFlag, value: rawResult }),
    }))
  const shown = received.map(({ loinc: _, sent, ...document }) => ({
    ...document,
    reason: stored(document.reason),
    ...(sent?.specimen && { specimen: sent.specimen }),
  }))
  return [...shown, ...unused].sort((a, b) => Number(b.critical) - Number(a.critical))
}

function detailsAnswer({ details }: Report<ReportStatus>): Omit<ReportAnswer['details'], 'status'> {
  const { collectedDate, resultedDate, status: _, changes, versions, previous: _previous, ...rest } = details
  return {
    ...rest,
    ...(versions.length > 0 && versions.length < rest.latestVersion && { versions }),
    ...datesAnswer({ collectedDate, resultedDate }),
    ...(changes && {
      changes: changes.map(({ before, after, ...change }) => ({
        ...change,
        ...(before && { before: thenAnswer(before) }),
        ...(after && { after: thenAnswer(after) }),
      })),
    }),
  }
}

const thenAnswer = ({ result, rawResult, ...rest }: ValueThen): ThenAnswer => ({
  ...rest,
  ...(result !== null && { result }),
  rawText: rawResult,
})
